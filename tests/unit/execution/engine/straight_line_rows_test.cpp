// SPDX-License-Identifier: Apache-2.0
// Kernels whose body is straight-line code, over so many blocks that their rows run in the loop that the compiler may
// vectorise. This file is compiled with -O3, which makes g++ do so.
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

constexpr unsigned kBlocks = 300;  // of one worker, which runs such rows after 63

template <class Index, class T>
void axpy(Index n, T a, const T* x, T* y) {
  const Index i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = static_cast<T>(a * x[i] + y[i]);
}

/// Threads behind the end have something to do as well.
template <class Index>
void halve_or_note(Index n, float* y, unsigned char* outside) {
  const Index i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= n) {
    outside[i] = 1;
    return;
  }
  y[i] *= 0.5f;
}

void note_coordinates(unsigned short* out) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned width = gridDim.x * blockDim.x;
  out[y * width + x] = static_cast<unsigned short>(threadIdx.x + 3 * threadIdx.y + 7 * threadIdx.z + 11 * blockIdx.x);
}

/// One thread waits for another by a volatile flag, with nothing that a compiler would take for a wait.
void late_wait(int waits, int sets, volatile float* flag, float* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i == waits) {
    while (*flag == 0) {
    }
    *out += 7;
  }
  if (i == sets) *flag = 1;
}

/// Reads through a pointer and puts null in its place: a second run of the row finds nothing to read.
void take_from_once(unsigned at, int** from, int* to) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i != at) return;
  int* const source = *from;
  *from = to;
  *to = *source;
}

/// Asks the engine whether it keeps the index of the running thread nowhere.
void note_loop(unsigned char* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = detail::current_thread.straight_line_rows ? 1 : 0;
}
void note_unmarked(unsigned char* out) {
  note_loop(out);
}

}  // namespace

namespace warpfiber {
template <>
inline constexpr bool is_straight_line<axpy<int, float>> = true;
template <>
inline constexpr bool is_straight_line<axpy<unsigned, float>> = true;
template <>
inline constexpr bool is_straight_line<axpy<std::size_t, float>> = true;
template <>
inline constexpr bool is_straight_line<axpy<long long, double>> = true;
template <>
inline constexpr bool is_straight_line<axpy<int, double>> = true;
template <>
inline constexpr bool is_straight_line<axpy<int, int>> = true;
template <>
inline constexpr bool is_straight_line<axpy<unsigned, unsigned char>> = true;
template <>
inline constexpr bool is_straight_line<halve_or_note<int>> = true;
template <>
inline constexpr bool is_straight_line<halve_or_note<unsigned>> = true;
template <>
inline constexpr bool is_straight_line<note_coordinates> = true;
template <>
inline constexpr bool is_straight_line<take_from_once> = true;
template <>
inline constexpr bool is_straight_line<note_loop> = true;
}  // namespace warpfiber

namespace {

dim3 every_block() {
  return GENERATE(dim3{1}, dim3{31}, dim3{32}, dim3{33}, dim3{64}, dim3{96}, dim3{1000}, dim3{1024}, dim3{64, 4},
                  dim3{70, 3, 2});
}

template <class Index, class T>
bool axpy_is_right(const dim3& block) {
  const std::size_t threads = std::size_t{kBlocks} * block.x;
  const std::size_t n = threads - block.x / 2;
  std::vector<T> x(threads), y(threads, T{1});
  for (std::size_t i = 0; i < threads; ++i) x[i] = static_cast<T>(i % 1000);
  const LaunchConfig config{.grid = kBlocks, .block = dim3{block.x}, .workers = 1};
  bool right = launch<axpy<Index, T>>(config, static_cast<Index>(n), T{2}, x.data(), y.data()).ok();
  for (std::size_t i = 0; i < threads; ++i)
    right = right && y[i] == (i < n ? static_cast<T>(T{2} * x[i] + T{1}) : T{1});
  return right;
}

/// Pages of floats, behind which nothing can be accessed.
class Fenced {
 public:
  explicit Fenced(std::size_t pages) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), bytes_(pages * page_) {
    memory_ = mmap(nullptr, bytes_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(static_cast<char*>(memory_) + bytes_, page_, PROT_NONE);
  }
  ~Fenced() { munmap(memory_, bytes_ + page_); }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;

  /// So that `size` of them are there.
  float* floats(std::size_t size) { return static_cast<float*>(memory_) + bytes_ / sizeof(float) - size; }

 private:
  std::size_t page_;
  std::size_t bytes_;
  void* memory_;
};

}  // namespace

TEST_CASE("kernels that never wait compute what loops compute") {
  const dim3 block = every_block();
  INFO(block.x << " x " << block.y << " x " << block.z);
  CHECK(axpy_is_right<int, float>(block));
  CHECK(axpy_is_right<unsigned, float>(block));
  CHECK(axpy_is_right<std::size_t, float>(block));
  CHECK(axpy_is_right<long long, double>(block));
  CHECK(axpy_is_right<int, double>(block));
  CHECK(axpy_is_right<int, int>(block));
  CHECK(axpy_is_right<unsigned, unsigned char>(block));
}

TEMPLATE_TEST_CASE("threads on both sides of the guard run once each", "", int, unsigned) {
  const dim3 block = every_block();
  const std::size_t threads = std::size_t{kBlocks} * block.x;
  const std::size_t n = threads - threads / 3;
  std::vector<float> y(threads, 2.0f);
  std::vector<unsigned char> outside(threads);
  const LaunchConfig config{.grid = kBlocks, .block = dim3{block.x}, .workers = 1};
  REQUIRE(launch<halve_or_note<TestType>>(config, static_cast<TestType>(n), y.data(), outside.data()));
  bool right = true;
  for (std::size_t i = 0; i < threads; ++i) right = right && y[i] == (i < n ? 1.0f : 2.0f) && outside[i] == (i >= n);
  CHECK(right);
}

TEST_CASE("threads of rows have their coordinates in all dimensions") {
  const dim3 block = GENERATE(dim3{64, 4}, dim3{70, 3}, dim3{256, 2}, dim3{1, 64});
  const dim3 grid{40, 10};
  const std::size_t width = std::size_t{grid.x} * block.x;
  std::vector<unsigned short> out(width * grid.y * block.y);
  REQUIRE(launch<note_coordinates>({.grid = grid, .block = block, .workers = 1}, out.data()));
  bool right = true;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t x = i % width;
    const std::size_t y = i / width;
    right = right && out[i] == x % block.x + 3 * (y % block.y) + 11 * (x / block.x);
  }
  CHECK(right);
}

TEMPLATE_TEST_CASE("a fault in a row that keeps no index names its thread", "[faults]", int, unsigned) {
  constexpr unsigned kThreads = 256;
  const unsigned last =
      GENERATE(40u * kThreads, 250u * kThreads, 250u * kThreads + 1, 250u * kThreads + 77, 299u * kThreads + 255);
  Fenced memory(80);
  std::vector<float> x(kBlocks * kThreads, 1.0f);
  const LaunchConfig config{.grid = kBlocks, .block = kThreads, .workers = 1};
  const LaunchResult result = launch<axpy<TestType, float>>(config, static_cast<TestType>(kBlocks * kThreads), 2.0f,
                                                            static_cast<const float*>(x.data()), memory.floats(last));
  CHECK(result.error() == Error::illegal_address);
  CHECK_THAT(result.message(),
             Catch::Matchers::ContainsSubstring("thread (" + std::to_string(last % kThreads) + ",0,0) of block (" +
                                                std::to_string(last / kThreads) + ",0,0)"));
  CHECK(axpy_is_right<TestType, float>(dim3{kThreads}));
}

TEST_CASE("a thread that waits by a plain flag after many that did not lets its row go on") {
  constexpr int kThreads = 64;
  const int block = GENERATE(10, 100, 200, 299);
  const int waits = GENERATE(0, 3, 62);
  const int sets = GENERATE(1, 63);
  if (sets <= waits) return;
  float flag = 0;
  float out = 0;
  const bool in_sight = GENERATE(true, false);
  const LaunchConfig config{.grid = kBlocks, .block = kThreads, .workers = 1};
  const auto run = [&](auto&&... arguments) {
    return in_sight ? launch<late_wait>(config, arguments...) : launch(config, late_wait, arguments...);
  };
  CAPTURE(block, waits, sets, in_sight);
  REQUIRE(run(block * kThreads + waits, block * kThreads + sets, static_cast<volatile float*>(&flag), &out));
  CHECK(out == 7.0f);
}

TEST_CASE("rows of straight-line bodies and of no others keep no index") {
  const unsigned threads = GENERATE(31u, 32u, 256u);
  const std::size_t all = std::size_t{kBlocks} * threads;
  std::vector<unsigned char> marked(all);
  std::vector<unsigned char> unmarked(all);
  std::vector<unsigned char> by_pointer(all);
  const LaunchConfig config{.grid = kBlocks, .block = threads, .workers = 1};
  REQUIRE(launch<note_loop>(config, marked.data()));
  REQUIRE(launch<note_unmarked>(config, unmarked.data()));
  REQUIRE(launch(config, note_loop, by_pointer.data()));
  CHECK(marked.front() == 0);
  CHECK(marked.back() == (threads >= 32 ? 1 : 0));
  CHECK(unmarked.back() == 0);
  CHECK(by_pointer.back() == 0);
}

TEST_CASE("a fault that a row does not repeat may be any thread's of it", "[faults]") {
  constexpr unsigned kThreads = 256;
  Fenced memory(1);
  int kept = 0;
  int* from = reinterpret_cast<int*>(memory.floats(0));
  const LaunchConfig config{.grid = kBlocks, .block = kThreads, .workers = 1};
  const LaunchResult result = launch<take_from_once>(config, 250u * kThreads + 9, &from, &kept);
  CHECK(result.error() == Error::illegal_address);
  CHECK_THAT(result.message(), Catch::Matchers::ContainsSubstring("block (250,0,0)"));
}

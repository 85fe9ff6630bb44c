// SPDX-License-Identifier: Apache-2.0
// Blocks that a registered function runs, as a pass of the compiler would make one, and what becomes of those in which
// it does not get through: fibers run them once more. The functions here are written by hand.
#include <cuda_runtime_api.h>
#include <warpfiber/shared.hpp>
#include <warpfiber/translated/kernels.hpp>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>
#include <vector>

#include "base/system/processors.hpp"
#include "engine/block_functions.hpp"
#include "process/findings/findings_log.hpp"
#include "process/kernels.hpp"
#include "support/launches.hpp"
#include "support/translated_kernels.hpp"

using namespace warpfiber;

namespace {

const bool kSoonOver = ::setenv("WARPFIBER_WATCHDOG", "1", 1) == 0;

constexpr unsigned kThreads = 64;
constexpr unsigned kBlocks = 100;

std::atomic<unsigned> calls;  // of functions that run a block
int* numbers;                 // that kernels change

int* volatile nowhere = nullptr;

using Function = unsigned (*)(const void*);

/// Registers `run` for the kernel that `About` stands for.
template <class About>
struct Registered {
  explicit Registered(Function run) : regions{typeid(About).name(), WARPFIBER_UNIT, {run, nullptr, nullptr}, 4096, 0} {
    warpfiber_register_regions(&regions);
  }
  WarpfiberRegions regions;
};

/// Where nothing has gone wrong, what was launched, and no finding of it.
std::string finding_of_launch(cudaError_t expected) {
  CHECK(cudaDeviceSynchronize() == expected);
  std::string all = process::findings_document();
  CHECK(cudaDeviceReset() == cudaSuccess);
  return all;
}

/// The test of the option runs this program.
bool are_off() {
  const char* const asked = ::getenv("WARPFIBER_REGIONS");
  return asked != nullptr && std::string(asked) == "off";
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

int* own_numbers() {
  int* const at = numbers + blockIdx.x * blockDim.x;
  ++calls;
  return at;
}

}  // namespace

#define KERNEL(name, function, ...)                                \
  void name(int* data) {                                           \
    auto warpfiber_body = [](int* to) -> void { __VA_ARGS__; };    \
    ABOUT_KERNEL(#name, , name);                                   \
    static const Registered<warpfiber_about> registered(function); \
    cuda::enter_kernel<warpfiber_about>(warpfiber_body, data);     \
  }

namespace kernels {

unsigned reverse_block(const void*) {
  int* const at = own_numbers();
  std::reverse(at, at + blockDim.x);
  return 0;
}
KERNEL(reverse, reverse_block, {
  auto& s = shared<int[kThreads], struct reversed>();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = to[i];
  __syncthreads();
  to[i] = s[blockDim.x - 1 - threadIdx.x];
})

/// In one block of many.
unsigned write_through_null(const void*) {
  int* const at = own_numbers();
  if (blockIdx.x == 3) *nowhere = *at;
  return 0;
}
KERNEL(faults, write_through_null, {
  __syncthreads();
  if (blockIdx.x == 3 && threadIdx.x == 5) *nowhere = 1;
  __syncthreads();
  to[0] = 0;
})
KERNEL(faults_once, write_through_null, {
  __syncthreads();
  to[0] = 0;
})

template <unsigned kLevel>
unsigned for_level(const void*) {
  return kLevel > 4 ? 1 : 0;
}
void levels(int* data) {
  auto warpfiber_body = [](int*) -> void {};
  ABOUT_KERNEL("levels", , levels);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, data);
}
void twice(int* data) {
  auto warpfiber_body = [](int*) -> void {};
  ABOUT_KERNEL("twice", , twice);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, data);
}
void register_levels() {
  const auto* kernel = process::find_kernel(reinterpret_cast<const void*>(&levels));
  static const WarpfiberRegions regions{
      kernel->type_name(), WARPFIBER_UNIT, {&for_level<2>, &for_level<3>, &for_level<4>}, 4096, 0};
  warpfiber_register_regions(&regions);
}

unsigned leave_to_fibers(const void*) {
  own_numbers();
  return blockIdx.x == 3 ? 1 : 0;
}
KERNEL(traps, leave_to_fibers, {
  __syncthreads();
  if (blockIdx.x == 3 && threadIdx.x == 7) __trap();
  to[0] = 0;
})
KERNEL(stops_once, leave_to_fibers, {
  __syncthreads();
  to[0] = 0;
})

unsigned never_end(const void*) {
  volatile int* const at = own_numbers();
  while (*at == 0) {
  }
  return 0;
}
KERNEL(spins, never_end, {
  volatile int* const at = to;
  __syncthreads();
  while (*at == 0) {
  }
})
KERNEL(spins_once, never_end, {
  __syncthreads();
  to[1] = 0;
})

}  // namespace kernels

namespace {

/// Launches the kernel with numbers that are 0.
template <class Kernel>
std::string launch_on_zeros(Kernel kernel, cudaError_t expected, unsigned blocks = kBlocks) {
  std::vector<int> zeros(kBlocks * kThreads);
  numbers = zeros.data();
  calls = 0;
  (cuda::configure(blocks, kThreads), kernel(numbers));
  return finding_of_launch(expected);
}

}  // namespace

TEST_CASE("a function for a newer level of x86-64 than asked for is not taken") {
  const auto run_of = [](unsigned newest) {
    const auto* kernel = process::find_kernel(reinterpret_cast<const void*>(&kernels::levels));
    return process::find_block_function(*kernel, newest).run;
  };
  kernels::register_levels();
  CHECK(run_of(2) == &kernels::for_level<2>);
  const Function best = base::processor_level() >= 3 ? &kernels::for_level<3> : &kernels::for_level<2>;
  CHECK(run_of(3) == best);
  CHECK(run_of(4) == (base::processor_level() >= 4 ? &kernels::for_level<4> : best));
}

TEST_CASE("of two registrations in one library neither is taken, and one of a library loaded again is") {
  const auto* kernel = process::find_kernel(reinterpret_cast<const void*>(&kernels::twice));
  CHECK(process::find_block_function(*kernel, 4).run == nullptr);
  static const WarpfiberRegions regions[] = {
      {kernel->type_name(), WARPFIBER_UNIT, {&kernels::for_level<2>, nullptr, nullptr}, 4096, 0},
      {kernel->type_name(), WARPFIBER_UNIT, {&kernels::for_level<2>, nullptr, nullptr}, 4096, 0}};
  for (int loaded = 0; loaded < 2; ++loaded) {
    warpfiber_register_regions(&regions[0]);
    CHECK(process::find_block_function(*kernel, 4).run == &kernels::for_level<2>);
  }
  warpfiber_register_regions(&regions[1]);
  CHECK(process::find_block_function(*kernel, 4).run == nullptr);
}

TEST_CASE("a registered function runs each block of its kernel once, unless the user has it off") {
  std::vector<int> values(kBlocks * kThreads);
  std::iota(values.begin(), values.end(), 0);
  numbers = values.data();
  for (const unsigned launches : {1U, 2U}) {
    (cuda::configure(kBlocks, kThreads), kernels::reverse(numbers));
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(calls == (are_off() ? 0 : launches * kBlocks));
  }
  CHECK(std::is_sorted(values.begin(), values.end()));  // it was reversed twice
}

TEST_CASE("a fault of a block's function is reported as fibers find it", "[faults]") {
  const std::string found = launch_on_zeros(kernels::faults, cudaErrorIllegalAddress);
  CHECK(contains(found, "thread (5,0,0) of block (3,0,0)"));
  CHECK(calls >= 1);
}

TEST_CASE("a fault that fibers do not find ends the launch", "[faults]") {
  const std::string found = launch_on_zeros(kernels::faults_once, cudaErrorIllegalAddress);
  CHECK(contains(found, "It may be any thread of the block"));
}

TEST_CASE("what a block's function leaves to fibers is reported as they find it") {
  const std::string found = launch_on_zeros(kernels::traps, cudaErrorLaunchFailure);
  CHECK(contains(found, "thread (7,0,0) of block (3,0,0)"));
}

TEST_CASE("a block that its function does not finish and fibers do ends the launch") {
  const std::string found = launch_on_zeros(kernels::stops_once, cudaErrorLaunchFailure);
  CHECK(contains(found, "WARPFIBER_REGIONS=off"));
}

TEST_CASE("a block's function that never ends is left when the watchdog's time is over", "[faults]") {
  CHECK(contains(launch_on_zeros(kernels::spins, cudaErrorLaunchTimeout, 1), "livelock"));
  CHECK(contains(launch_on_zeros(kernels::spins_once, cudaErrorLaunchFailure, 1), "spins_once"));
}

TEST_CASE("launches of which more is asked are run by fibers") {
  engine::GridRequest plain;
  plain.run_block = kernels::reverse_block;
  CHECK(engine::runs_by_functions(plain));
  std::vector<engine::GridRequest> others(8, plain);
  others[0].run_block = nullptr;
  others[1].policy.kind = schedule::PolicyKind::random;
  others[2].cooperative = true;
  others[3].cluster = dim3(2);
  others[4].warp_size = 16;
  others[5].device = 1;
  others[6].record_decisions = true;
  others[7].block = dim3(2048);
  CHECK(std::none_of(others.begin(), others.end(), engine::runs_by_functions));
}

TEST_CASE("a function whose warps are to be in one row runs blocks of such rows only") {
  engine::GridRequest request;
  request.run_block = kernels::reverse_block;
  const auto runs = [&](dim3 block, bool by_whole_rows) {
    request.block = block;
    request.run_block_by_whole_rows = by_whole_rows;
    return engine::runs_by_functions(request);
  };
  for (const dim3 block : {dim3(64), dim3(33), dim3(32, 4), dim3(64, 2, 2)}) CHECK(runs(block, true));
  for (const dim3 block : {dim3(16, 4), dim3(48, 2), dim3(1, 1, 64)}) {
    CHECK_FALSE(runs(block, true));
    CHECK(runs(block, false));
  }
}

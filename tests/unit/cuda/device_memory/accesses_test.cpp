// SPDX-License-Identifier: Apache-2.0
// What is told of copies, fills, allocations and frees to whoever watches accesses.
#include "device_memory/accesses.hpp"

#include <cuda_runtime.h>

#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "streams/streams.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::device_memory;
using namespace warpfiber::process;
using namespace warpfiber::streams;

namespace {

struct Told {
  std::string what;
  const void* to = nullptr;
  const void* from = nullptr;
  Box box{};
  std::size_t bytes = 0;
  record::LaunchOrder order{};
  unsigned char first_byte = 0;  // at `to`, when it was told
};

class Log final : public AccessWatcher {
 public:
  Log() { watch_accesses(this); }
  ~Log() {
    cudaDeviceSynchronize();
    watch_accesses(nullptr);
  }

  void transfer(const Transfer& done, const record::LaunchOrder& order) override {
    Told told{done.from.at == nullptr ? "fill" : "copy", done.to.at, done.from.at, done.box, 0, order};
    std::memcpy(&told.first_byte, done.to.at, 1);
    add(std::move(told));
  }
  void allocation(const void* base, std::size_t bytes) override { add({"allocation", base, nullptr, {}, bytes, {}}); }
  void allocation_in_stream(const void* base, std::size_t bytes, const record::LaunchOrder& order) override {
    add({"allocation in stream", base, nullptr, {}, bytes, order});
  }
  void registration(const void* base, std::size_t bytes) override {
    add({"registration", base, nullptr, {}, bytes, {}});
  }
  void unregistration(const void* base, std::size_t bytes) override {
    add({"unregistration", base, nullptr, {}, bytes, {}});
  }
  void release(const void* base, std::size_t bytes, const record::LaunchOrder& order) override {
    add({"release", base, nullptr, {}, bytes, order});
  }

  /// All that was told since the last question, when nothing is left to do.
  std::vector<Told> take() {
    cudaDeviceSynchronize();
    const std::lock_guard lock(mutex_);
    return std::exchange(told_, {});
  }

 private:
  void add(Told told) {
    const std::lock_guard lock(mutex_);
    told_.push_back(std::move(told));
  }

  std::mutex mutex_;
  std::vector<Told> told_;
};

cudaStream_t new_stream() {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  return stream;
}

}  // namespace

TEST_CASE("a copy reports both ends before it is done, and a fill its one") {
  Log log;
  unsigned char host[64] = {7};
  unsigned char* memory = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&memory), sizeof host);
  cudaMemset(memory, 9, 16);
  cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
  const std::vector<Told> told = log.take();
  REQUIRE(told.size() == 3);
  CHECK(told[0].what == "allocation");
  CHECK(told[0].to == memory);
  CHECK(told[0].bytes == sizeof host);
  CHECK(told[1].what == "fill");
  CHECK(told[1].box.width == 16);
  CHECK(std::string(told[1].order.call) == "cudaMemset");
  CHECK(told[2].what == "copy");
  CHECK(told[2].to == memory);
  CHECK(told[2].from == host);
  CHECK(told[2].box.width == sizeof host);
  CHECK(told[2].first_byte == 9);
  CHECK(std::string(told[2].order.call) == "cudaMemcpy");
  CHECK(told[2].order.returns_to != nullptr);
  CHECK(told[1].order.returns_to != told[2].order.returns_to);
  CHECK(told[1].order.number < told[2].order.number);
  cudaFree(memory);
}

TEST_CASE("a box is told with its pitches") {
  Log log;
  char host[4][8] = {};
  char* memory = nullptr;
  std::size_t pitch = 0;
  cudaMallocPitch(reinterpret_cast<void**>(&memory), &pitch, 8, 4);
  log.take();
  cudaMemcpy2D(memory, pitch, host, 8, 6, 4, cudaMemcpyHostToDevice);
  const std::vector<Told> told = log.take();
  REQUIRE(told.size() == 1);
  CHECK(told[0].box.width == 6);
  CHECK(told[0].box.height == 4);
  cudaFree(memory);
}

TEST_CASE("copies in unordered streams say so") {
  Log log;
  void* memory = nullptr;
  cudaMalloc(&memory, 64);
  log.take();
  cudaStream_t streams[] = {new_stream(), new_stream()};
  for (cudaStream_t stream : streams) cudaMemsetAsync(memory, 1, 64, stream);
  std::vector<Told> told = log.take();
  REQUIRE(told.size() == 2);
  if (told[0].order.number > told[1].order.number) std::swap(told[0], told[1]);
  CHECK(told[0].order.unordered.empty());
  CHECK(told[1].order.unordered == std::vector<std::uint64_t>{told[0].order.number});
  CHECK(told[0].order.stream != told[1].order.stream);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(memory);
}

TEST_CASE("memory of a stream is told in its order, when it is given and when it is taken") {
  Log log;
  cudaStream_t streams[] = {new_stream(), new_stream()};
  void* memory = nullptr;
  cudaMallocAsync(&memory, 64, streams[0]);
  cudaMemsetAsync(memory, 1, 64, streams[1]);
  const std::vector<Told> used = log.take();
  REQUIRE(used.size() == 3);
  CHECK(used[0].what == "allocation");  // by the call itself
  const Told& given = used[used[1].what == "allocation in stream" ? 1 : 2];
  const Told& filled = used[used[1].what == "allocation in stream" ? 2 : 1];
  CHECK(given.what == "allocation in stream");
  CHECK(std::string(given.order.call) == "cudaMallocAsync");
  CHECK(filled.order.unordered == std::vector<std::uint64_t>{given.order.number});
  cudaFreeAsync(memory, streams[0]);
  const std::vector<Told> taken = log.take();
  REQUIRE(taken.size() == 1);
  CHECK(taken[0].what == "release");
  CHECK(taken[0].to == memory);
  CHECK(taken[0].bytes == 64);
  CHECK(std::string(taken[0].order.call) == "cudaFreeAsync");
  CHECK(taken[0].order.stream == given.order.stream);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
}

TEST_CASE("a free is told where there was something to free, as the host's operation") {
  Log log;
  void* memory = nullptr;
  cudaMallocManaged(&memory, 64, cudaMemAttachGlobal);
  log.take();
  cudaFree(static_cast<char*>(memory) + 4);
  cudaFreeHost(memory);
  CHECK(log.take().empty());
  cudaFree(memory);
  cudaFree(memory);
  const std::vector<Told> told = log.take();
  REQUIRE(told.size() == 1);
  CHECK(told[0].what == "release");
  CHECK(told[0].order.stream == 0);
  CHECK(told[0].order.unordered.empty());
}

TEST_CASE("an allocation in a stream that does not exist takes nothing") {
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  cudaMemGetInfo(&before, &total);
  void* memory = nullptr;
  int no_stream = 0;
  CHECK(cudaMallocAsync(&memory, 64, reinterpret_cast<cudaStream_t>(&no_stream)) == cudaErrorInvalidResourceHandle);
  cudaMemGetInfo(&after, &total);
  CHECK(memory == nullptr);
  CHECK(before == after);
  cudaGetLastError();
}

// SPDX-License-Identifier: Apache-2.0
// What CUDA's functions say about the order of operations: each case looks at what one of them does to it.
#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "engine/worker.hpp"
#include "streams/streams.hpp"
#include "support/launches.hpp"
#include "support/translated_kernels.hpp"

using namespace warpfiber;
using namespace warpfiber::streams;

namespace {

using Numbers = std::vector<std::uint64_t>;

/// Keeps the order of the operation, which names the place for it as its memory.
Error keep_order(Task& task, Error) {
  const void* to = std::get<PlacementOperation>(task.operation).memory;
  *static_cast<record::LaunchOrder*>(const_cast<void*>(to)) = order_of(task);
  return Error::success;
}

/// Two streams with nothing in them, and a device that the host knows to be idle.
class Streams {
 public:
  Streams() {
    cudaDeviceSynchronize();
    for (cudaStream_t* stream : {&free, &other}) cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
    cudaEventCreate(&event);
  }
  ~Streams() {
    cudaDeviceSynchronize();
    for (cudaStream_t stream : {free, other}) cudaStreamDestroy(stream);
    cudaEventDestroy(event);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  cudaStream_t free = nullptr;
  cudaStream_t other = nullptr;
  cudaEvent_t event = nullptr;
};

/// Number of an operation that the stream is given now.
std::uint64_t submit_to(cudaStream_t stream, record::LaunchOrder& told) {
  StreamPos mark;
  REQUIRE(submit(stream, std::make_unique<Task>(PlacementOperation{&told}, &keep_order), {}, &mark) == Error::success);
  return mark.clock.number;
}

/// What an operation that the stream is given now is unordered with.
Numbers beside_in(cudaStream_t stream) {
  record::LaunchOrder told;
  submit_to(stream, told);
  cudaStreamSynchronize(stream);
  return told.unordered;
}

void tell_order(record::LaunchOrder* to) {
  auto warpfiber_body = [](record::LaunchOrder* told) -> void {
    *told = engine::Worker::current()->grid().request.order;
  };
  ABOUT_KERNEL("tell_order", , tell_order);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, to);
}

}  // namespace

TEST_CASE("a launch is told what nothing orders before it") {
  const Streams streams;
  record::LaunchOrder first;
  record::LaunchOrder second;
  (cuda::configure(1, 1, 0, streams.free), tell_order(&first));
  (cuda::configure(1, 1, 0, streams.other), tell_order(&second));
  cudaDeviceSynchronize();
  CHECK(first.number != 0);
  CHECK(first.unordered.empty());
  CHECK(second.number > first.number);
  CHECK(second.unordered == Numbers{first.number});
  CHECK(second.stream != first.stream);
  CHECK(std::string(first.call) == "tell_order");
  CHECK(first.returns_to != nullptr);
  CHECK(first.returns_to != second.returns_to);
}

TEST_CASE("a launch of the native interface is the host's own operation") {
  const Streams streams;
  record::LaunchOrder in_stream;
  record::LaunchOrder told[2];
  submit_to(streams.free, in_stream);
  for (record::LaunchOrder& to : told) {
    launch({}, [&to] { to = engine::Worker::current()->grid().request.order; });
  }
  cudaDeviceSynchronize();
  for (const record::LaunchOrder& to : told) CHECK(to.unordered == Numbers{in_stream.number});
  CHECK(told[1].number > told[0].number);
  CHECK(told[0].stream == 0);
}

TEST_CASE("an event that a stream waits for orders, and so does one that the host waits for") {
  const Streams streams;
  record::LaunchOrder told;
  const std::uint64_t first = submit_to(streams.free, told);
  CHECK(beside_in(streams.other) == Numbers{first});
  cudaEventRecord(streams.event, streams.free);
  SECTION("a stream waits") {
    cudaStreamWaitEvent(streams.other, streams.event, 0);
    CHECK(beside_in(streams.other).empty());
    CHECK(order_of_host().unordered.empty());  // that has waited for the other stream
  }
  SECTION("the host waits") {
    cudaEventSynchronize(streams.event);
    CHECK(beside_in(streams.other).empty());
  }
  SECTION("the host asks until it is so") {
    while (cudaEventQuery(streams.event) == cudaErrorNotReady) std::this_thread::yield();
    CHECK(beside_in(streams.other).empty());
  }
}

TEST_CASE("synchronisation of a stream or of the device orders") {
  const Streams streams;
  record::LaunchOrder told;
  const std::uint64_t first = submit_to(streams.free, told);
  CHECK(order_of_host().unordered == Numbers{first});
  SECTION("of the stream") {
    cudaStreamSynchronize(streams.free);
  }
  SECTION("of the device") {
    cudaDeviceSynchronize();
  }
  SECTION("by asking") {
    while (cudaStreamQuery(streams.free) == cudaErrorNotReady) std::this_thread::yield();
  }
  SECTION("by freeing memory") {
    void* memory = nullptr;
    cudaMalloc(&memory, 4);
    cudaFree(memory);
  }
  CHECK(order_of_host().unordered.empty());
  CHECK(beside_in(streams.other).empty());
}

TEST_CASE("the default stream orders blocking streams and no others") {
  const Streams streams;
  cudaStream_t blocking = nullptr;
  cudaStreamCreate(&blocking);
  record::LaunchOrder told[3];
  const std::uint64_t in_blocking = submit_to(blocking, told[0]);
  const std::uint64_t in_free = submit_to(streams.free, told[1]);
  const std::uint64_t in_default = submit_to(nullptr, told[2]);
  CHECK(beside_in(streams.other) == Numbers{in_blocking, in_free, in_default});
  CHECK(beside_in(cudaStreamPerThread) == Numbers{in_free});  // what it waited for is over
  cudaDeviceSynchronize();
  CHECK(told[2].unordered == Numbers{in_free});
  cudaStreamDestroy(blocking);
}

TEST_CASE("a copy that returns when it is done orders, and one that may be done later does not") {
  const Streams streams;
  int host = 0;
  void* memory = nullptr;
  cudaMalloc(&memory, sizeof host);
  SECTION("to the device") {
    cudaMemcpy(memory, &host, sizeof host, cudaMemcpyHostToDevice);
  }
  SECTION("to pageable memory in a stream") {
    cudaMemcpyAsync(&host, memory, sizeof host, cudaMemcpyDeviceToHost, streams.free);
  }
  CHECK(order_of_host().unordered.empty());
  SECTION("from pageable memory in a stream") {
    cudaMemcpyAsync(memory, &host, sizeof host, cudaMemcpyHostToDevice, streams.free);
    CHECK(order_of_host().unordered.size() == 1);
    CHECK(beside_in(streams.other).size() == 1);
  }
  SECTION("a fill") {
    cudaMemset(memory, 1, sizeof host);
    CHECK(order_of_host().unordered.size() == 1);
  }
  cudaFree(memory);
}

TEST_CASE("a host function stands in the order of its stream and shows the host what is over") {
  const Streams streams;
  record::LaunchOrder first;
  record::LaunchOrder second;
  submit_to(streams.free, first);
  const std::uint64_t beside = submit_to(streams.other, second);
  record::LaunchOrder of_function;
  const auto ask = [](void* to) { *static_cast<record::LaunchOrder*>(to) = order_of_host(); };
  cudaLaunchHostFunc(streams.free, ask, &of_function);
  while (cudaStreamQuery(streams.free) == cudaErrorNotReady) std::this_thread::yield();
  CHECK(of_function.number > beside);
  CHECK(of_function.unordered == Numbers{beside});
  CHECK(order_of_host().unordered == Numbers{beside});
  cudaDeviceSynchronize();
}

TEST_CASE("the host sees whether the order has changed") {
  const Streams streams;
  const std::uint64_t before = order_changes();
  const record::LaunchOrder first = order_of_host();
  CHECK(order_of_host().number == first.number);
  CHECK(order_changes() == before);
  cudaEventRecord(streams.event, streams.free);
  CHECK(order_changes() != before);
  CHECK(order_of_host().number > first.number);
}

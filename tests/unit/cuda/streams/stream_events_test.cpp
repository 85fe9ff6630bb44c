// SPDX-License-Identifier: Apache-2.0
// What observers of streams see of kernels, copies, host functions and events, and in which order.
#include <cuda_runtime.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "report/operations.hpp"
#include "streams/stream_events.hpp"
#include "support/launches.hpp"
#include "support/translated_kernels.hpp"

using namespace warpfiber;
using namespace warpfiber::streams;
using record::OperationKind;
using record::StreamOperation;

namespace {

/// Logs while it lives, and checks that each operation is submitted, begins and ends.
class LoggedOperations final : public record::StreamObserver {
 public:
  LoggedOperations() {
    cudaDeviceSynchronize();
    add_stream_observer(*this);
  }
  ~LoggedOperations() {
    cudaDeviceSynchronize();
    remove_stream_observer(*this);
  }

  void operation_submitted(const StreamOperation& operation) override { add(operation, 0); }
  void operation_begins(const StreamOperation& operation) override { add(operation, 1); }
  void operation_ends(const StreamOperation& operation) override { add(operation, 2); }

  /// "CALL kind" of those that were submitted.
  std::vector<std::string> submitted() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> all;
    for (const auto& [stage, operation] : events_) {
      if (stage == 0) all.push_back(name_of(operation));
    }
    return all;
  }
  std::size_t count(int stage) {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(
        std::ranges::count_if(events_, [stage](const auto& event) { return event.first == stage; }));
  }
  /// The stages of an operation, in the order in which they came.
  std::vector<int> stages_of(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    std::vector<int> stages;
    for (const auto& [stage, operation] : events_) {
      if (operation.number == number) stages.push_back(stage);
    }
    return stages;
  }
  std::vector<StreamOperation> operations() {
    const std::lock_guard lock(mutex_);
    std::vector<StreamOperation> all;
    for (const auto& [stage, operation] : events_) {
      if (stage == 0) all.push_back(operation);
    }
    return all;
  }

 private:
  static std::string name_of(const StreamOperation& operation) {
    const std::string kind = report::operation_name({.kind = operation.what.kind});
    return operation.what.has_name() ? operation.what.call + (' ' + kind) : kind;
  }
  void add(const StreamOperation& operation, int stage) {
    const std::lock_guard lock(mutex_);
    events_.emplace_back(stage, operation);
  }

  std::mutex mutex_;
  std::vector<std::pair<int, StreamOperation>> events_;
};

}  // namespace

TEST_CASE("an observer sees copies, fills, host functions and events of a stream in its order") {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  char* memory = nullptr;
  char values[64] = {};
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaMalloc(&memory, sizeof values) == cudaSuccess);
  {
    LoggedOperations logged;
    cudaMemsetAsync(memory, 1, sizeof values, stream);
    cudaMemcpyAsync(values, memory, sizeof values, cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(event, stream);
    cudaLaunchHostFunc(
        stream, [](void*) {}, nullptr);
    cudaStreamSynchronize(stream);
    cudaMemcpy(values, memory, sizeof values, cudaMemcpyDeviceToHost);
    CHECK(logged.submitted() == std::vector<std::string>{"cudaMemsetAsync fill", "cudaMemcpyAsync copy", "marker",
                                                         "cudaLaunchHostFunc host function", "cudaMemcpy copy"});
    CHECK(logged.count(1) == 5);
    CHECK(logged.count(2) == 5);
    const std::vector<StreamOperation> operations = logged.operations();
    CHECK(operations[0].stream == operations[3].stream);
    CHECK(operations[0].stream != operations[4].stream);
    for (const StreamOperation& operation : operations) {
      if (operation.what.kind != OperationKind::marker) {
        CHECK(logged.stages_of(operation.number) == std::vector<int>{0, 1, 2});
      }
    }
  }
  cudaFree(memory);
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
}

TEST_CASE("an observer sees each kernel of a stream with its shape, and none after it is removed") {
  warpfiber::Stream stream;
  const LaunchConfig config{.grid = 3, .block = 40, .stream = stream};
  {
    LoggedOperations logged;
    for (unsigned i = 0; i < 5; ++i) launch(config, [] { __syncthreads(); });
    stream.synchronize();
    const std::vector<StreamOperation> operations = logged.operations();
    REQUIRE(operations.size() == 5);
    for (const StreamOperation& operation : operations) {
      CHECK(operation.what.kind == OperationKind::kernel);
      CHECK(operation.what.grid.x == 3);
      CHECK(operation.what.block.x == 40);
      CHECK(logged.stages_of(operation.number) == std::vector<int>{0, 1, 2});
    }
  }
  launch(config, [] { __syncthreads(); });
  CHECK(stream.synchronize().ok());
}

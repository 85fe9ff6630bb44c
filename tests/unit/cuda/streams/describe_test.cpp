// SPDX-License-Identifier: Apache-2.0
// What traces and findings print of each kind of operation.
#include "streams/stream_events.hpp"

#include <memory>
#include <string>
#include <utility>

#include "report/operations.hpp"
#include "streams/kernel_operation.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::streams;

namespace {

Error run_nothing(Task&, Error) {
  return Error::success;
}

record::OperationFacts facts_of(OperationData data, const char* call) {
  Task task(std::move(data), run_nothing);
  task.request.call.function = call;
  return describe(task);
}

struct Texts {
  std::string name;
  std::string text;
  std::string unknown;  // where the call is not known
  std::uint64_t bytes = 0;
  bool operator==(const Texts&) const = default;
};

Texts texts_of(const OperationData& data, const char* call) {
  const record::OperationFacts facts = facts_of(data, call);
  return {report::operation_name(facts), report::operation_text(facts), report::operation_text(facts_of(data, "")),
          facts.bytes};
}

}  // namespace

TEST_CASE("each kind of operation has a name, and words where it has none") {
  CopyOperation copy;
  copy.box = {16, 3, 2};
  FillOperation fill;
  fill.box = {8, 4};
  const OperationData kernel = std::shared_ptr<KernelOperation>();
  CHECK(texts_of(kernel, "saxpy") == Texts{"saxpy", "saxpy<<<>>>", "a kernel"});
  CHECK(texts_of(EmptyKernelOperation{}, "nothing") == Texts{"nothing", "nothing<<<>>>", "a kernel"});
  CHECK(texts_of(copy, "cudaMemcpy3D") == Texts{"cudaMemcpy3D", "cudaMemcpy3D", "a copy", 96});
  CHECK(texts_of(fill, "cudaMemset2D") == Texts{"cudaMemset2D", "cudaMemset2D", "a fill", 32});
  CHECK(texts_of(AllocationOperation{nullptr, 64}, "cudaMallocAsync") ==
        Texts{"cudaMallocAsync", "cudaMallocAsync", "an allocation", 64});
  CHECK(texts_of(FreeOperation{}, "cudaFreeAsync") == Texts{"cudaFreeAsync", "cudaFreeAsync", "a free"});
  CHECK(texts_of(PlacementOperation{nullptr, 128}, "cudaMemPrefetchAsync") ==
        Texts{"cudaMemPrefetchAsync", "cudaMemPrefetchAsync", "a placement of memory", 128});
  CHECK(texts_of(LibraryOperation{}, "cublasSgemm") == Texts{"cublasSgemm", "cublasSgemm", "a library function"});
  CHECK(texts_of(HostFunctionOperation{}, "cudaLaunchHostFunc") ==
        Texts{"cudaLaunchHostFunc", "cudaLaunchHostFunc", "a host function"});
  CHECK(texts_of(MarkOperation{}, "cudaEventRecord") == Texts{"cudaEventRecord", "cudaEventRecord", "a marker"});
}

TEST_CASE("a kernel is described with its shape and its call") {
  Task task(EmptyKernelOperation{}, run_nothing);
  task.request.call = {"saxpy", &task};
  task.request.grid = {3, 2, 1};
  task.request.block = {64, 1, 1};
  const record::OperationFacts facts = describe(task);
  CHECK(facts.kind == record::OperationKind::kernel);
  CHECK(facts.returns_to == &task);
  CHECK(facts.grid.y == 2);
  CHECK(facts.block.x == 64);
}

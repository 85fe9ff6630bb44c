// SPDX-License-Identifier: Apache-2.0
// Operations of streams are data: what a stream has done can be looked at, changed and done again.
#include <cuda_runtime.h>

#include <variant>
#include <vector>

#include "device_memory/copies.hpp"
#include "device_memory/ordering.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::device_memory;
using streams::CopyOperation;
using streams::FillOperation;
using streams::OperationData;
using streams::Work;

namespace {

constexpr std::size_t kBytes = 256;

struct Areas {
  Areas() {
    REQUIRE(cudaMalloc(&first, kBytes) == cudaSuccess);
    REQUIRE(cudaMalloc(&second, kBytes) == cudaSuccess);
  }
  ~Areas() {
    cudaFree(first);
    cudaFree(second);
  }
  Areas(const Areas&) = delete;
  Areas& operator=(const Areas&) = delete;

  std::vector<unsigned char> of_second() const {
    std::vector<unsigned char> bytes(kBytes);
    REQUIRE(cudaMemcpy(bytes.data(), second, kBytes, cudaMemcpyDeviceToHost) == cudaSuccess);
    return bytes;
  }

  void* first = nullptr;
  void* second = nullptr;
};

/// A fill of the first area and a copy of it to the second.
std::vector<OperationData> fill_and_copy(const Areas& areas, unsigned value) {
  CopyOperation copy{line(areas.second, kBytes), line(areas.first, kBytes), process::Box{kBytes}};
  copy.to_accessors = copy.from_accessors = memory::Accessors::device;
  return {FillOperation{line(areas.first, kBytes), process::Box{kBytes}, {value, 1}}, copy};
}

void carry_out(const std::vector<OperationData>& operations) {
  for (const OperationData& each : operations) REQUIRE(in_stream(nullptr, each, Wait::no) == Error::success);
}

}  // namespace

TEST_CASE("operations that are carried out three times do three times what they say") {
  const Areas areas;
  const std::vector<OperationData> operations = fill_and_copy(areas, 7);
  for (int round = 0; round < 3; ++round) {
    REQUIRE(cudaMemset(areas.second, 0, kBytes) == cudaSuccess);
    carry_out(operations);
    CHECK(areas.of_second() == std::vector<unsigned char>(kBytes, 7));
  }
}

TEST_CASE("an operation that is changed does what it says then") {
  const Areas areas;
  std::vector<OperationData> operations = fill_and_copy(areas, 7);
  std::get<FillOperation>(operations[0]).pattern.value = 9;
  std::get<CopyOperation>(operations[1]).box.width = 16;
  REQUIRE(cudaMemset(areas.second, 1, kBytes) == cudaSuccess);
  carry_out(operations);
  const std::vector<unsigned char> bytes = areas.of_second();
  CHECK(bytes[15] == 9);
  CHECK(bytes[16] == 1);
}

TEST_CASE("a library's work is done again each time it is asked for") {
  const Areas areas;
  int times = 0;
  const streams::LibraryOperation operation{{{line(areas.first, kBytes), process::Box{kBytes}, true}},
                                            [&times] { ++times; }};
  carry_out({operation, operation});
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(times == 2);
}

TEST_CASE("what an operation is follows from its data") {
  CHECK(work_of(OperationData(FillOperation{})) == Work::transfer);
  CHECK(work_of(OperationData(streams::EmptyKernelOperation{})) == Work::empty_kernel);
  CHECK(work_of(OperationData(streams::HostFunctionOperation{})) == Work::host_function);
  CHECK(work_of(OperationData(streams::MarkOperation{})) == Work::mark);
  CHECK(takes_no_time(Work::mark));
  CHECK_FALSE(takes_no_time(Work::transfer));
}

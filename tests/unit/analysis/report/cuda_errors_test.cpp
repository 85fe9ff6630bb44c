// SPDX-License-Identifier: Apache-2.0
//
// The numbers, names and sentences of errors against CUDA's documentation of cudaError_t (CUDA 13.0 runtime API, data
// types). Where a toolkit is installed, crosscheck_device compares every one of them with the runtime itself.
#include <set>
#include <string>
#include <string_view>

#include <warpfiber/error.hpp>

#include "support/catch.hpp"

using warpfiber::Error;
using warpfiber::error_name;
using warpfiber::error_string;

namespace {

struct Known {
  int number;
  Error error;
  std::string_view name;
  std::string_view text;
};

constexpr Known kKnown[] = {
    {0, Error::success, "cudaSuccess", "no error"},
    {1, Error::invalid_value, "cudaErrorInvalidValue", "invalid argument"},
    {2, Error::memory_allocation, "cudaErrorMemoryAllocation", "out of memory"},
    {9, Error::invalid_configuration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {98, Error::invalid_device_function, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {101, Error::invalid_device, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {600, Error::not_ready, "cudaErrorNotReady", "device not ready"},
    {700, Error::illegal_address, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, Error::launch_out_of_resources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {702, Error::launch_timeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {710, Error::assert, "cudaErrorAssert", "device-side assert triggered"},
    {714, Error::hardware_stack_error, "cudaErrorHardwareStackError", "hardware stack error"},
    {715, Error::illegal_instruction, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
    {716, Error::misaligned_address, "cudaErrorMisalignedAddress", "misaligned address"},
    {719, Error::launch_failure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {720, Error::cooperative_launch_too_large, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {801, Error::not_supported, "cudaErrorNotSupported", "operation not supported"},
    {912, Error::invalid_cluster_size, "cudaErrorInvalidClusterSize",
     "a kernel launch error has occurred due to cluster misconfiguration"},
    {999, Error::unknown, "cudaErrorUnknown", "unknown error"},
};

}  // namespace

TEST_CASE("errors have CUDA's numbers, names and sentences") {
  for (const Known& known : kKnown) {
    CAPTURE(known.name);
    CHECK(static_cast<int>(known.error) == known.number);
    CHECK(error_name(known.error) == known.name);
    CHECK(error_string(known.error) == known.text);
  }
}

TEST_CASE("every named error is named once") {
  std::set<std::string> names;
  int named = 0;
  for (int number = 0; number <= 10000; ++number) {
    const std::string name = error_name(static_cast<Error>(number));
    if (name == "unrecognized error code") continue;
    ++named;
    names.insert(name);
  }
  CHECK(named == 134);
  CHECK(names.size() == 134);
}

TEST_CASE("numbers that CUDA does not define are said to be unrecognized") {
  const int number = GENERATE(-1, 10, 717 + 10, 5000, 10001, 2147483647);
  CHECK(std::string_view(error_name(static_cast<Error>(number))) == "unrecognized error code");
  CHECK(std::string_view(error_string(static_cast<Error>(number))) == "unrecognized error code");
}

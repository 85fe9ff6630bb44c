// SPDX-License-Identifier: Apache-2.0
// Names and texts of errors, and what a program that makes mistakes gets to read.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;

namespace {

std::string errors_of(const std::string& variables, const std::string& mode) {
  const std::string command = "env -i " + variables + " " WARPFIBER_CUDA_RUNTIME_CHILD " " + mode + " 2>&1";
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char part[512];
  for (std::size_t size; (size = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, size);
  ::pclose(pipe);
  return text;
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("an error has CUDA's name and text") {
  CHECK(std::string(cudaGetErrorName(cudaErrorInvalidValue)) == "cudaErrorInvalidValue");
  CHECK(std::string(cudaGetErrorString(cudaErrorInvalidMemcpyDirection)) == "invalid copy direction for memcpy");
  CHECK(std::string(cudaGetErrorName(static_cast<cudaError_t>(12345))) == "unrecognized error code");
}

TEST_CASE("a program that asks for reasons gets a line for every failure") {
  const std::string text = errors_of("WARPFIBER_VERBOSE=1", "mistakes");
  CHECK(lines_of(text) == 7);
  CHECK_THAT(text, ContainsSubstring(
                       "cudaMalloc: cudaErrorMemoryAllocation: 1,024 GiB were requested, but device 0 (H200) has "));
  CHECK_THAT(text,
             ContainsSubstring("cudaMemcpy: cudaErrorInvalidValue: for cudaMemcpyHostToDevice the destination must "
                               "be in device memory, but is in pageable host memory"));
  CHECK_THAT(text, ContainsSubstring("cudaMemcpy: cudaErrorInvalidValue: the destination exceeds its allocation of 100 "
                                     "bytes by 1 byte"));
  CHECK_THAT(text, ContainsSubstring("cudaFree: cudaErrorInvalidValue: the address is 4 bytes into an allocation"));
  CHECK_THAT(text, ContainsSubstring("cudaFree: cudaErrorInvalidValue: the address is in device memory that was "
                                     "freed"));
  CHECK_THAT(text, ContainsSubstring("cudaSetDevice: cudaErrorInvalidDevice: there is no device 3; the program has 1 "
                                     "device (WARPFIBER_DEVICES)"));
  CHECK_THAT(text, ContainsSubstring("cudaFreeArray: cudaErrorInvalidResourceHandle"));
}

TEST_CASE("a null pointer and unknown flags are named") {
  CHECK(errors_of("WARPFIBER_VERBOSE=1", "nulls") ==
        "warpfiber: cudaStreamCreate: cudaErrorInvalidValue: the pointer to the new stream is null\n"
        "warpfiber: cudaStreamCreateWithFlags: cudaErrorInvalidValue: invalid stream flags\n"
        "warpfiber: cudaEventCreate: cudaErrorInvalidValue: the pointer to the new event is null\n"
        "warpfiber: cudaEventCreateWithFlags: cudaErrorInvalidValue: invalid event flags\n"
        "warpfiber: cudaEventElapsedTime: cudaErrorInvalidValue: the pointer to the result is null\n"
        "warpfiber: cudaLaunchHostFunc: cudaErrorInvalidValue: the function to call is null\n"
        "warpfiber: cudaStreamAddCallback: cudaErrorInvalidValue: the function to call is null\n");
}

TEST_CASE("a program that never asks is told the first reason at its end") {
  const std::string text = errors_of("", "mistakes");
  CHECK(lines_of(text) == 1);
  CHECK_THAT(text, ContainsSubstring("cudaMalloc: cudaErrorMemoryAllocation"));
  CHECK_THAT(text, ContainsSubstring("(the program did not check for errors)"));
}

TEST_CASE("a program that never asks is told how to put it right, where that is known") {
  const std::string text = errors_of("", "direction");
  CHECK(lines_of(text) == 2);
  CHECK_THAT(text, ContainsSubstring("warpfiber: fix: ") && ContainsSubstring("cudaMemcpyHostToHost"));
}

TEST_CASE("a program that asks is told nothing more") {
  CHECK(errors_of("", "asking") == "out of memory\n");
  CHECK(errors_of("", "fine").empty());
}

TEST_CASE("what hardware lets pass is remarked on where reasons are asked for, and nowhere else") {
  CHECK(errors_of("", "oddities") == "0 0 0\n");
  const std::string text = errors_of("WARPFIBER_VERBOSE=1", "oddities");
  CHECK(lines_of(text) == 4);
  CHECK_THAT(text, ContainsSubstring("cudaMemcpy: for cudaMemcpyHostToHost the source must be in host memory, but is "
                                     "in device memory; the copy is done"));
  CHECK_THAT(text,
             ContainsSubstring("cudaCreateSurfaceObject: the array was not created with cudaArraySurfaceLoadStore"));
  CHECK_THAT(text, ContainsSubstring("cudaCreateTextureObject: the texture has 128 bytes, its memory 64 bytes"));
}

TEST_CASE("a function that is not modelled says so once") {
  const std::string text = errors_of("", "unmodelled");
  CHECK(text == "warpfiber: cudaGraphCreate is not modelled: cudaErrorNotSupported\n801 801\n");
}

TEST_CASE("devices are peers of each other") {
  CHECK(errors_of("WARPFIBER_DEVICES=2", "peers") == "2 1 0 704 0 705\n");
}

TEST_CASE("a program sees the devices of CUDA_VISIBLE_DEVICES in its order") {
  CHECK(errors_of("WARPFIBER_DEVICES=3", "devices") ==
        "3: 0000:01:00.0 0 0 1 0000:02:00.0 1 1 1 0000:03:00.0 2 2 1 0 101\n");
  CHECK(errors_of("WARPFIBER_DEVICES=3 CUDA_VISIBLE_DEVICES=1,0", "devices") ==
        "2: 0000:02:00.0 1 0 1 0000:01:00.0 0 1 1 101 101\n");
  CHECK(errors_of("WARPFIBER_DEVICES=3 CUDA_VISIBLE_DEVICES=GPU-77617270-6669-6265-7200-000000000002,0", "devices") ==
        "1: 0000:03:00.0 2 0 1 0 101\n");
}

TEST_CASE("a device that is not visible is refused with the list and the machine's number") {
  CHECK_THAT(errors_of("WARPFIBER_VERBOSE=1 WARPFIBER_DEVICES=4 CUDA_VISIBLE_DEVICES=2,1", "devices"),
             ContainsSubstring("cudaSetDevice: cudaErrorInvalidDevice: there is no device 2; of "
                               "CUDA_VISIBLE_DEVICES=\"2,1\" the program has 2 devices, and the machine has 4 devices "
                               "(WARPFIBER_DEVICES)"));
}

TEST_CASE("without a visible device every call that needs one fails as on a machine without") {
  const std::string answers = "100 1: -7 -7, versions 0 0, driver 100 3\n";
  CHECK_THAT(errors_of("CUDA_VISIBLE_DEVICES=", "no_device"), ContainsSubstring(answers));
  CHECK_THAT(errors_of("CUDA_VISIBLE_DEVICES=1", "no_device"), ContainsSubstring(answers));
  CHECK_THAT(errors_of("WARPFIBER_DEVICES=2 CUDA_VISIBLE_DEVICES=1,1", "no_device"),
             ContainsSubstring("101 1: -7 -7, versions 0 0, driver 101 3\n"));
}

TEST_CASE("who starts a program with a list of other devices reads why, once, also where the program asks for errors") {
  const std::string said =
      "warpfiber: cudaMalloc: cudaErrorNoDevice: CUDA_VISIBLE_DEVICES=\"3\" leaves no device visible; the machine has "
      "2 "
      "devices (WARPFIBER_DEVICES)\n"
      "warpfiber: fix: unset CUDA_VISIBLE_DEVICES, or set WARPFIBER_DEVICES to more than the numbers that it lists\n";
  CHECK(errors_of("WARPFIBER_DEVICES=2 CUDA_VISIBLE_DEVICES=3", "fine") == said);
  CHECK(errors_of("WARPFIBER_DEVICES=2 CUDA_VISIBLE_DEVICES=3", "asking") ==
        said + "no CUDA-capable device is detected\n");
  CHECK_THAT(errors_of("WARPFIBER_DEVICES=2 CUDA_VISIBLE_DEVICES=1,1", "asking"),
             ContainsSubstring("warpfiber: cudaMalloc: cudaErrorInvalidDevice: CUDA_VISIBLE_DEVICES=\"1,1\" names a "
                               "device twice, which leaves none visible\n"
                               "warpfiber: fix: name each device once in CUDA_VISIBLE_DEVICES\n"));
}

TEST_CASE("lists that hide all devices on purpose are an error like others") {
  const std::string list = GENERATE(values<std::string>({"", "-1"}));
  CHECK(errors_of("CUDA_VISIBLE_DEVICES=" + list, "asking") == "no CUDA-capable device is detected\n");
  CHECK_THAT(errors_of("CUDA_VISIBLE_DEVICES=" + list, "fine"),
             ContainsSubstring("warpfiber: cudaMalloc: cudaErrorNoDevice: CUDA_VISIBLE_DEVICES=\"" + list +
                               "\" leaves no device visible") &&
                 ContainsSubstring("(the program did not check for errors)"));
}

TEST_CASE("a static object that frees memory when the process ends makes no line") {
  CHECK(errors_of("", "leaving") == "4\n");
  CHECK(errors_of("", "leaving_with_local") == "0\n");
  CHECK(errors_of("", "leaving_after_work") == "4\n");
}

TEST_CASE("managed memory may be more than the device has") {
  CHECK(errors_of("WARPFIBER_DEVICE=teaching", "oversubscription") == "0 2\n");
}

TEST_CASE("graph functions in C++'s and in older forms answer as those in C") {
  static const int symbol = 0;
  cudaGraphNode_t node = nullptr;
  cudaGraphExecUpdateResult result{};
  int value = 0;
  constexpr cudaMemcpyKind kTo = cudaMemcpyHostToDevice;
  constexpr cudaMemcpyKind kFrom = cudaMemcpyDeviceToHost;
  const cudaError_t answers[] = {
      cudaGraphExecUpdate(nullptr, nullptr, &node, &result),
      cudaGraphExecUpdate(nullptr, nullptr, nullptr, nullptr),
      cudaGraphAddMemcpyNodeToSymbol(&node, nullptr, nullptr, 0, symbol, &value, sizeof value, 0, kTo),
      cudaGraphAddMemcpyNodeFromSymbol(&node, nullptr, nullptr, 0, &value, symbol, sizeof value, 0, kFrom),
      cudaGraphMemcpyNodeSetParamsToSymbol(nullptr, symbol, &value, sizeof value, 0, kTo),
      cudaGraphMemcpyNodeSetParamsFromSymbol(nullptr, &value, symbol, sizeof value, 0, kFrom),
      cudaGraphExecMemcpyNodeSetParamsToSymbol(nullptr, nullptr, symbol, &value, sizeof value, 0, kTo),
      cudaGraphExecMemcpyNodeSetParamsFromSymbol(nullptr, nullptr, &value, symbol, sizeof value, 0, kFrom),
  };
  for (const cudaError_t answer : answers) CHECK(answer == cudaErrorNotSupported);
}

// SPDX-License-Identifier: Apache-2.0
// What the environment says about every launch of a process. Each case resets the runtime, which then reads the
// variables that the case has set.
#include <cuda_runtime.h>
#include <warpfiber/warpfiber.hpp>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/process_state.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber;
using test::KeptErrors;
using test::OnlyVariables;

namespace {

/// A launch, and what it has left.
struct SessionRun {
  std::string output;
  std::string complaints;  // on standard error
};

std::string text_of(const LaunchResult& result) {
  return std::string(error_name(result.error())) + " " + result.finding() + "\n" + result.message();
}

/// The order in which threads come first and after a barrier.
std::string run_order() {
  std::vector<unsigned> order;
  std::string text = text_of(launch({.grid = 2, .block = 40, .workers = 1}, [&order] {
    order.push_back(blockIdx.x * 100 + threadIdx.x);
    __syncthreads();
    order.push_back(1000 + blockIdx.x * 100 + threadIdx.x);
  }));
  for (const unsigned event : order) text += std::to_string(event) + " ";
  return text;
}

std::string run_active_lanes() {
  unsigned mask = 0;
  const std::string text = text_of(launch({.block = 32}, [&mask] {
    const unsigned together = __activemask();
    if (threadIdx.x == 31) mask = together;
  }));
  std::array<char, 16> digits;
  std::snprintf(digits.data(), digits.size(), "%08x", mask);
  return text + digits.data();
}

std::string run_trap() {
  return text_of(launch({.grid = 3, .block = 64}, [] {
    if (threadIdx.x == 9 && blockIdx.x == 1) __trap();
  }));
}

std::string run_large_frame() {
  return text_of(launch({.block = 32}, [] {
    volatile char scratch[200'000];
    for (unsigned i = 0; i < sizeof scratch; i += 512) scratch[i] = 1;
    __syncthreads();
  }));
}

std::string run_endless() {
  volatile unsigned value = 1;
  return text_of(launch({}, [&value] {
    for (unsigned i = 0; value != 0; ++i) value = 2 * i + 1;
  }));
}

SessionRun run_with(const std::string& variables, std::string (*run)()) {
  const KeptErrors errors;
  const OnlyVariables only(variables);
  std::string output = run();
  return {std::move(output), errors.text()};
}

std::string output(const std::string& variables, std::string (*run)()) {
  return run_with(variables, run).output;
}

std::string complaints(const std::string& variables, std::string (*run)()) {
  return run_with(variables, run).complaints;
}

}  // namespace

TEST_CASE("without variables a launch runs in order on an H200, and its report goes to standard error") {
  CHECK_THAT(output("", run_order), ContainsSubstring("cudaSuccess") && ContainsSubstring("\n0 1 2 3 4 5 6"));
  CHECK_THAT(output("", run_active_lanes), ContainsSubstring("ffffffff"));
  CHECK_THAT(output("", run_trap),
             ContainsSubstring("cudaErrorLaunchFailure trap") && ContainsSubstring("on H200 (model)"));
  CHECK_THAT(complaints("", run_trap), ContainsSubstring("\ntrap  lambda<<<(3,1,1), (64,1,1)>>>, on H200 (model)\n"));
  CHECK_THAT(output("", run_large_frame), ContainsSubstring("stack-overflow"));
}

TEST_CASE("variables choose device, policy, seed, convergence and stack size") {
  CHECK_THAT(output("WARPFIBER_DEVICE=teaching", run_trap), ContainsSubstring("on teaching (model)"));
  CHECK_THAT(output("WARPFIBER_DEVICE=a100", run_trap), ContainsSubstring("on A100 (model)"));
  CHECK_THAT(output("WARPFIBER_STACK=200000", run_large_frame), ContainsSubstring("cudaSuccess"));
  CHECK_THAT(output("WARPFIBER_CONVERGENCE=none", run_active_lanes), ContainsSubstring("80000000"));
  const std::string in_order = output("", run_order);
  const std::string one = output("WARPFIBER_POLICY=random WARPFIBER_SEED=1", run_order);
  CHECK(one != in_order);
  CHECK(one == output("WARPFIBER_POLICY=random WARPFIBER_SEED=0x1", run_order));
  CHECK(one != output("WARPFIBER_POLICY=random WARPFIBER_SEED=2", run_order));
  CHECK(one != output("WARPFIBER_POLICY=pct:3 WARPFIBER_SEED=1", run_order));
}

TEST_CASE("the report says how to get it again") {
  const std::string report = output("WARPFIBER_POLICY=random WARPFIBER_SEED=0x5d1 WARPFIBER_WORKERS=1", run_trap);
  CHECK_THAT(report, ContainsSubstring("again  WARPFIBER_SEED=0x5d1 WARPFIBER_POLICY=random"));
  CHECK_THAT(report, ContainsSubstring("/unit_runtime"));
}

TEST_CASE("a quiet session prints no reports, a coloured one prints them in colours") {
  CHECK(complaints("WARPFIBER_QUIET=1", run_trap).empty());
  CHECK_THAT(output("WARPFIBER_QUIET=1", run_trap), ContainsSubstring("trap  lambda"));
  CHECK_THAT(complaints("WARPFIBER_COLOUR=1", run_trap), ContainsSubstring("\033["));
  CHECK_THAT(output("WARPFIBER_COLOUR=1", run_trap), !ContainsSubstring("\033["));
  CHECK_THAT(complaints("", run_trap), !ContainsSubstring("\033["));
}

TEST_CASE("a variable that makes no sense is named, with what would") {
  struct Case {
    const char* variable;
    const char* wanted;
  };
  const Case wrong = GENERATE(values<Case>({
      {"WARPFIBER_DEVICE=H300", "H200"},
      {"WARPFIBER_WORKERS=0", "a number from 1 to 1024"},
      {"WARPFIBER_WORKERS=many", "a number from 1 to 1024"},
      {"WARPFIBER_STACK=4096", "a number from 8192"},
      {"WARPFIBER_SEED=lucky", "lucky"},
      {"WARPFIBER_POLICY=sideways", "in-order"},
      {"WARPFIBER_CONVERGENCE=half", "full, random, random-masks or none"},
      {"WARPFIBER_WATCHDOG=-1", "a number from 0"},
  }));
  CAPTURE(wrong.variable);
  const std::string text = complaints(wrong.variable, run_order);
  CHECK_THAT(text, ContainsSubstring(std::string("warpfiber: ") + wrong.variable));
  CHECK_THAT(text, ContainsSubstring(wrong.wanted));
}

TEST_CASE("the watchdog ends a thread that computes for ever") {
  const std::string report = output("WARPFIBER_WATCHDOG=1", run_endless);
  CHECK_THAT(report, ContainsSubstring("cudaErrorLaunchTimeout livelock"));
  CHECK_THAT(report, ContainsSubstring("session_test.cpp:"));
}

TEST_CASE("a reset leaves nothing of what was before it") {
  const KeptErrors errors;
  const OnlyVariables two("WARPFIBER_DEVICES=2 WARPFIBER_DEVICE=a100");
  void* memory = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  CHECK(cudaSetDevice(1) == cudaSuccess);
  REQUIRE(cudaMalloc(&memory, 100) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  CHECK(cudaMemsetAsync(memory, 1, 100, stream) == cudaSuccess);
  CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice);
  {
    const OnlyVariables none("");
    int number = -1;
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaGetDevice(&number) == cudaSuccess);
    CHECK(number == 0);
    CHECK(cudaGetDeviceCount(&number) == cudaSuccess);
    CHECK(number == 1);
    CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventDestroy(event) == cudaErrorInvalidResourceHandle);
    CHECK(cudaFree(memory) == cudaErrorInvalidValue);
    CHECK(cudaMalloc(&memory, 100) == cudaSuccess);
    CHECK(cudaMemset(memory, 1, 100) == cudaSuccess);
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    CHECK(cudaMemsetAsync(memory, 2, 100, stream) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
}

TEST_CASE("what was reported before a reset is reported again after it") {
  CHECK_THAT(complaints("", run_trap), ContainsSubstring("\ntrap  lambda"));
  CHECK_THAT(complaints("", run_trap), ContainsSubstring("\ntrap  lambda"));
}

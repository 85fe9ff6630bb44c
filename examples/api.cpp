// SPDX-License-Identifier: Apache-2.0
//
// The native interface: launches, errors, buffers, shared memory, devices, occupancy and repeatable runs (docs/api.md).
#include <warpfiber/determinism.hpp>
#include <warpfiber/warpfiber.hpp>

#include <cstdio>
#include <vector>

__global__ void scale(float* values, float factor, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}

__global__ void reverse(int* values) {
  int* tile = warpfiber::dynamic_shared<int>();
  tile[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void wait_for_ever(unsigned* flag) {
  while (atomicAdd(flag, 0u) == 0) {
  }
}

void launch_and_copy() {
  const std::vector<float> values(1000, 2.5f);
  warpfiber::Buffer<float> buffer(values);  // allocates and copies to the device
  const auto result = warpfiber::launch<scale>({.grid = 4, .block = 256}, buffer.data(), 2.0f, 1000u);
  std::printf("scale: %s, the last value is %g\n", warpfiber::error_name(result.error()), buffer.download().back());
}

void use_shared_memory() {
  warpfiber::Buffer<int> buffer(std::vector<int>{1, 2, 3, 4});
  const auto result = warpfiber::launch({.block = 4, .dynamic_shared = 4 * sizeof(int)}, reverse, buffer.data());
  std::printf("reverse: first %d, %llu barrier\n", buffer.download()[0],
              static_cast<unsigned long long>(result.barriers()));
}

void handle_errors() {
  warpfiber::Buffer<unsigned> flag(1);
  flag.fill(0);
  const auto refused = warpfiber::launch({.block = 2048}, wait_for_ever, flag.data());
  std::printf("refused: %s\n%s\n", warpfiber::error_name(refused.error()), refused.message());
  const auto hung = warpfiber::launch({}, wait_for_ever, flag.data());
  std::printf("hung: %s, finding %s\n", warpfiber::error_name(hung.error()), hung.finding());
  const warpfiber::Error last = warpfiber::last_error();  // asking forgets it
  std::printf("last error: %s, then %s\n", warpfiber::error_name(last), warpfiber::error_name(warpfiber::last_error()));
}

void choose_a_device() {
  const warpfiber::DeviceModel* teaching = warpfiber::find_device("teaching");
  const warpfiber::Occupancy fit = warpfiber::occupancy(*teaching, {}, 64, 0);
  std::printf("teaching: %u blocks of 64 threads an SM, limited by %s\n", fit.blocks_per_sm,
              warpfiber::limit_name(fit.limit));
  warpfiber::Buffer<float> buffer(std::vector<float>(64, 1.0f));
  const auto result = warpfiber::launch({.block = 64, .device = teaching}, scale, buffer.data(), 3.0f, 64u);
  std::printf("on teaching: %s\n", warpfiber::error_string(result.error()));
}

void compare_two_runs() {
  const auto check = warpfiber::check_determinism([] {
    warpfiber::Buffer<int> buffer(std::vector<int>{1, 2, 3, 4});
    warpfiber::launch({.block = 4, .dynamic_shared = 16, .policy = "random", .seed = 7}, reverse, buffer.data());
    return buffer.download();
  });
  std::printf("two runs: %s\n", check.same ? "the same" : check.difference.c_str());
}

int main() {
  launch_and_copy();
  use_shared_memory();
  handle_errors();
  choose_a_device();
  compare_two_runs();
}

// SPDX-License-Identifier: Apache-2.0
// Waits of every kind in one kernel, and a hang, which is explained and survived. Built with AddressSanitizer as well,
// of which the library that it links knows nothing.
#include <warpfiber/warpfiber.hpp>

#include <cstdio>

namespace {

__global__ void wait_in_every_way(int* flags, int* out) {
  WARPFIBER_SHARED(int[64], seen);
  if (threadIdx.x == 0) {
    while (atomicAdd(flags + blockIdx.x, 0) == 0) {
    }
  }
  if (threadIdx.x == 40) atomicExch(flags + blockIdx.x, 1);
  seen[threadIdx.x] = __shfl_xor_sync(0xffffffff, static_cast<int>(threadIdx.x), 1);
  const int odd = __syncthreads_count(threadIdx.x % 2);
  out[blockIdx.x * blockDim.x + threadIdx.x] = seen[63 - threadIdx.x] + odd;
}

__global__ void lock_in_two_orders(int* locks, int* arrived) {
  int* const mine = locks + blockIdx.x;
  atomicExch(mine, 1);
  atomicAdd(arrived, 1);
  while (atomicAdd(arrived, 0) < 2) {
  }
  while (atomicCAS(locks + (1 - blockIdx.x), 0, 1) != 0) {
  }
  atomicExch(mine, 0);
}

bool waits(const char* policy) {
  warpfiber::Buffer<int> flags(4), out(4 * 64);
  flags.fill(0);
  warpfiber::LaunchConfig config{.grid = 4, .block = 64};
  config.policy = policy;
  if (!warpfiber::launch(config, wait_in_every_way, flags.data(), out.data()).ok()) return false;
  const auto all = out.download();
  for (int i = 0; i < 4 * 64; ++i) {
    if (all[static_cast<unsigned>(i)] != ((63 - i % 64) ^ 1) + 32) return false;
  }
  return true;
}

}  // namespace

int main() {
  warpfiber::Buffer<int> locks(2), arrived(1);
  locks.fill(0);
  arrived.fill(0);
  const auto hang = warpfiber::launch({.grid = 2, .block = 1}, lock_in_two_orders, locks.data(), arrived.data());
  const bool passed = waits("in-order") && waits("random") && hang.error() == warpfiber::Error::launch_timeout &&
                      waits("in-order") && waits("pct");
  std::puts(passed ? "PASS" : "FAIL");
  return passed ? 0 : 1;
}

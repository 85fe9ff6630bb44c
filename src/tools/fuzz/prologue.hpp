// SPDX-License-Identifier: Apache-2.0
//
// The text that printed programs begin and end with. It means the same as the headers in kernel/, in as few words as
// the program's own lines need.
#pragma once

namespace warpfiber::tools::fuzz {

constexpr const char* kPrologue = R"cuda(#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;
using u64 = unsigned long long;
#define BOTH __host__ __device__ inline

BOTH u64 scramble(u64 x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
BOTH u64 mix(u64 a, u64 b) { return scramble(a * 0xd1342543de82ef95ull + b); }

// A thread's registers, and a hash of all that it has seen.
struct Thread {
  u64 r[4];
  u64 hash;
  __device__ void see(unsigned node, u64 value) { hash = mix(hash + node, value); }
  __device__ void put(unsigned node, unsigned to, u64 value) {
    see(node, value);
    r[to] = mix(r[to], value);
  }
};

// Values of a type from the bits of a register, and back.
template <class T>
__device__ T as(u64 bits);
template <>
__device__ inline int as<int>(u64 bits) { return int(bits & 0x1fffff) - (1 << 20); }
template <>
__device__ inline unsigned as<unsigned>(u64 bits) { return unsigned(bits); }
template <>
__device__ inline long long as<long long>(u64 bits) { return (long long)(bits >> 13) - (1ll << 50); }
template <>
__device__ inline u64 as<u64>(u64 bits) { return bits; }
template <>
__device__ inline float as<float>(u64 bits) {
  const unsigned exponent = unsigned(127 - 12 + (bits >> 40) % 25);
  return __uint_as_float(unsigned(bits >> 63) << 31 | exponent << 23 | (unsigned(bits) & 0x7fffffu));
}
template <>
__device__ inline double as<double>(u64 bits) {
  const u64 exponent = 1023 - 25 + (bits >> 52) % 51;
  return __longlong_as_double((long long)((bits >> 63) << 63 | exponent << 52 | (bits & 0xfffffffffffffull)));
}
__device__ inline u64 bits(int value) { return unsigned(value); }
__device__ inline u64 bits(unsigned value) { return value; }
__device__ inline u64 bits(long long value) { return u64(value); }
__device__ inline u64 bits(u64 value) { return value; }
__device__ inline u64 bits(float value) { return __float_as_uint(value); }
__device__ inline u64 bits(double value) { return u64(__double_as_longlong(value)); }

// Size, place and members of tiles, coalesced groups and lanes that a mask names.
__device__ inline unsigned lane() {
  return unsigned(cg::this_thread_block().thread_rank()) % 32;
}
__device__ inline unsigned nth(unsigned mask, unsigned n) {
  for (; n != 0; --n) mask &= mask - 1;
  return unsigned(__ffs(int(mask))) - 1;
}
template <class Group>
__device__ unsigned size(const Group& group) { return unsigned(group.size()); }
__device__ inline unsigned size(unsigned mask) { return unsigned(__popc(mask)); }
__device__ inline u64 told(u64 size, u64 rank, unsigned meta_size, unsigned meta_rank) {
  return size << 48 | rank << 32 | meta_size << 16 | meta_rank;
}
template <class Group>
__device__ u64 place(const Group& group) {
  return told(group.size(), group.thread_rank(), unsigned(group.meta_group_size()), unsigned(group.meta_group_rank()));
}
__device__ inline u64 place(const cg::thread_group& group) { return told(group.size(), group.thread_rank(), 0, 0); }
__device__ inline u64 place(unsigned mask) { return told(size(mask), __popc(mask & ((1u << lane()) - 1)), 0, 0); }
template <class Group>
__device__ unsigned member(const Group& group, unsigned rank) {
  return unsigned(cg::this_thread_block().thread_rank() - group.thread_rank()) + rank;
}
__device__ inline unsigned member(const cg::coalesced_group& group, unsigned rank) {
  return group.shfl(unsigned(cg::this_thread_block().thread_rank()), int(rank));
}
__device__ inline unsigned member(unsigned mask, unsigned rank) {
  return unsigned(cg::this_thread_block().thread_rank()) - lane() + nth(mask, rank);
}
template <class Group>
__device__ void meet_in_halves(const Group& group) {
  auto arrival = group.barrier_arrive();
  group.barrier_wait(std::move(arrival));
}

// The next operand from `operand` on by which a shuffle (0 index, 1 up, 2 down, 3 xor) finds a lane of the mask.
__device__ inline unsigned source(int how, unsigned operand, unsigned width) {
  const unsigned first = lane() & ~(width - 1);
  if (how == 0) return first + (operand & (width - 1));
  if (how == 1) return lane() - first >= operand ? lane() - operand : lane();
  const unsigned source = how == 2 ? lane() + operand : lane() ^ operand;
  return source < first + width ? source : lane();
}
__device__ inline unsigned permitted(int how, unsigned mask, unsigned operand, unsigned width) {
  while ((mask >> source(how, operand, width) & 1) == 0) operand = (operand + 1) % width;
  return operand;
}

template <class T>
__device__ void add_by_swaps(T* to, T value) {
  T seen = *static_cast<volatile T*>(to);
  for (T before = seen + 1; before != seen;) {
    before = seen;
    seen = atomicCAS(to, before, T(before + value));
  }
}

)cuda";

/// Behind the kernel; %EXPECTED%, %GRID%, %BLOCK%, %CLUSTER%, %COOPERATIVE% and %THREADS% are filled in.
constexpr const char* kEpilogue = R"cuda(
void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
  exit(2);
}

int main() {
  u64 *hashes, *posts;
  unsigned* words;
  check(cudaMalloc(&hashes, %THREADS% * sizeof *hashes), "cudaMalloc");
  check(cudaMalloc(&posts, %THREADS% * sizeof *posts), "cudaMalloc");
  check(cudaMalloc(&words, %THREADS% * sizeof *words), "cudaMalloc");
  cudaLaunchAttribute attributes[2];
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = %CLUSTER%;
  attributes[0].val.clusterDim.y = attributes[0].val.clusterDim.z = 1;
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = %COOPERATIVE%;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(%GRID%);
  config.blockDim = dim3(%BLOCK%);
  config.attrs = attributes;
  config.numAttrs = 2;
  check(cudaLaunchKernelEx(&config, program, hashes, posts, words), "cudaLaunchKernelEx");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  std::vector<u64> all(%THREADS%);
  check(cudaMemcpy(all.data(), hashes, all.size() * sizeof all[0], cudaMemcpyDeviceToHost), "cudaMemcpy");
  u64 digest = 0;
  for (const u64 hash : all) digest = mix(digest, hash);
  printf("digest: %016llx\n", digest);
  return digest != 0x%EXPECTED%ull;
}
)cuda";

}  // namespace warpfiber::tools::fuzz

// SPDX-License-Identifier: Apache-2.0
//
// Conformance: 16,384 threads at once use atomics on the same words, in global memory and in the shared memory of every
// block; one block passes a message to seven others. Prints totals, which are the same in every order: those in global
// memory, a hash over those of all blocks, and those of the first block.
#include <cstring>
#include <vector>

#include "atomic_text.hpp"

constexpr unsigned kBlocks = 64;
constexpr unsigned kThreads = 256;

struct Totals {
  int add_i, sub_i, min_i, max_i, and_i, or_i, xor_i;
  unsigned add_u, inc_u, dec_u;
  u64 add_ull, max_ull, olds_ull, exch_sum, exch_cell, or_ull;
  i64 min_ll;
  float add_f;
  double add_d;
  alignas(8) float2 add_f2;
  alignas(16) float4 add_f4;
  unsigned short halves[4];
  alignas(16) Pair pair;
  int mutex, locked;
  double nv_add_d;
  unsigned nv_sub_u;
};

__device__ inline void contend_32(Totals* to, unsigned n) {
  const int number = static_cast<int>(n);
  atomicAdd(&to->add_i, number - 5000);
  atomicSub(&to->sub_i, number);
  atomicMin(&to->min_i, 3 - number);
  atomicMax(&to->max_i, number ^ 0x155);
  atomicAnd(&to->and_i, ~(1 << n % 20));
  atomicOr(&to->or_i, 1 << n % 29);
  atomicXor(&to->xor_i, static_cast<int>(n * 2654435761U));
  atomicInc(&to->inc_u, 12U);
  atomicDec(&to->dec_u, 12U);
  atomicAdd(&to->add_f, static_cast<float>(n % 7));
  __nv_atomic_fetch_sub(&to->nv_sub_u, n, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
}

__device__ inline void contend_64(Totals* to, unsigned n) {
  const u64 old = atomicAdd(&to->add_u, 1U);
  atomicAdd(&to->olds_ull, old * old);
  atomicAdd(&to->add_ull, (1ULL << 40) + n);
  atomicMax(&to->max_ull, (static_cast<u64>(n) << 33) + 1);
  atomicMin(&to->min_ll, -(static_cast<i64>(n) << 33));
  atomicOr(&to->or_ull, 1ULL << n % 61);
  atomicAdd(&to->exch_sum, atomicExch(&to->exch_cell, static_cast<u64>(n) + 1));
  atomicAdd(&to->add_d, 0.25 * n);
  __nv_atomic_add(&to->nv_add_d, 0.5, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

__device__ inline void contend_vectors(Totals* to, unsigned n) {
  const float third = static_cast<float>(n % 3);
  atomicAdd(&to->add_f2, make_float2(1, third));
  atomicAdd(&to->add_f4, make_float4(1, 2, third, -1));
}

/// Counts by compare-and-swap in 16 bits.
__device__ inline void count_halves(Totals* to, unsigned n) {
  unsigned short* half = &to->halves[n % 4];
  unsigned short expected = 0;
  for (unsigned short seen = atomicCAS(half, expected, static_cast<unsigned short>(1)); seen != expected;) {
    expected = seen;
    seen = atomicCAS(half, expected, static_cast<unsigned short>(expected + 1));
  }
}

__device__ inline bool same(const Pair& a, const Pair& b) {
  return a.low == b.low && a.high == b.high;
}

/// Counts up in one half of 128 bits and down in the other.
__device__ inline void count_pairs(Totals* to) {
  Pair want{0, 0};
  Pair seen = atomicCAS(&to->pair, want, want);
  do {
    want = seen;
    seen = atomicCAS(&to->pair, want, Pair{want.low + 1, want.high - 1});
  } while (!same(seen, want));
}

__device__ inline void count_locked(Totals* to) {
  while (atomicCAS(&to->mutex, 0, 1) != 0) {
  }
  __threadfence();
  volatile int* locked = &to->locked;
  *locked = *locked + 3;
  __threadfence();
  atomicExch(&to->mutex, 0);
}

__device__ inline void contend(Totals* to, unsigned n) {
  contend_32(to, n);
  contend_64(to, n);
  count_halves(to, n);
  if (n % 8 == 0) count_pairs(to);
  if (n % 32 == 0) count_locked(to);
}

__device__ inline void start(Totals* totals) {
  memset(totals, 0, sizeof *totals);
  totals->and_i = -1;
  totals->pair.high = ~0ULL;
}

__global__ void begin(Totals* totals) {
  start(&totals[threadIdx.x]);
}

__global__ void contend_global(Totals* totals) {
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  contend(totals, n);
  contend_vectors(totals, n);
}

/// Of CUDA's atomics only those on vectors cannot be used on shared memory.
__global__ void contend_shared(Totals* totals) {
  WARPFIBER_SHARED(Totals, mine);
  if (threadIdx.x == 0) start(&mine);
  __syncthreads();
  contend(&mine, blockIdx.x * blockDim.x + threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) totals[blockIdx.x] = mine;
}

constexpr unsigned kWords = 1000;

__global__ void pass_message(unsigned* flag, unsigned* data, unsigned* sum) {
  if (blockIdx.x == 0) {
    if (threadIdx.x != 0) return;
    for (unsigned i = 0; i < kWords; ++i) data[i] = i * i;
    __threadfence();
    atomicExch(flag, 1U);
    return;
  }
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0U) == 0) {
    }
  }
  __syncthreads();
  __threadfence();
  for (unsigned i = threadIdx.x; i < kWords; i += blockDim.x) {
    atomicAdd(sum, *const_cast<volatile unsigned*>(&data[i]));
  }
}

// ---- printing

std::string totals_text(const Totals& t) {
  return text("add %d %u %llx %a %a | f2 %a %a f4 %a %a %a %a\n", t.add_i, t.add_u, t.add_ull,
              static_cast<double>(t.add_f), t.add_d, static_cast<double>(t.add_f2.x), static_cast<double>(t.add_f2.y),
              static_cast<double>(t.add_f4.x), static_cast<double>(t.add_f4.y), static_cast<double>(t.add_f4.z),
              static_cast<double>(t.add_f4.w)) +
         text("sub %d min %d %llx max %d %llx and %x or %x %llx xor %x inc %u dec %u\n", t.sub_i, t.min_i, t.min_ll,
              t.max_i, t.max_ull, static_cast<unsigned>(t.and_i), static_cast<unsigned>(t.or_i), t.or_ull,
              static_cast<unsigned>(t.xor_i), t.inc_u, t.dec_u) +
         text("olds %llx exch %llx cas %u %u %u %u pair %llx %llx locked %d nv %a %u\n", t.olds_ull,
              t.exch_sum + t.exch_cell, unsigned{t.halves[0]}, unsigned{t.halves[1]}, unsigned{t.halves[2]},
              unsigned{t.halves[3]}, t.pair.low, t.pair.high, t.locked, t.nv_add_d, t.nv_sub_u);
}

void print_contention() {
  warpfiber::Buffer<Totals> totals(kBlocks);
  run(1, kBlocks, begin, totals.data());
  run(kBlocks, kThreads, contend_global, totals.data());
  std::printf("global\n%s", totals_text(totals.download()[0]).c_str());
  run(kBlocks, kThreads, contend_shared, totals.data());
  const std::vector<Totals> of_blocks = totals.download();
  std::string joined;
  for (const Totals& one : of_blocks) joined += totals_text(one);
  std::printf("shared %016llx\n%s", hash(joined), totals_text(of_blocks[0]).c_str());
}

void print_message() {
  warpfiber::Buffer<unsigned> words(kWords + 2);
  words.fill(0);
  run(8, 128, pass_message, words.data(), words.data() + 2, words.data() + 1);
  std::printf("message %u\n", words.download()[1]);
}

int main() {
  print_contention();
  print_message();
  return 0;
}

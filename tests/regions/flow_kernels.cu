// SPDX-License-Identifier: Apache-2.0
// Barriers wherever a program may have them: in functions, loops, branches and switches, behind early returns; and the
// values that live across them: arrays and structures of a thread, variables of the device, constants, numbers of all types.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#include <cassert>
#include <cmath>

#include "results.h"

__constant__ unsigned primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
struct Limits {
  unsigned most;
  unsigned by_turns[4];
};
__constant__ Limits limits = {5, {3, 1, 4, 2}};
template <class T>
__constant__ T limit = 9;
__device__ unsigned visible_total = 5;
static __device__ unsigned hidden_total = 7;
static __device__ unsigned hidden_table[4] = {1, 10, 100, 1000};

__device__ unsigned own_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ unsigned from_neighbour(unsigned* values, unsigned value) {
  values[threadIdx.x] = value;
  __syncthreads();
  const unsigned got = values[(threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  return got;
}

__global__ void early_return(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[256];
  const unsigned i = own_index();
  if (threadIdx.x >= 200 || in[i] % 5 == 0) return;
  values[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = values[threadIdx.x] + 1;
  if (threadIdx.x >= 100) return;
  __syncthreads();
  out[i] += values[threadIdx.x] >> 4;
}

// Threads leave the loop one half after the other, and no barrier waits for them.
__global__ void leaving_by_halves(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[128];
  const unsigned t = threadIdx.x;
  values[t] = in[own_index()];
  __syncthreads();
  for (unsigned left = blockDim.x / 2; left > 0; left /= 2) {
    if (t >= left) {
      out[own_index()] = values[t] ^ left;
      return;
    }
    values[t] += values[t + left];
    __syncthreads();
  }
  out[own_index()] = values[t];
}

__global__ void function_twice(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[256];
  unsigned value = from_neighbour(values, in[own_index()]);
  if (value & 1) value = value * 3 + 1;
  out[own_index()] = from_neighbour(values, value) - value;
}

__global__ void function_in_branches(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[256];
  unsigned value = in[own_index()];
  for (unsigned round = 0; round < 4; ++round)
    value = (in[round] & 1) != 0 ? from_neighbour(values, value + round) : from_neighbour(values, value * 5) ^ round;
  if (blockIdx.x % 2 == 0) value += from_neighbour(values, value);
  out[own_index()] = value;
}

__device__ unsigned summed_until(unsigned* values, unsigned limit, unsigned value) {
  unsigned sum = 0;
  for (unsigned i = 0;; ++i) {
    if (i == limit) return sum;
    const unsigned got = from_neighbour(values, value + i);
    sum += got;
    if (i > 3 && limit == 9) return sum ^ got;
  }
}

__global__ void function_with_returns(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  out[own_index()] = summed_until(values, in[blockIdx.x] % 11, own_index());
}

__global__ void private_array(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[96];
  unsigned mine[8];
  for (unsigned i = 0; i < 8; ++i) mine[i] = in[(own_index() + i * 31) % kWords];
  for (unsigned round = 0; round < 8; ++round) {
    values[threadIdx.x] = mine[(threadIdx.x + round) % 8];
    __syncthreads();
    mine[values[(threadIdx.x + 7) % blockDim.x] % 8] += values[(threadIdx.x * 5) % blockDim.x];
    __syncthreads();
  }
  unsigned sum = 0;
  for (unsigned i = 0; i < 8; ++i) sum = sum * 31 + mine[i];
  out[own_index()] = sum;
}

__global__ void large_private_array(const unsigned* in, unsigned* out) {
  unsigned mine[256];
  for (unsigned i = 0; i < 256; ++i) mine[i] = in[i] + threadIdx.x;
  __syncthreads();
  for (unsigned i = 0; i < 256; ++i) mine[mine[i] % 256] ^= i;
  __syncthreads();
  out[own_index()] = mine[threadIdx.x % 256];
}

__global__ void nested_loops(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  unsigned value = in[own_index()];
  for (unsigned outer = 0; outer < in[blockIdx.x] % 5 + 2; ++outer) {
    if (in[outer + 7] % 3 == 0) continue;
    for (unsigned inner = 0; inner < 6; ++inner) {
      value += from_neighbour(values, value ^ inner);
      if (in[inner + outer] % 4 == 1) break;
      if (inner == 2) continue;
      value = from_neighbour(values, value * 7 + outer);
    }
    if (in[outer + 20] % 7 == 0) break;
    unsigned steps = value % 9;
    while (steps != 0) {
      value = value & 1 ? 3 * value + 1 : value / 2;
      --steps;
    }
    __syncthreads();
  }
  out[own_index()] = value;
}

// All threads go round equally often, which no thread can tell from its own index.
__global__ void equal_trips(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[100];
  unsigned value = in[own_index()];
  for (unsigned i = threadIdx.x; i < threadIdx.x + 5; ++i) value = from_neighbour(values, value + i);
  for (unsigned i = threadIdx.x * 2; i < 200; i += blockDim.x * 2) value = value * 3 - from_neighbour(values, value);
  if (threadIdx.x < 1024) value ^= from_neighbour(values, value);
  out[own_index()] = value;
}

__global__ void switches(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  unsigned value = in[own_index()];
  for (unsigned round = 0; round < 8; ++round) {
    switch ((in[blockIdx.x] + round) % 5) {
      case 0: value = from_neighbour(values, value); [[fallthrough]];
      case 1: value += 17; break;
      case 2: __syncthreads(); break;
      case 3:
        if (value % 2 == 0) value /= 2;
        value ^= from_neighbour(values, value + 1);
        break;
      default: continue;
    }
    switch (value % 4) {
      case 0: value += 3; break;
      case 1: value *= 5; break;
      case 2: value = ~value; break;
    }
    __syncthreads();
  }
  out[own_index()] = value;
}

__global__ void votes_at_barriers(const unsigned* in, unsigned* out) {
  const unsigned value = in[own_index()];
  unsigned found = __syncthreads_count(value % 3 == 0);
  found = found * 4 + 2 * (__syncthreads_and(value != 0) != 0) + (__syncthreads_or(value % 1000 == 1) != 0);
  unsigned round = 0;
  while (__syncthreads_or((value >> round & 7) == 3)) ++round;
  if (threadIdx.x % 3 != 0) found += 1000;
  out[own_index()] = found + 100000 * round + __syncthreads_count(threadIdx.x < round);
}

struct Pair {
  unsigned low;
  float high;
};

struct Mixed {
  Pair pairs[2];
  unsigned char tag;
  double weight;
};

__device__ Mixed merged(Mixed a, const Mixed& b) {
  a.pairs[1].low += b.pairs[0].low;
  a.pairs[0].high = a.pairs[0].high * 0.5f + b.pairs[1].high;
  a.tag ^= b.tag;
  a.weight -= b.weight / 3;
  return a;
}

__global__ void structures(const unsigned* in, unsigned* out) {
  __shared__ Mixed shared_values[64];
  const unsigned t = threadIdx.x;
  const unsigned first = in[own_index()];
  Mixed mine{{{first, first * 0.25f}, {first >> 9, 2.0f}}, static_cast<unsigned char>(first), first * 1e-3};
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    shared_values[t] = mine;
    __syncthreads();
    mine = merged(mine, shared_values[t ^ distance]);
    __syncthreads();
  }
  out[own_index()] = mine.pairs[1].low ^ __float_as_uint(mine.pairs[0].high) ^ mine.tag << 20 ^
                     static_cast<unsigned>(__double_as_longlong(mine.weight) >> 13);
}

__global__ void variables(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  static const unsigned weights[4] = {9, 8, 7, 6};
  const unsigned t = threadIdx.x;
  values[t] = in[own_index()] * primes[t % 8] + weights[t / 16];
  __syncthreads();
  atomicAdd(&hidden_total, values[(t + 1) % 64] % 100);
  atomicAdd(&visible_total, values[(t + 2) % 64] % 100 + hidden_table[t % 4]);
  __syncthreads();
  if (t == 0 && gridDim.x == 1) out[64] = hidden_total + visible_total;
  out[own_index()] = values[63 - t];
}

// Bounds that are the same for all threads, which the compiler is to know, and bounds that are not.
__global__ void constant_bounds(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  const unsigned t = threadIdx.x;
  values[t] = in[own_index()];
  for (unsigned i = 0; i < limits.most; ++i) {
    __syncthreads();
    if (i < limits.by_turns[i % 4] && limits.by_turns[blockIdx.x % 4] != 2) __syncthreads();
    if (t < 32) values[t] += values[t + 32] * limit<unsigned>;
  }
  __syncthreads();
  out[own_index()] = values[t];
}

// No thread goes on where one fails.
__global__ void asserted(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  const unsigned t = threadIdx.x;
  values[t] = in[own_index()] / 2;
  for (unsigned i = 0; i < gridDim.x; ++i) {
    __syncthreads();
    assert(values[t] < 1u << 31);
    if (t < 32) values[t] = (values[t] + values[t + 32]) / 2;
  }
  __syncthreads();
  out[own_index()] = values[t];
}

__global__ void constants_by_thread(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  const unsigned t = threadIdx.x;
  values[t] = in[own_index()];
  for (unsigned i = 0; i < limits.by_turns[t / 16]; ++i) {
    values[t] ^= i * 3;
    __syncthreads();
  }
  out[own_index()] = values[t];
}

// Functions that are the library's own, and those that take a loop of it.
__global__ void library_functions(const unsigned* in, unsigned* out) {
  __shared__ double values[64];
  const unsigned t = threadIdx.x;
  const double x = (in[own_index()] >> 12) * (1.0 / (1 << 20));
  double sine, cosine;
  sincospi(x, &sine, &cosine);
  values[t] = normcdfinv(x) + norm3d(x, sine, cosine) + cyl_bessel_i0(x) + __dadd_ru(x, 1.0 / 3);
  __syncthreads();
  const double y = values[63 - t] + __fdiv_rz(static_cast<float>(x), 3.0f) + rcbrtf(3.5f);
  out[own_index()] = static_cast<unsigned>(__double_as_longlong(y) >> 7);
}

__global__ void narrow_sums(const unsigned* in, unsigned* out) {
  __shared__ __half2 halves;
  __shared__ __nv_bfloat16 number;
  const unsigned t = threadIdx.x;
  if (t == 0) {
    halves = __half2(1.0f, 2.0f);
    number = 0.0f;
  }
  __syncthreads();
  atomicAdd(&halves, __half2(in[own_index()] % 4, t % 2));
  if (t % 3 == 0) atomicAdd(&number, __nv_bfloat16(1.0f));
  __syncthreads();
  if (t == 0) out[blockIdx.x] = __half_as_ushort(halves.x) + (__half_as_ushort(halves.y) << 16);
  if (t == 1) out[100 + blockIdx.x] = __bfloat16_as_ushort(number);
}

// Asynchronous copies of a thread in two stages, and one of PTX.
__global__ void asynchronous_copies(const unsigned* in, unsigned* out) {
  __shared__ unsigned stages[2][64];
  __shared__ unsigned last[64];
  const unsigned t = threadIdx.x;
  const unsigned* from = in + own_index();
  __pipeline_memcpy_async(&stages[0][t], from, 4);
  __pipeline_commit();
  unsigned sum = 0;
  for (unsigned i = 1; i < 6; ++i) {
    __pipeline_memcpy_async(&stages[i % 2][t], from + i * 64, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum = sum * 3 + stages[(i - 1) % 2][63 - t];
    __syncthreads();
  }
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(&last[t]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from));
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  out[own_index()] = sum + last[63 - t];
}

__global__ void numbers(const unsigned* in, unsigned* out) {
  __shared__ float floats[64];
  __shared__ double doubles[64];
  __shared__ unsigned char bytes[64];
  __shared__ long long longs[64];
  const unsigned t = threadIdx.x;
  const unsigned bits = in[own_index()];
  floats[t] = (bits >> 8) * 1e-4f;
  doubles[t] = bits / 7.0;
  bytes[t] = static_cast<unsigned char>(bits >> 5);
  longs[t] = static_cast<long long>(bits) * bits - 12345678901ll;
  __syncthreads();
  const float a = floats[(t + 1) % 64];
  const float b = floats[(t + 2) % 64];
  const float x = a * b + floats[t];
  const float y = fmaf(a, b, -x) + sqrtf(a) / (1.0f + b) - sinf(b) * expf(-a * 1e-3f) + fminf(a, b) + fabsf(x - b);
  const double z = doubles[63 - t] * doubles[t] - sqrt(doubles[t]) + floor(doubles[t] * 1e-3) + pow(doubles[t], 0.25);
  const long long w = longs[t ^ 5] / (1 + bytes[t]) + longs[t] % 1001 + (longs[t ^ 1] >> 3);
  __syncthreads();
  floats[t] = y;
  longs[t] = w;
  bytes[t] += bytes[t] + static_cast<unsigned char>(w);
  __syncthreads();
  const unsigned others = bytes[t ^ 33] + static_cast<unsigned>(longs[t ^ 12] >> 7) + __popc(bits) + __clz(bits);
  out[own_index()] = __float_as_uint(floats[t ^ 7]) ^ static_cast<unsigned>(__double_as_longlong(z) >> 11) ^ others;
}

// More blocks' work than blocks, as in libraries: each block does whole chunks.
__global__ void chunks(const unsigned* in, unsigned* out) {
  extern __shared__ unsigned char raw[];
  unsigned* const sums = reinterpret_cast<unsigned*>(raw);
  unsigned short* const counts = reinterpret_cast<unsigned short*>(sums + blockDim.x);
  for (unsigned first = blockIdx.x * blockDim.x; first < kWords; first += gridDim.x * blockDim.x) {
    const unsigned i = first + threadIdx.x;
    sums[threadIdx.x] = i < kWords ? in[i] : 0;
    counts[threadIdx.x] = static_cast<unsigned short>(i);
    __syncthreads();
    const auto mixed = [&](unsigned at) { return sums[at % blockDim.x] + counts[(at + 3) % blockDim.x]; };
    if (i < kWords) out[i] = mixed(threadIdx.x * 7) ^ mixed(threadIdx.x + 1);
    __threadfence();
    __syncthreads();
  }
}

template <class Combine>
__device__ unsigned combined(unsigned* values, unsigned value, Combine combine) {
  const unsigned t = threadIdx.x;
  values[t] = value;
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    unsigned next = 0;
    if (t < d) next = combine(values[t], values[t + d]);
    __syncthreads();
    if (t < d) values[t] = next;
    __syncthreads();
  }
  const unsigned result = values[0];
  __syncthreads();
  return result;
}

__global__ void __launch_bounds__(128) functors(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
  __shared__ unsigned values[128];
  const unsigned value = in[own_index()];
  const unsigned factor = in[blockIdx.x] | 1;
  const unsigned least = combined(values, value, [](unsigned a, unsigned b) { return a < b ? a : b; });
  const unsigned most = combined(values, value, [](unsigned a, unsigned b) { return max(a, b); });
  out[own_index()] = combined(values, value, [=](unsigned a, unsigned b) { return a * factor + b; }) + least - most;
}

// What threads have to be fibers for: recursion, waiting for each other, printf.
__device__ unsigned depth(unsigned n) { return n < 2 ? n : depth(n - 1) + depth(n - 2) + (n & 1); }

__global__ void recursion(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[32];
  out[own_index()] = from_neighbour(values, depth(in[own_index()] % 10));
}

__global__ void spinning(const unsigned* in, unsigned* out) {
  __shared__ unsigned turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  while (atomicAdd(&turn, 0u) != threadIdx.x / 32) {
  }
  out[own_index()] = in[own_index()] + atomicAdd(&turn, 0u);
  __syncwarp();
  if (threadIdx.x % 32 == 0) atomicAdd(&turn, 1u);
}

__global__ void printing(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[32];
  const unsigned got = from_neighbour(values, in[own_index()]);
  if (threadIdx.x % 16 == 3) printf("thread %u has %u\n", threadIdx.x, got);
  __syncthreads();
  out[own_index()] = got;
}

const Test kTests[] = {
    {"early_return", early_return, 4, 256},
    {"leaving_by_halves", leaving_by_halves, 4, 128},
    {"function_twice", function_twice, 4, 100},
    {"function_in_branches", function_in_branches, 4, 256},
    {"function_with_returns", function_with_returns, 12, 64},
    {"private_array", private_array, 4, 96},
    {"large_private_array", large_private_array, 2, 1000},
    {"nested_loops", nested_loops, 9, 64},
    {"nested_loops_1", nested_loops, 9, 1},
    {"equal_trips", equal_trips, 3, 100},
    {"switches", switches, 9, 64},
    {"votes_at_barriers", votes_at_barriers, 5, 100},
    {"structures", structures, 3, 64},
    {"variables", variables, 5, 64},
    {"variables_again", variables, 1, 64},
    {"constant_bounds", constant_bounds, 6, 64},
    {"asserted", asserted, 6, 64},
    {"constants_by_thread", constants_by_thread, 6, 64},
    {"library_functions", library_functions, 6, 64},
    {"narrow_sums", narrow_sums, 6, 64},
    {"asynchronous_copies", asynchronous_copies, 6, 64},
    {"numbers", numbers, 6, 64},
    {"chunks", chunks, 6, 250, 1500},
    {"functors", functors, 5, 128},
    {"recursion", recursion, 2, 32},
    {"spinning", spinning, 2, 96},
    {"printing", printing, 2, 32},
};

int main() { return run_all(kTests); }

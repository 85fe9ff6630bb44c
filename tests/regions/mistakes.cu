// SPDX-License-Identifier: Apache-2.0
// Kernels that go wrong: threads that wait for each other, faults, assertions, exceptions. The first argument names the
// one to launch. What is reported has to be the same from threads as fibers and from regions.
#include <cassert>
#include <cstring>
#include <stdexcept>

#include <mma.h>

#include "results.h"

__device__ unsigned own_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void two_sites(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = in[own_index()];
  if (threadIdx.x < 40) {
    __syncthreads();
    values[threadIdx.x] += 1;
  } else {
    values[threadIdx.x] += 2;
    __syncthreads();
  }
  out[own_index()] = values[63 - threadIdx.x];
}

__global__ void uneven_trips(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = 0;
  for (unsigned i = 0; i < 2 + (threadIdx.x == 37 && blockIdx.x == 1); ++i) {
    values[threadIdx.x] += in[own_index()];
    __syncthreads();
  }
  out[own_index()] = values[63 - threadIdx.x];
  __syncthreads();
  out[own_index()] += 1;
}

__global__ void barrier_left_out(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[96];
  values[threadIdx.x] = in[own_index()];
  if (threadIdx.x != 70) __syncthreads();
  unsigned value = values[95 - threadIdx.x];
  value += __shfl_xor_sync(kFull, value, 1);
  out[own_index()] = value;
}

__global__ void half_a_warp(const unsigned* in, unsigned* out) {
  unsigned value = in[own_index()];
  if (threadIdx.x % 32 < 16) value += __shfl_xor_sync(kFull, value, 8);
  __syncthreads();
  out[own_index()] = value;
}

__global__ void lanes_that_left(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = in[own_index()];
  __syncthreads();
  if (threadIdx.x > 50) return;
  out[own_index()] = values[threadIdx.x] + __shfl_down_sync(kFull, values[threadIdx.x], 16);
}

__global__ void vote_in_branch(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = in[own_index()];
  __syncthreads();
  unsigned value = values[threadIdx.x ^ 1];
  if (value % 5 != 0) value += __ballot_sync(kFull, value & 1);
  __syncwarp();
  out[own_index()] = value;
}

__global__ void past_the_end(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = in[own_index()];
  __syncthreads();
  unsigned* const to = threadIdx.x == 45 && blockIdx.x == 2 ? out + (1ull << 44) : out;
  to[own_index()] = values[63 - threadIdx.x];
}

__global__ void null_pointer(const unsigned* in, unsigned* out) {
  __shared__ const unsigned* sources[64];
  sources[threadIdx.x] = threadIdx.x % 9 == 7 ? nullptr : in;
  __syncthreads();
  out[own_index()] += 5;
  for (unsigned i = 0; i < threadIdx.x % 5; ++i) out[own_index()] += sources[(threadIdx.x + 3) % 64][i];
}

__global__ void division_by_zero(const unsigned* in, unsigned* out) {
  __shared__ int values[64];
  values[threadIdx.x] = static_cast<int>(threadIdx.x) - 33;
  __syncthreads();
  out[own_index()] = 1000 + in[0] / static_cast<unsigned>(values[threadIdx.x] * values[threadIdx.x]);
}

__global__ void assertion(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = in[own_index()];
  __syncthreads();
  assert(values[(threadIdx.x + 1) % 64] != in[100]);
  out[own_index()] = values[threadIdx.x];
}

__global__ void trap(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = in[own_index()];
  __syncthreads();
  if (blockIdx.x == 1 && values[threadIdx.x] == in[77]) __trap();
  __syncthreads();
  out[own_index()] = values[threadIdx.x];
}

__global__ void other_block(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = in[own_index()];
  __syncthreads();
  unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(&values[63 - threadIdx.x]));
  if (blockIdx.x == 1 && threadIdx.x == 7) place += 1u << 26;
  unsigned value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(place));
  out[own_index()] = value;
}

__global__ void exception(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = in[own_index()];
  __syncthreads();
  if (values[threadIdx.x] == in[90]) throw std::runtime_error("no such value");
  out[own_index()] = values[threadIdx.x];
}

__global__ void large_frame(const unsigned* in, unsigned* out) {
  __syncthreads();
  volatile unsigned large[1u << 14];
  for (unsigned i = 0; i < 1u << 14; ++i) large[i] = in[i] + threadIdx.x;
  __syncthreads();
  out[own_index()] = large[threadIdx.x];
}

template <unsigned kPitch>
__device__ void multiply_matrices(const unsigned* in, unsigned* out) {
  using namespace nvcuda::wmma;
  __shared__ __align__(32) half values[512];
  for (unsigned i = threadIdx.x; i < 512; i += blockDim.x) values[i] = static_cast<half>(static_cast<float>(in[i] % 8));
  __syncthreads();
  if (threadIdx.x == 77) return;
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  fragment<accumulator, 16, 16, 16, half> sum;
  fragment<matrix_b, 16, 16, 16, half, col_major> b;
  load_matrix_sync(a, values + (kPitch == 24 ? 3 : 0), kPitch);
  load_matrix_sync(b, values, 16);
  fill_fragment(sum, 0.0f);
  mma_sync(sum, a, b, sum);
  out[own_index()] = static_cast<unsigned>(static_cast<float>(sum.x[0]));
}

__global__ void matrices_of_a_part(const unsigned* in, unsigned* out) { multiply_matrices<16>(in, out); }
__global__ void rows_of_matrices(const unsigned* in, unsigned* out) { multiply_matrices<17>(in, out); }
__global__ void place_of_matrices(const unsigned* in, unsigned* out) { multiply_matrices<24>(in, out); }

__global__ void other_matrices(const unsigned* in, unsigned* out) {
  using namespace nvcuda::wmma;
  __shared__ __align__(32) half values[512];
  for (unsigned i = threadIdx.x; i < 512; i += blockDim.x) values[i] = static_cast<half>(static_cast<float>(in[i] % 8));
  __syncthreads();
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  load_matrix_sync(a, values + (threadIdx.x == 40 ? 256 : 0), 16);
  out[own_index()] = static_cast<unsigned>(static_cast<float>(a.x[0]));
}

/// Faults before fibers run the block again for its matrices.
__global__ void matrices_and_fault(const unsigned* in, unsigned* out) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  load_matrix_sync(a, reinterpret_cast<const half*>(in), 17);
  out[own_index()] = static_cast<unsigned>(static_cast<float>(a.x[0]));
  __syncthreads();
  out[(1ull << 44) + own_index()] = 1;
}

struct Mistake {
  const char* name;
  Kernel kernel;
  unsigned threads;
};

const Mistake kMistakes[] = {
    {"two_sites", two_sites, 64},
    {"uneven_trips", uneven_trips, 64},
    {"barrier_left_out", barrier_left_out, 96},
    {"half_a_warp", half_a_warp, 64},
    {"lanes_that_left", lanes_that_left, 64},
    {"vote_in_branch", vote_in_branch, 64},
    {"past_the_end", past_the_end, 64},
    {"null_pointer", null_pointer, 64},
    {"division_by_zero", division_by_zero, 64},
    {"assertion", assertion, 64},
    {"trap", trap, 64},
    {"other_block", other_block, 64},
    {"exception", exception, 64},
    {"large_frame", large_frame, 64},
    {"matrices_of_a_part", matrices_of_a_part, 96},
    {"rows_of_matrices", rows_of_matrices, 64},
    {"place_of_matrices", place_of_matrices, 64},
    {"other_matrices", other_matrices, 64},
    {"matrices_and_fault", matrices_and_fault, 64},
};

int main(int argc, char** argv) {
  if (argc != 2) {
    for (const Mistake& mistake : kMistakes) printf("%s\n", mistake.name);
    return 0;
  }
  for (const Mistake& mistake : kMistakes) {
    if (strcmp(argv[1], mistake.name) != 0) continue;
    // What is left of a mistake must not be taken for one of the next launch.
    const Test tests[] = {{mistake.name, mistake.kernel, 3, mistake.threads, 0},
                          {"right", matrices_of_a_part, 3, 64, 0}};
    return run_all(tests);
  }
  return 2;
}

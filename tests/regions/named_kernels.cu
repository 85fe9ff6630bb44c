// SPDX-License-Identifier: Apache-2.0
// Kernels whose variables have names by where they are declared, which are to be the same in both compilations of a
// file, for each host compiler. other_kernels.cu has one more.
#include "results.h"

__device__ unsigned own_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void elsewhere(const unsigned* in, unsigned* out);

namespace {

__global__ void unnamed_namespace(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = in[own_index()];
  __syncthreads();
  out[own_index()] = values[63 - threadIdx.x];
}

__device__ unsigned hidden = 10;
__constant__ unsigned factors[2] = {3, 5};
namespace inner {
static __device__ unsigned deep[2];
}
struct Counter {
  static __device__ unsigned times(unsigned value) {
    static __device__ unsigned calls = 1;
    return value * factors[value & 1] + atomicAdd(&calls, 0);
  }
};

__global__ void unnamed_variables(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = Counter::times(in[own_index()]) + hidden;
  if (threadIdx.x == 0) inner::deep[blockIdx.x & 1] = in[blockIdx.x];
  __syncthreads();
  out[own_index()] = values[63 - threadIdx.x] + inner::deep[blockIdx.x & 1];
  atomicAdd(&hidden, 0);
}

}  // namespace

static __global__ void of_this_file(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = in[own_index()];
  __syncthreads();
  out[own_index()] = values[63 - threadIdx.x] * 3;
}

// Two variables of one name, one of them in a lambda, and one that stays.
__global__ void scopes(const unsigned* in, unsigned* out) {
  static __device__ unsigned launches;
  __shared__ unsigned value;
  if (threadIdx.x == 0) value = in[blockIdx.x];
  const auto shift = [in](unsigned by) {
    __shared__ unsigned value;
    if (threadIdx.x == 1) value = in[by];
    __syncthreads();
    return value >> by % 8;
  };
  const unsigned shifted = shift(blockIdx.x);
  if (threadIdx.x < 32) {
    __shared__ unsigned value;
    value = shifted;
    __syncwarp();
    out[own_index()] = value;
  }
  if (own_index() == 0) launches += 5;
  __syncthreads();
  if (threadIdx.x >= 32) out[own_index()] = value + shifted;
  if (own_index() == 0) out[1000] = launches;
}

template <class T>
__global__ void specialised(const T*, T*) {}

template <>
__global__ void specialised<unsigned>(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = in[own_index()] ^ 1;
  __syncthreads();
  out[own_index()] = values[threadIdx.x ^ 5];
}

extern "C" __global__ void in_c(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = in[own_index()];
  __syncthreads();
  out[own_index()] = values[threadIdx.x ^ 9];
}

int main() {
  const Test tests[] = {
      {"unnamed_namespace", unnamed_namespace, 3, 64},
      {"unnamed_variables", unnamed_variables, 2, 64},
      {"of_this_file", of_this_file, 3, 64},
      {"scopes", scopes, 3, 64},
      {"scopes_again", scopes, 5, 64},
      {"specialised", specialised<unsigned>, 2, 64},
      {"in_c", in_c, 2, 64},
      {"elsewhere", elsewhere, 2, 64},
  };
  return run_all(tests);
}

// SPDX-License-Identifier: Apache-2.0
// cuRAND's generators and distributions in kernels with barriers: a generator lives across a barrier, and every
// distribution draws on both sides of it.
#include <curand_kernel.h>

#include "results.h"

__device__ unsigned own_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ unsigned mixed(unsigned sum, unsigned bits) { return sum * 31 + bits; }
__device__ unsigned mixed(unsigned sum, float number) { return mixed(sum, __float_as_uint(number)); }
__device__ unsigned mixed(unsigned sum, double number) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(number));
  return mixed(mixed(sum, static_cast<unsigned>(bits)), static_cast<unsigned>(bits >> 32));
}
__device__ unsigned mixed(unsigned sum, float2 pair) { return mixed(mixed(sum, pair.x), pair.y); }
__device__ unsigned mixed(unsigned sum, double2 pair) { return mixed(mixed(sum, pair.x), pair.y); }
__device__ unsigned mixed(unsigned sum, uint4 all) {
  return mixed(mixed(mixed(mixed(sum, all.x), all.y), all.z), all.w);
}
__device__ unsigned mixed(unsigned sum, float4 all) {
  return mixed(mixed(mixed(mixed(sum, all.x), all.y), all.z), all.w);
}
__device__ unsigned mixed(unsigned sum, double4 all) {
  return mixed(mixed(mixed(mixed(sum, all.x), all.y), all.z), all.w);
}

/// What any generator has.
template <class State>
__device__ unsigned draw_one(State& state) {
  unsigned sum = mixed(0, static_cast<unsigned>(curand(&state)));
  sum = mixed(sum, curand_uniform(&state));
  sum = mixed(sum, curand_uniform_double(&state));
  sum = mixed(sum, curand_normal(&state));
  sum = mixed(sum, curand_normal_double(&state));
  sum = mixed(sum, curand_log_normal(&state, 0.5f, 0.25f));
  return mixed(sum, curand_log_normal_double(&state, -1.0, 0.75));
}

/// What generators of pseudo-random numbers have besides.
template <class State>
__device__ unsigned draw_pairs(State& state) {
  unsigned sum = mixed(0, curand_normal2(&state));
  sum = mixed(sum, curand_normal2_double(&state));
  sum = mixed(sum, curand_log_normal2(&state, 0.5f, 0.25f));
  return mixed(sum, curand_log_normal2_double(&state, -1.0, 0.75));
}

template <class State>
__device__ unsigned draw_counts(State& state) {
  unsigned sum = 0;
  for (double mean : {0.3, 4.0, 63.0, 65.0, 900.0, 5000.0}) sum = mixed(sum, curand_poisson(&state, mean));
  return sum;
}

template <class State>
__global__ void pseudo(const unsigned* in, unsigned* out) {
  __shared__ unsigned drawn[256];
  State state;
  curand_init(in[0], own_index(), 3, &state);
  unsigned sum = draw_one(state);
  for (int round = 0; round < 3; ++round) {
    drawn[threadIdx.x] = sum;
    __syncthreads();
    sum = mixed(drawn[(threadIdx.x + 7) % blockDim.x], draw_one(state));
    __syncthreads();
    sum = mixed(sum, draw_pairs(state));
    sum = mixed(sum, draw_counts(state));
  }
  skipahead(5, &state);
  out[own_index()] = mixed(sum, draw_one(state));
}

__global__ void in_fours(const unsigned* in, unsigned* out) {
  __shared__ unsigned drawn[256];
  curandStatePhilox4_32_10_t state;
  curand_init(in[1], own_index(), 1, &state);
  unsigned sum = mixed(0, curand4(&state));
  sum = mixed(sum, curand_uniform4(&state));
  drawn[threadIdx.x] = sum;
  __syncthreads();
  sum = mixed(drawn[threadIdx.x ^ 1], curand_normal4(&state));
  sum = mixed(sum, curand_normal4_double(&state));
  sum = mixed(sum, curand_log_normal4(&state, 0.5f, 0.25f));
  sum = mixed(sum, curand_uniform2_double(&state));
  sum = mixed(sum, curand_uniform4_double(&state));
  __syncthreads();
  out[own_index()] = mixed(sum, curand_poisson4(&state, 12.5));
}

/// Distances and directions of points.
__global__ void points(const unsigned* in, unsigned* out) {
  __shared__ float far[256];
  curandState state;
  curand_init(in[2], own_index(), 0, &state);
  const float2 at{curand_uniform(&state), curand_normal(&state)};
  far[threadIdx.x] = sqrtf(at.x * at.x + at.y * at.y);
  __syncthreads();
  const float angle = atan2f(at.y, at.x) + sinf(far[(threadIdx.x + 1) % blockDim.x]);
  out[own_index()] = mixed(__float_as_uint(angle), curand_uniform(&state));
}

/// One generator for each warp, whose numbers all lanes get.
__global__ void shared_by_lanes(const unsigned* in, unsigned* out) {
  curandStateMRG32k3a_t state;
  curand_init(in[3], own_index() / 32, 0, &state);
  unsigned sum = 0;
  for (int round = 0; round < 8; ++round) {
    const float own = curand_normal(&state);
    sum = mixed(sum, __shfl_sync(kFull, own, round * 3));
    if (threadIdx.x % 32 == round) sum = mixed(sum, curand_uniform_double(&state));
  }
  out[own_index()] = sum;
}

#define PSEUDO(name, State)                                                                      \
  __global__ void name(const unsigned* in, unsigned* out) {                                      \
    __shared__ unsigned drawn[256];                                                              \
    State state;                                                                                 \
    curand_init(in[0], own_index(), 3, &state);                                                  \
    unsigned sum = draw_one(state);                                                              \
    drawn[threadIdx.x] = sum;                                                                    \
    __syncthreads();                                                                             \
    sum = mixed(drawn[(threadIdx.x + 5) % blockDim.x], draw_pairs(state));                       \
    sum = mixed(sum, draw_counts(state));                                                        \
    out[own_index()] = mixed(sum, draw_one(state));                                              \
  }
PSEUDO(xorwow, curandStateXORWOW_t)
PSEUDO(mrg32k3a, curandStateMRG32k3a_t)
PSEUDO(philox, curandStatePhilox4_32_10_t)

/// Quasi-random numbers by direction numbers that the kernel makes itself.
__global__ void sobol32(const unsigned* in, unsigned* out) {
  __shared__ unsigned drawn[256];
  curandDirectionVectors32_t directions;
  for (unsigned i = 0; i < 32; ++i) directions[i] = 1u << (31 - i) | (in[i] >> (i + 1) & 0x55555555u);
  curandStateSobol32_t state;
  curand_init(directions, own_index() * 9, &state);
  unsigned sum = draw_one(state);
  drawn[threadIdx.x] = sum;
  __syncthreads();
  sum = mixed(drawn[(threadIdx.x + 3) % blockDim.x], draw_one(state));
  out[own_index()] = mixed(sum, curand_poisson(&state, 20.0));
}

__global__ void scrambled_sobol64(const unsigned* in, unsigned* out) {
  __shared__ unsigned drawn[256];
  curandDirectionVectors64_t directions;
  for (unsigned i = 0; i < 64; ++i) directions[i] = 1ull << (63 - i) | (in[i] * 0x100000001ull >> (i + 1) & 0x5555ull);
  curandStateScrambledSobol64_t state;
  curand_init(directions, 0x123456789abcdefull ^ in[9], own_index() * 3, &state);
  unsigned sum = draw_one(state);
  drawn[threadIdx.x] = sum;
  __syncthreads();
  out[own_index()] = mixed(drawn[(threadIdx.x + 3) % blockDim.x], draw_one(state));
}

const Test kTests[] = {
    {"xorwow", xorwow, 3, 64, 0},
    {"mrg32k3a", mrg32k3a, 3, 64, 0},
    {"philox", philox, 3, 64, 0},
    {"rounds of xorwow", pseudo<curandState>, 2, 96, 0},
    {"rounds of philox", pseudo<curandStatePhilox4_32_10_t>, 2, 33, 0},
    {"in_fours", in_fours, 2, 64, 0},
    {"points", points, 4, 128, 0},
    {"shared_by_lanes", shared_by_lanes, 4, 64, 0},
    {"sobol32", sobol32, 2, 64, 0},
    {"scrambled_sobol64", scrambled_sobol64, 2, 64, 0},
};

int main() { return run_all(kTests); }

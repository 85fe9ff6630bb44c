// SPDX-License-Identifier: Apache-2.0
//
// Kernels of the recorded programs: one thread makes a state, another one draws numbers from it.
#pragma once

#include <curand_kernel.h>

#include "recording.h"

#define DRAW(name, type, call)                         \
  struct name {                                        \
    typedef type Number;                               \
    double a, b;                                       \
    template <class State>                             \
    __device__ Number operator()(State* state) const { \
      return call;                                     \
    }                                                  \
  }
DRAW(Bits, unsigned, curand(state));
DRAW(Bits64, unsigned long long, curand(state));
DRAW(Bits4, uint4, curand4(state));
DRAW(Uniform, float, curand_uniform(state));
DRAW(UniformDouble, double, curand_uniform_double(state));
DRAW(Uniform4, float4, curand_uniform4(state));
DRAW(Uniform2Double, double2, curand_uniform2_double(state));
DRAW(Normal, float, curand_normal(state));
DRAW(NormalDouble, double, curand_normal_double(state));
DRAW(Normal2, float2, curand_normal2(state));
DRAW(Normal2Double, double2, curand_normal2_double(state));
DRAW(Normal4, float4, curand_normal4(state));
DRAW(LogNormal, float, curand_log_normal(state, static_cast<float>(a), static_cast<float>(b)));
DRAW(LogNormalDouble, double, curand_log_normal_double(state, a, b));
DRAW(LogNormal2, float2, curand_log_normal2(state, static_cast<float>(a), static_cast<float>(b)));
DRAW(LogNormal2Double, double2, curand_log_normal2_double(state, a, b));
DRAW(LogNormal4, float4, curand_log_normal4(state, static_cast<float>(a), static_cast<float>(b)));
DRAW(Poisson, unsigned, curand_poisson(state, a));
#undef DRAW

/// The forms in turn: what one keeps of a pair is used by its own form only.
struct Mixed {
  typedef double Number;
  mutable int turn;
  template <class State>
  __device__ Number operator()(State* state) const {
    switch (turn++ % 11) {
      case 0: return curand_normal(state);
      case 1: return curand(state);
      case 2: return curand_normal(state);
      case 3: return curand_normal_double(state);
      case 4: return curand_uniform(state);
      case 5: return curand_uniform_double(state);
      case 6: return curand_log_normal(state, 0.5f, 0.25f);
      case 7: return curand_normal_double(state);
      case 8: return curand_normal2(state).y;
      case 9: return curand_log_normal_double(state, 0.5, 0.25);
      default: return curand_uniform(state);
    }
  }
};

template <class State, class Init>
__global__ void make_state(State* state, Init init) {
  init(state);
}
template <class State, class Draw>
__global__ void draw_numbers(State* state, typename Draw::Number* to, int count, Draw draw) {
  State local = *state;
  for (int i = 0; i < count; ++i) to[i] = draw(&local);
  *state = local;
}

template <class State, class Init, class Draw>
void record(const std::string& key, Init init, Draw draw, int count, int first = 4) {
  typedef typename Draw::Number Number;
  State* state;
  Number* numbers;
  std::vector<Number> drawn(count);
  REQUIRE_SUCCESS(cudaMalloc(&state, sizeof *state));
  REQUIRE_SUCCESS(cudaMalloc(&numbers, count * sizeof *numbers));
  make_state<State, Init><<<1, 1>>>(state, init);
  draw_numbers<State, Draw><<<1, 1>>>(state, numbers, count, draw);
  REQUIRE_SUCCESS(cudaMemcpy(drawn.data(), numbers, count * sizeof *numbers, cudaMemcpyDeviceToHost));
  REQUIRE_SUCCESS(cudaFree(numbers));
  REQUIRE_SUCCESS(cudaFree(state));
  print_values(key, drawn.data(), count, first);
}

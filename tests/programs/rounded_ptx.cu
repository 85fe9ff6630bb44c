// SPDX-License-Identifier: Apache-2.0
//
// PTX with a rounding, a saturation or a product of 24 bits in its name, and instructions that CUB uses, against CUDA's
// functions and numbers worked out by hand.
#include "common.h"

#define TWO(name, T, c, text)                         \
  __device__ T name(T a, T b) {                       \
    T r;                                              \
    asm(text " %0, %1, %2;" : "=" c(r) : c(a), c(b)); \
    return r;                                         \
  }
#define THREE(name, T, c, text)                                 \
  __device__ T name(T x, T y, T z) {                            \
    T r;                                                        \
    asm(text " %0, %1, %2, %3;" : "=" c(r) : c(x), c(y), c(z)); \
    return r;                                                   \
  }
#define DIRECTED(op, mode)                                   \
  TWO(op##_##mode##_float, float, "f", #op "." #mode ".f32") \
  TWO(op##_##mode##_double, double, "d", #op "." #mode ".f64")
#define OPERATION(op) DIRECTED(op, rz) DIRECTED(op, rm) DIRECTED(op, rp)
OPERATION(add)
OPERATION(sub)
OPERATION(mul)
OPERATION(div)
#define FUSED(mode)                                          \
  THREE(fma_##mode##_float, float, "f", "fma." #mode ".f32") \
  THREE(fma_##mode##_double, double, "d", "fma." #mode ".f64")
FUSED(rz)
FUSED(rm)
FUSED(rp)
THREE(fma_sat, float, "f", "fma.rn.sat.f32")
TWO(upper_of_24, int, "r", "mul24.hi.s32")
TWO(upper_of_24_unsigned, unsigned, "r", "mul24.hi.u32")

THREE(sum_of_three, unsigned, "r", "vadd.u32.u32.u32.add")
THREE(left_then_add, unsigned, "r", "vshl.u32.u32.u32.clamp.add")
THREE(right_then_add, unsigned, "r", "vshr.u32.u32.u32.clamp.add")
THREE(left_wrapped, unsigned, "r", "vshl.u32.u32.u32.wrap.add")
THREE(right_wrapped, unsigned, "r", "vshr.u32.u32.u32.wrap.add")

__device__ unsigned odd_lanes() {
  unsigned lanes;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.ballot.sync.b32 %0, p, 0xffff; }"
               : "=r"(lanes)
               : "r"(threadIdx.x % 2));
  return lanes;
}

__device__ int wrong = 0;
#define SAME(a, b) \
  if ((a) != (b)) atomicAdd(&wrong, 1)
#define SAME_ALL(op, cuda)                          \
  SAME(op##_rz_float(x, y), __f##cuda##_rz(x, y));  \
  SAME(op##_rm_float(x, y), __f##cuda##_rd(x, y));  \
  SAME(op##_rp_float(x, y), __f##cuda##_ru(x, y));  \
  SAME(op##_rz_double(x, y), __d##cuda##_rz(x, y)); \
  SAME(op##_rm_double(x, y), __d##cuda##_rd(x, y)); \
  SAME(op##_rp_double(x, y), __d##cuda##_ru(x, y))

__global__ void compare() {
  const float x = (threadIdx.x - 7.5f) / 3, y = (threadIdx.x + 1) / 7.0f;
  SAME_ALL(add, add);
  SAME_ALL(sub, sub);
  SAME_ALL(mul, mul);
  SAME_ALL(div, div);
  SAME(fma_rz_float(x, y, 0.1f), __fmaf_rz(x, y, 0.1f));
  SAME(fma_rm_float(x, y, 0.1f), __fmaf_rd(x, y, 0.1f));
  SAME(fma_rp_float(x, y, 0.1f), __fmaf_ru(x, y, 0.1f));
  SAME(fma_rz_double(x, y, 0.1), __fma_rz(x, y, 0.1));
  SAME(fma_rm_double(x, y, 0.1), __fma_rd(x, y, 0.1));
  SAME(fma_rp_double(x, y, 0.1), __fma_ru(x, y, 0.1));
  SAME(fma_sat(x, 100, 0), x > 0 ? 1.0f : 0.0f);
  SAME(fma_sat(0.5f, 0.5f, 0.25f), 0.5f);
  SAME(fma_sat(__int_as_float(0x7fc00000), 1, 1), 0.0f);
  SAME(sum_of_three(~0u, 3, 5), 7u);
  SAME(left_then_add(5, 4, 1), 81u);
  SAME(left_then_add(5, 40, 1), 1u);
  SAME(right_then_add(80, 4, 1), 6u);
  SAME(right_then_add(80, 32, 1), 1u);
  SAME(left_wrapped(5, 36, 1), 81u);
  SAME(right_wrapped(80, 36, 1), 6u);
  SAME(odd_lanes(), 0xaaaau);
  SAME(upper_of_24(0x7f400000, 0x00c00000), static_cast<int>(0xf0000000u));
  SAME(upper_of_24_unsigned(0xff400000, 0x00c00000), 0x30000000u);
}

int main() {
  compare<<<1, 16>>>();
  int found = -1;
  CHECK(cudaMemcpyFromSymbol(&found, wrong, sizeof found));
  return found == 0 ? (printf("PASS\n"), 0) : (printf("%d differ\n", found), 1);
}

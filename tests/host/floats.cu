// SPDX-License-Identifier: Apache-2.0
// The host has a floating-point mode of its own: what its kernels compute in every stream, and what it has afterwards.
#include <cuda_runtime.h>
#include <xmmintrin.h>

#include <cfenv>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr unsigned kBlocks = 64;
constexpr unsigned kThreads = 32;
constexpr unsigned kResults = kBlocks * kThreads;

__global__ void divide(const float* in, float* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i] / 3;
  __syncthreads();
  out[i] = v + in[i] * 1e-9f;
}

__global__ void divide_by_zero(float* out) { out[threadIdx.x] = 1 / out[threadIdx.x]; }

__global__ void trap_division(float* out) {
  feenableexcept(FE_DIVBYZERO);
  *out = 1 / *out;
}

__global__ void shrink(float* out) { out[threadIdx.x] = out[threadIdx.x] / 4; }

static std::vector<float> divided(cudaStream_t stream) {
  float *in, *out;
  std::vector<float> values(kResults);
  for (unsigned i = 0; i < kResults; ++i) values[i] = static_cast<float>(i + 1);
  cudaMalloc(&in, kResults * sizeof(float));
  cudaMalloc(&out, kResults * sizeof(float));
  cudaMemcpy(in, values.data(), kResults * sizeof(float), cudaMemcpyHostToDevice);
  divide<<<kBlocks, kThreads, 0, stream>>>(in, out);
  cudaDeviceSynchronize();
  cudaMemcpy(values.data(), out, kResults * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return values;
}

static bool same(const std::vector<float>& a, const std::vector<float>& b) {
  return std::memcmp(a.data(), b.data(), kResults * sizeof(float)) == 0;
}

template <class Kernel>
static float one_value(Kernel kernel, float value) {
  float* out;
  cudaMalloc(&out, sizeof(float));
  cudaMemcpy(out, &value, sizeof(float), cudaMemcpyHostToDevice);
  kernel<<<1, 1>>>(out);
  cudaMemcpy(&value, out, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(out);
  return value;
}

static void CUDART_CB note_rounding(void* rounding) {
  *static_cast<int*>(rounding) = std::fegetround();
  std::fesetround(FE_UPWARD);
}

static void check_rounding(const std::vector<float>& expected, cudaStream_t stream) {
  for (int rounding : {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
    std::fesetround(rounding);
    bool right = same(divided(nullptr), expected) && same(divided(stream), expected);
    bool kept = std::fegetround() == rounding;
    std::fesetround(FE_TONEAREST);
    std::printf("%s, %s\n", right ? "nearest" : "WRONG", kept ? "kept" : "LOST");
  }
}

static void check_traps() {
  feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
  float quotient = one_value(divide_by_zero, 0.0f);
  bool kept = fegetexcept() == (FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
  bool flagless = std::fetestexcept(FE_DIVBYZERO) == 0;
  fedisableexcept(FE_ALL_EXCEPT);
  std::printf("%f, %s, %s\n", quotient, cudaGetErrorName(cudaGetLastError()), kept && flagless ? "kept" : "LOST");
}

static void check_subnormals() {
  constexpr unsigned kFlush = 0x8040;
  _mm_setcsr(_mm_getcsr() | kFlush);
  float quarter = one_value(shrink, 0x1p-125f);
  bool kept = (_mm_getcsr() & kFlush) == kFlush;
  _mm_setcsr(_mm_getcsr() & ~kFlush);
  std::printf("%a, %s\n", quarter, kept ? "kept" : "LOST");
}

static void check_host_functions(cudaStream_t stream) {
  int first = -1, second = -1;
  std::fesetround(FE_DOWNWARD);
  cudaLaunchHostFunc(stream, note_rounding, &first);
  cudaLaunchHostFunc(stream, note_rounding, &second);
  cudaStreamSynchronize(stream);
  std::fesetround(FE_TONEAREST);
  std::printf("host functions %d %d\n", first, second);
}

int main(int argc, char**) {
  if (argc > 1) {
    one_value(trap_division, 0.0f);
    std::printf("%s, %d\n", cudaGetErrorName(cudaGetLastError()), fegetexcept());
    return 0;
  }
  const std::vector<float> expected = divided(nullptr);
  std::fesetround(FE_DOWNWARD);  // what threads that are made from here on inherit
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  check_rounding(expected, stream);
  check_traps();
  check_subnormals();
  check_host_functions(stream);
  cudaStreamDestroy(stream);
}

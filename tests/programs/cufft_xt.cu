// SPDX-License-Identifier: Apache-2.0
// cuFFT's plans by types of data, which give what the plans by cufftType give.
#include <cufftXt.h>

#include <cstdio>
#include <cstring>
#include <vector>

int failures = 0;

void expect(const char* what, bool right) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

struct Plan {
  cufftHandle handle;
  cufftResult made;
  Plan(int rank, long long n, cudaDataType in, cudaDataType out, cudaDataType by) {
    size_t size = 0;
    cufftCreate(&handle);
    made = cufftXtMakePlanMany(handle, rank, &n, nullptr, 1, 1, in, nullptr, 1, 1, out, 1, &size, by);
  }
  ~Plan() { cufftDestroy(handle); }
};

int main() {
  const int n = 30;
  float *real, *back;
  cufftComplex *spectrum, *expected;
  cudaMallocManaged(&real, n * sizeof(float));
  cudaMallocManaged(&back, n * sizeof(float));
  cudaMallocManaged(&spectrum, n * sizeof(cufftComplex));
  cudaMallocManaged(&expected, n * sizeof(cufftComplex));
  for (int i = 0; i < n; ++i) real[i] = float(i % 7);
  cufftHandle known;
  cufftPlan1d(&known, n, CUFFT_R2C, 1);
  cufftExecR2C(known, real, expected);
  const Plan forward(1, n, CUDA_R_32F, CUDA_C_32F, CUDA_C_32F), inverse(1, n, CUDA_C_32F, CUDA_R_32F, CUDA_C_32F);
  expect("plans", forward.made == CUFFT_SUCCESS && inverse.made == CUFFT_SUCCESS);
  expect("forward", cufftXtExec(forward.handle, real, spectrum, CUFFT_FORWARD) == CUFFT_SUCCESS);
  cudaDeviceSynchronize();
  expect("numbers", std::memcmp(spectrum, expected, (n / 2 + 1) * sizeof(cufftComplex)) == 0);
  expect("inverse", cufftXtExec(inverse.handle, spectrum, back, CUFFT_INVERSE) == CUFFT_SUCCESS);
  cudaDeviceSynchronize();
  bool same = true;
  for (int i = 0; i < n; ++i) same &= back[i] / n - real[i] < 1e-5f && real[i] - back[i] / n < 1e-5f;
  expect("there and back", same);

  const Plan complex(1, n, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F);
  expect("double", complex.made == CUFFT_SUCCESS);
  expect("a direction", cufftXtExec(complex.handle, spectrum, spectrum, 0) == CUFFT_INVALID_VALUE);
  expect("half", Plan(1, 32, CUDA_C_16F, CUDA_C_16F, CUDA_C_16F).made == CUFFT_NOT_SUPPORTED);
  expect("types apart", Plan(1, n, CUDA_R_32F, CUDA_C_64F, CUDA_C_64F).made == CUFFT_INVALID_TYPE);
  expect("real to real", Plan(1, n, CUDA_R_32F, CUDA_R_32F, CUDA_C_32F).made == CUFFT_INVALID_TYPE);
  expect("dimensions", Plan(4, n, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F).made == CUFFT_INVALID_VALUE);
  expect("no plan", cufftXtExec(12345, spectrum, spectrum, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  cufftDestroy(known);
  std::printf("%s\n", failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}

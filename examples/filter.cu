// SPDX-License-Identifier: Apache-2.0
// A signal is filtered by cuFFT in one stream and read in another one, which does not wait for it.
#include <cufft.h>

__global__ void peak(const float* x, int n, int* at) {
  int best = 0;
  for (int i = 1; i < n; ++i)
    if (x[i] > x[best]) best = i;
  *at = best;
}

int main() {
  const int n = 1024;
  float* x;
  cufftComplex* spectrum;
  int* at;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&spectrum, (n / 2 + 1) * sizeof(cufftComplex));
  cudaMalloc(&at, sizeof(int));
  cudaMemset(x, 0, n * sizeof(float));

  cudaStream_t filtering, searching;
  cudaStreamCreateWithFlags(&filtering, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&searching, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  cufftHandle forward, back;
  cufftPlan1d(&forward, n, CUFFT_R2C, 1);
  cufftPlan1d(&back, n, CUFFT_C2R, 1);
  cufftSetStream(forward, filtering);
  cufftSetStream(back, filtering);
  cufftExecR2C(forward, x, spectrum);
  cufftExecC2R(back, spectrum, x);
#ifdef ORDERED
  cudaStreamSynchronize(filtering);
#endif
  peak<<<1, 1, 0, searching>>>(x, n, at);
  cudaDeviceSynchronize();
  cufftDestroy(forward);
  cufftDestroy(back);
}

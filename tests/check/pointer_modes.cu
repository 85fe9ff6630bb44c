// SPDX-License-Identifier: Apache-2.0
// A factor in device memory in the host's pointer mode, a result in host memory in the device's, and a result in device
// memory in the host's, which is right. "handles": a function that cuBLAS has and Warpfiber has not.
#include <cublas_v2.h>

#include <cstdio>

__global__ void ones(float* x) { x[threadIdx.x] = 1; }

int main(int argc, char**) {
  float *x, *on_device, result = 0;
  cublasHandle_t handle;
  cudaMalloc(&x, 64 * sizeof *x);
  cudaMalloc(&on_device, sizeof *on_device);
  ones<<<1, 64>>>(x);
  ones<<<1, 1>>>(on_device);
  cublasCreate(&handle);
  if (argc > 1) {
    // Without its parameters: it is not modelled.
    const cublasStatus_t status = cublasSetSmCountTarget(handle, 4);
    std::printf("%d\n", status != CUBLAS_STATUS_SUCCESS);
    cublasSdot(handle, 64, x, 1, x, 1, &result);
  } else {
    cublasSaxpy(handle, 64, on_device, x, 1, x, 1);
    cublasSdot(handle, 64, x, 1, x, 1, on_device);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    cublasSnrm2(handle, 64, x, 1, &result);
  }
  cudaDeviceSynchronize();
  cublasDestroy(handle);
  cudaFree(x);
  cudaFree(on_device);
}

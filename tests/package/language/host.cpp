// SPDX-License-Identifier: Apache-2.0
//
// An object of C++ among those of CUDA: CMake then lets the C++ compiler link.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>

#include <cstdlib>

namespace {

/// Whether each library is linked that this installation has.
bool has_libraries() {
#ifdef HAS_CUDA_LIBRARIES
  int random = 0;
  int fourier = 0;
  cublasHandle_t dense = nullptr;
  cusolverDnHandle_t solver = nullptr;
  cusparseHandle_t sparse = nullptr;
  return curandGetVersion(&random) == CURAND_STATUS_SUCCESS && random == CURAND_VERSION &&
         cufftGetVersion(&fourier) == CUFFT_SUCCESS && fourier == CUFFT_VERSION &&
         cublasLtGetVersion() == CUBLAS_VERSION && cublasCreate(&dense) == CUBLAS_STATUS_SUCCESS &&
         cublasDestroy(dense) == CUBLAS_STATUS_SUCCESS && cusolverDnCreate(&solver) == CUSOLVER_STATUS_SUCCESS &&
         cusolverDnDestroy(solver) == CUSOLVER_STATUS_SUCCESS && cusparseCreate(&sparse) == CUSPARSE_STATUS_SUCCESS &&
         cusparseDestroy(sparse) == CUSPARSE_STATUS_SUCCESS;
#else
  return true;
#endif
}

// The program's main() knows nothing of this file.
const bool kHasLibraries = has_libraries() || (std::abort(), false);

}  // namespace

int host_of_language() {
  int devices = 0;
  if (!kHasLibraries) return -1;
  return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : -1;
}

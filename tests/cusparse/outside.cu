// SPDX-License-Identifier: Apache-2.0
// Multiplies by a matrix of 2 rows and 3 columns that is right ("none"), has a column index that is outside of it
// ("column"), or has an offset behind its entries ("offset"). Prints what the call and the synchronisation return.
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cstdio>
#include <string>
#include <vector>

template <class T>
T* device_copy(const std::vector<T>& values) {
  T* at;
  cudaMalloc(&at, values.size() * sizeof(T));
  cudaMemcpy(at, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return at;
}

int main(int, char** arguments) {
  const std::string wrong = arguments[1];
  int* offsets = device_copy<int>({0, 2, wrong == "offset" ? 9 : 3});
  int* columns = device_copy<int>({0, wrong == "column" ? 3 : 2, 1});
  float* values = device_copy<float>({1, 2, 3});
  float* x = device_copy<float>({1, 1, 1});
  float* y = device_copy<float>({0, 0});
  const float alpha = 1, beta = 0;
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t from, to;
  cusparseCreate(&handle);
  cusparseCreateCsr(&a, 2, 3, 3, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&from, 3, x, CUDA_R_32F);
  cusparseCreateDnVec(&to, 2, y, CUDA_R_32F);
  const int status = cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, from, &beta, to, CUDA_R_32F,
                                  CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  std::printf("%d %d\n", status, int(cudaDeviceSynchronize()));
}

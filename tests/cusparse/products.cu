// SPDX-License-Identifier: Apache-2.0
// Prints products of a sparse matrix, and statuses of calls that are wrong (README.md).
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cstdio>
#include <vector>

template <class T>
T* device_copy(const std::vector<T>& values) {
  T* at;
  cudaMalloc(&at, values.size() * sizeof(T));
  cudaMemcpy(at, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return at;
}

template <class T>
void print(const char* name, const T* at, std::size_t count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
  std::printf("%s:", name);
  for (const T value : values) std::printf(" %.17g", double(value));
  std::printf("\n");
}

#define STATUS(call) std::printf("%s -> %d\n", #call, int(call))

template <class T>
void products(cusparseHandle_t handle, cudaDataType type, cudaDataType other) {
  std::printf("type %d\n", int(type));
  const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE, transposed = CUSPARSE_OPERATION_TRANSPOSE;
  const auto alg = CUSPARSE_SPMV_ALG_DEFAULT;
  int* offsets = device_copy<int>({0, 3, 4, 4, 7, 9});
  int* columns = device_copy<int>({0, 2, 3, 1, 0, 2, 3, 1, 3});
  T* values = device_copy<T>({1, T(2.5), -3, 4, 5, T(0.1), 7, 8, 9});
  T* x = device_copy<T>({1, 2, 3, 4});
  T* y = device_copy<T>({10, 20, 30, 40, 50});
  const T alpha = 2, beta = T(0.5);
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t dx, dy;
  STATUS(cusparseCreateCsr(&a, 5, 4, 9, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, type));
  STATUS(cusparseCreateDnVec(&dx, 4, x, type));
  STATUS(cusparseCreateDnVec(&dy, 5, y, type));
  std::size_t size = 0;
  STATUS(cusparseSpMV_bufferSize(handle, plain, &alpha, a, dx, &beta, dy, type, alg, &size));
  void* buffer;
  cudaMalloc(&buffer, size + (1 << 20));
  STATUS(cusparseSpMV(handle, plain, &alpha, a, dx, &beta, dy, type, alg, buffer));
  print("y", y, 5);
  STATUS(cusparseSpMV(handle, transposed, &alpha, a, dx, &beta, dy, type, alg, buffer));
  STATUS(cusparseSpMV(handle, transposed, &alpha, a, dy, &beta, dx, type, alg, buffer));
  print("x", x, 4);
  T* b = device_copy<T>({1, 2, 3, 4, 5, 6, 7, 8});
  T* c = device_copy<T>(std::vector<T>(10, T(1)));
  cusparseDnMatDescr_t db, dc;
  STATUS(cusparseCreateDnMat(&db, 4, 2, 4, b, type, CUSPARSE_ORDER_COL));
  STATUS(cusparseCreateDnMat(&dc, 5, 2, 4, c, type, CUSPARSE_ORDER_COL));
  STATUS(cusparseCreateDnMat(&dc, 5, 2, 5, c, type, CUSPARSE_ORDER_COL));
  STATUS(cusparseSpMM(handle, plain, plain, &alpha, a, db, &beta, dc, type, CUSPARSE_SPMM_ALG_DEFAULT, buffer));
  print("C", c, 10);
  STATUS(cusparseSpMV_bufferSize(handle, plain, &alpha, a, dy, &beta, dx, type, alg, &size));
  STATUS(cusparseSpMM(handle, plain, plain, &alpha, a, dc, &beta, db, type, CUSPARSE_SPMM_ALG_DEFAULT, buffer));
  STATUS(cusparseSpMV(handle, plain, &alpha, a, dx, &beta, dy, other, alg, buffer));
  STATUS(cusparseSpMV(handle, plain, nullptr, a, dx, &beta, dy, type, alg, buffer));
  STATUS(cusparseSpMV(handle, plain, &alpha, nullptr, dx, &beta, dy, type, alg, buffer));
  STATUS(cusparseSpMV(nullptr, plain, &alpha, a, dx, &beta, dy, type, alg, buffer));
  STATUS(cusparseSpMV_bufferSize(handle, plain, &alpha, a, dx, &beta, dy, type, alg, nullptr));
}

int main() {
  cusparseHandle_t handle;
  int version;
  STATUS(cusparseCreate(&handle));
  STATUS(cusparseCreate(nullptr));
  STATUS(cusparseGetVersion(nullptr, &version));
  STATUS(cusparseSetPointerMode(handle, (cusparsePointerMode_t)5));
  products<float>(handle, CUDA_R_32F, CUDA_R_64F);
  products<double>(handle, CUDA_R_64F, CUDA_R_32F);
}

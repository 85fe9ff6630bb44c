// SPDX-License-Identifier: Apache-2.0
// Prints what cuSPARSE computes with sparse vectors, with less usual formats, and with CSR arrays without descriptors
// (README.md).
#include "recorded.hpp"

namespace {

template <class T>
void vectors(cusparseHandle_t handle, cusparseIndexBase_t base) {
  std::printf("vectors of type %d\n", int(TypeOf<T>::kType));
  const cudaDataType type = TypeOf<T>::kType, other = type == CUDA_R_32F ? CUDA_R_64F : CUDA_R_32F;
  const T alpha = TypeOf<T>::value(2, 1), beta = TypeOf<T>::value(0.5, 0);
  T* x_values = device_values<T>({1, 2, 3});
  T* y_values = device_values<T>({10, 20, 30, 40, 50});
  cusparseSpVecDescr_t x, wrong;
  cusparseDnVecDescr_t y, shorter;
  STATUS(cusparseCreateSpVec(&x, 5, 3, device_copy<int>({base, 2 + base, 4 + base}), x_values, k32, base, type));
  STATUS(cusparseCreateSpVec(&wrong, -5, 3, nullptr, x_values, k32, base, type));
  STATUS(cusparseCreateSpVec(&wrong, 5, 6, nullptr, x_values, k32, base, type));
  STATUS(cusparseCreateSpVec(nullptr, 5, 3, nullptr, x_values, k32, base, type));
  STATUS(cusparseCreateDnVec(&y, 5, y_values, type));
  STATUS(cusparseCreateDnVec(&shorter, 4, y_values, type));
  T result{}, *device_result = device_values<T>({0});
  for (const auto use : {kPlain, kConjugated, kTransposed}) {
    std::size_t size = 0;
    STATUS(cusparseSpVV_bufferSize(handle, use, x, y, &result, type, &size));
    STATUS(cusparseSpVV(handle, use, x, y, &result, type, device_bytes(size)));
    cudaMemcpy(device_result, &result, sizeof result, cudaMemcpyHostToDevice);
    print("result", device_result, 1);
  }
  std::size_t size = 0;
  STATUS(cusparseSpVV_bufferSize(handle, kPlain, x, shorter, &result, type, &size));
  STATUS(cusparseSpVV_bufferSize(handle, kPlain, x, y, &result, other, &size));
  STATUS(cusparseSpVV_bufferSize(handle, kPlain, x, y, nullptr, type, &size));
  STATUS(cusparseSpVV_bufferSize(handle, kPlain, x, y, &result, type, nullptr));
  STATUS(cusparseAxpby(handle, &alpha, x, &beta, y));
  print("y", y_values, 5);
  STATUS(cusparseScatter(handle, x, y));
  print("y", y_values, 5);
  STATUS(cusparseRot(handle, &alpha, &beta, x, y));
  print("x", x_values, 3);
  print("y", y_values, 5);
  STATUS(cusparseGather(handle, y, x));
  print("x", x_values, 3);
  STATUS(cusparseAxpby(handle, &alpha, x, &beta, shorter));
  STATUS(cusparseAxpby(handle, nullptr, x, &beta, y));
  STATUS(cusparseAxpby(nullptr, &alpha, x, &beta, y));
  STATUS(cusparseGather(handle, shorter, x));
  STATUS(cusparseGather(handle, nullptr, x));
  STATUS(cusparseScatter(handle, x, nullptr));
  STATUS(cusparseRot(handle, &alpha, nullptr, x, y));
  std::int64_t length = 0, entries = 0;
  void *indices = nullptr, *values = nullptr;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t index_base;
  cudaDataType value_type;
  STATUS(cusparseSpVecGet(x, &length, &entries, &indices, &values, &index_type, &index_base, &value_type));
  print_all("x", length, entries, values == x_values, int(index_type), int(index_base), int(value_type));
  STATUS(cusparseDestroySpVec(x));
}

/// alpha * A * B and alpha * A * x of a matrix of 4 rows and 6 columns in blocks of 2 by 2.
template <class T>
void blocks(cusparseHandle_t handle, cusparseOrder_t order) {
  std::printf("blocks of type %d, order %d\n", int(TypeOf<T>::kType), int(order));
  const cudaDataType type = TypeOf<T>::kType;
  const T alpha = TypeOf<T>::value(2, 1), beta = TypeOf<T>::value(0.5, 0);
  const std::vector<double> numbers = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  T* y_values = device_values<T>({1, 1, 1, 1});
  T* c_values = device_values<T>(std::vector<double>(8, 1));
  cusparseSpMatDescr_t bsr, ell;
  cusparseDnVecDescr_t x, y;
  cusparseDnMatDescr_t b, c;
  STATUS(cusparseCreateBsr(&bsr, 2, 3, 3, 2, 2, device_copy<int>({0, 2, 3}), device_copy<int>({0, 2, 1}),
                           device_values<T>(numbers), k32, k32, kZero, type, order));
  STATUS(cusparseCreateDnVec(&x, 6, device_values<T>({1, 2, 3, 4, 5, 6}), type));
  STATUS(cusparseCreateDnVec(&y, 4, y_values, type));
  STATUS(cusparseCreateDnMat(&b, 6, 2, 6, device_values<T>(numbers), type, CUSPARSE_ORDER_COL));
  STATUS(cusparseCreateDnMat(&c, 4, 2, 4, c_values, type, CUSPARSE_ORDER_COL));
  std::int64_t rows = 0, columns = 0, entries = 0;
  STATUS(cusparseSpMatGetSize(bsr, &rows, &columns, &entries));
  print_all("size", rows, columns, entries);
  std::size_t size = 0;
  STATUS(cusparseSpMV_bufferSize(handle, kPlain, &alpha, bsr, x, &beta, y, type, CUSPARSE_SPMV_ALG_DEFAULT, &size));
  STATUS(cusparseSpMV(handle, kPlain, &alpha, bsr, x, &beta, y, type, CUSPARSE_SPMV_ALG_DEFAULT, device_bytes(size)));
  print("y", y_values, 4);
  size = 0;
  STATUS(cusparseSpMM_bufferSize(handle, kPlain, kPlain, &alpha, bsr, b, &beta, c, type, CUSPARSE_SPMM_ALG_DEFAULT,
                                 &size));
  STATUS(cusparseSpMM(handle, kPlain, kPlain, &alpha, bsr, b, &beta, c, type, CUSPARSE_SPMM_ALG_DEFAULT,
                      device_bytes(size)));
  print("C", c_values, 8);
  STATUS(cusparseCreateBlockedEll(&ell, 4, 6, 2, 4, device_copy<int>({0, 2, 1, -1}),
                                  device_values<T>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 11, 12, 0, 0}), k32, kZero,
                                  type));
  STATUS(cusparseSpMatGetSize(ell, &rows, &columns, &entries));
  print_all("size", rows, columns, entries);
  size = 0;
  STATUS(cusparseSpMM_bufferSize(handle, kPlain, kPlain, &alpha, ell, b, &beta, c, type, CUSPARSE_SPMM_ALG_DEFAULT,
                                 &size));
  STATUS(cusparseSpMM(handle, kPlain, kPlain, &alpha, ell, b, &beta, c, type, CUSPARSE_SPMM_ALG_DEFAULT,
                      device_bytes(size)));
  print("C", c_values, 8);
  STATUS(cusparseSpMV_bufferSize(handle, kPlain, &alpha, ell, x, &beta, y, type, CUSPARSE_SPMV_ALG_DEFAULT, &size));
  STATUS(cusparseCreateBsr(&bsr, 2, 3, 7, 2, 2, nullptr, nullptr, nullptr, k32, k32, kZero, type, order));
  STATUS(cusparseCreateBsr(&bsr, 2, 3, 3, 0, 2, nullptr, nullptr, nullptr, k32, k32, kZero, type, order));
  STATUS(cusparseCreateBlockedEll(&ell, 4, 6, 2, 7, c_values, c_values, k32, kZero, type));
  STATUS(cusparseCreateBlockedEll(&ell, 4, 6, 0, 4, c_values, c_values, k32, kZero, type));
}

/// Four rows in slices of two; -1 fills the slices.
void slices(cusparseHandle_t handle) {
  std::printf("slices\n");
  const double alpha = 2, beta = 0.5;
  double* y_values = device_values<double>({1, 1, 1, 1});
  cusparseSpMatDescr_t sell;
  cusparseDnVecDescr_t x, y;
  STATUS(cusparseCreateSlicedEll(&sell, 4, 4, 7, 10, 2, device_copy<int>({0, 4, 10}),
                                 device_copy<int>({0, 1, 2, -1, 0, 1, 1, 2, 3, -1}),
                                 device_values<double>({1, 4, 2, 0, 3, 5, 6, 7, 8, 0}), k32, k32, kZero, CUDA_R_64F));
  STATUS(cusparseCreateDnVec(&x, 4, device_values<double>({1, 2, 3, 4}), CUDA_R_64F));
  STATUS(cusparseCreateDnVec(&y, 4, y_values, CUDA_R_64F));
  std::size_t size = 0;
  STATUS(
      cusparseSpMV_bufferSize(handle, kPlain, &alpha, sell, x, &beta, y, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &size));
  STATUS(cusparseSpMV(handle, kPlain, &alpha, sell, x, &beta, y, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
                      device_bytes(size)));
  print("y", y_values, 4);
}

void batches(cusparseHandle_t handle) {
  std::printf("batches\n");
  const float alpha = 2, beta = 0.5;
  float* c_values = device_values<float>(std::vector<double>(8, 1));
  cusparseSpMatDescr_t a, coo;
  cusparseDnMatDescr_t b, c;
  int count = 0;
  std::int64_t stride = 0;
  STATUS(cusparseCreateCsr(&a, 2, 3, 3, device_copy<int>({0, 2, 3}), device_copy<int>({0, 2, 1, 1, 2, 0}),
                           device_values<float>({1, 2, 3, 4, 5, 6}), k32, k32, kZero, CUDA_R_32F));
  STATUS(cusparseCsrSetStridedBatch(a, 2, 0, 3));
  STATUS(cusparseSpMatGetStridedBatch(a, &count));
  STATUS(cusparseCreateDnMat(&b, 3, 2, 3, device_values<float>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), CUDA_R_32F,
                             CUSPARSE_ORDER_COL));
  STATUS(cusparseDnMatSetStridedBatch(b, 2, 6));
  STATUS(cusparseCreateDnMat(&c, 2, 2, 2, c_values, CUDA_R_32F, CUSPARSE_ORDER_COL));
  STATUS(cusparseDnMatSetStridedBatch(c, 2, 4));
  STATUS(cusparseDnMatGetStridedBatch(c, &count, &stride));
  print_all("batch", count, stride);
  std::size_t size = 0;
  STATUS(cusparseSpMM_bufferSize(handle, kPlain, kPlain, &alpha, a, b, &beta, c, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT,
                                 &size));
  STATUS(cusparseSpMM(handle, kPlain, kPlain, &alpha, a, b, &beta, c, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT,
                      device_bytes(size)));
  print("C", c_values, 8);
  STATUS(cusparseCreateCoo(&coo, 2, 3, 3, device_copy<int>({0, 0, 1, 0, 1, 1}), device_copy<int>({0, 2, 1, 1, 0, 2}),
                           device_values<float>({1, 2, 3, 4, 5, 6}), k32, kZero, CUDA_R_32F));
  STATUS(cusparseCooSetStridedBatch(coo, 2, 3));
  STATUS(cusparseSpMM_bufferSize(handle, kPlain, kPlain, &alpha, coo, b, &beta, c, CUDA_R_32F, CUSPARSE_SPMM_COO_ALG4,
                                 &size));
  STATUS(cusparseSpMM(handle, kPlain, kPlain, &alpha, coo, b, &beta, c, CUDA_R_32F, CUSPARSE_SPMM_COO_ALG4,
                      device_bytes(size)));
  print("C", c_values, 8);
  STATUS(cusparseDnMatSetStridedBatch(b, 2, 5));
  STATUS(cusparseDnMatSetStridedBatch(b, 0, 6));
  STATUS(cusparseCooSetStridedBatch(coo, 2, 2));
  STATUS(cusparseCsrSetStridedBatch(a, 2, 1, 3));
  STATUS(cusparseDnMatSetStridedBatch(b, 1, 6));
  STATUS(cusparseSpMM_bufferSize(handle, kPlain, kPlain, &alpha, a, b, &beta, c, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT,
                                 &size));
}

void orders(cusparseHandle_t handle) {
  std::printf("orders of entries\n");
  int* offsets = device_copy<int>({0, 2, 2, 5, 6});
  int* columns = device_copy<int>({2, 0, 1, 0, 2, 1});
  int* rows = device_copy<int>(std::vector<int>(6, -1));
  STATUS(cusparseXcsr2coo(handle, offsets, 6, 4, rows, kZero));
  print("rows", rows, 6);
  int* made = device_copy<int>(std::vector<int>(5, -1));
  STATUS(cusparseXcoo2csr(handle, rows, 6, 4, made, kOne));
  print("offsets", made, 5);
  STATUS(cusparseXcoo2csr(handle, rows, 6, 4, made, kZero));
  print("offsets", made, 5);
  STATUS(cusparseXcoo2csr(handle, rows, -6, 4, made, kZero));
  STATUS(cusparseXcoo2csr(nullptr, rows, 6, 4, made, kZero));
  int* order = device_copy<int>(std::vector<int>(6, -1));
  std::size_t size = 0;
  STATUS(cusparseCreateIdentityPermutation(handle, 6, order));
  STATUS(cusparseXcoosort_bufferSizeExt(handle, 4, 3, 6, rows, columns, &size));
  STATUS(cusparseXcoosortByColumn(handle, 4, 3, 6, rows, columns, order, device_bytes(size)));
  print("rows", rows, 6);
  print("columns", columns, 6);
  print("order", order, 6);
  STATUS(cusparseXcoosortByRow(handle, 4, 3, 6, rows, columns, order, device_bytes(size)));
  print("rows", rows, 6);
  print("columns", columns, 6);
  print("order", order, 6);
  cusparseMatDescr_t descr;
  STATUS(cusparseCreateMatDescr(&descr));
  columns = device_copy<int>({2, 0, 1, 0, 2, 1});
  STATUS(cusparseXcsrsort_bufferSizeExt(handle, 4, 3, 6, offsets, columns, &size));
  STATUS(cusparseXcsrsort(handle, 4, 3, 6, descr, offsets, columns, order, device_bytes(size)));
  print("columns", columns, 6);
  print("order", order, 6);
  columns = device_copy<int>({2, 0, 1, 0, 2, 1});
  STATUS(cusparseXcscsort_bufferSizeExt(handle, 3, 4, 6, offsets, columns, &size));
  STATUS(cusparseXcscsort(handle, 3, 4, 6, descr, offsets, columns, order, device_bytes(size)));
  print("rows", columns, 6);
  STATUS(cusparseXcoosort_bufferSizeExt(handle, 4, 3, 6, rows, columns, nullptr));
  STATUS(cusparseXcoosort_bufferSizeExt(handle, -4, 3, 6, rows, columns, &size));
  double* values = device_values<double>(std::vector<double>(6, -1));
  const auto numeric = CUSPARSE_ACTION_NUMERIC;
  int* outer = device_copy<int>({-1, -1, -1, -1});
  STATUS(cusparseCsr2cscEx2_bufferSize(handle, 4, 3, 6, device_values<double>({1, 2, 3, 4, 5, 6}), offsets, columns,
                                       values, outer, rows, CUDA_R_64F, numeric, kZero, CUSPARSE_CSR2CSC_ALG1, &size));
  STATUS(cusparseCsr2cscEx2(handle, 4, 3, 6, device_values<double>({1, 2, 3, 4, 5, 6}), offsets, columns, values, outer,
                            rows, CUDA_R_64F, numeric, kZero, CUSPARSE_CSR2CSC_ALG1, device_bytes(size)));
  print("values", values, 6);
  print("offsets", outer, 4);
  print("rows", rows, 6);
  STATUS(cusparseCsr2cscEx2(handle, -4, 3, 6, values, offsets, columns, values, outer, rows, CUDA_R_64F, numeric, kZero,
                            CUSPARSE_CSR2CSC_ALG1, device_bytes(size)));
}

void sums(cusparseHandle_t handle) {
  std::printf("sums\n");
  const double alpha = 2, beta = -1;
  cusparseMatDescr_t descr;
  STATUS(cusparseCreateMatDescr(&descr));
  int *a_offsets = device_copy<int>({0, 2, 3}), *a_columns = device_copy<int>({0, 2, 1});
  int *b_offsets = device_copy<int>({0, 2, 4}), *b_columns = device_copy<int>({0, 1, 1, 2});
  double *a = device_values<double>({1, 2, 3}), *b = device_values<double>({2, 5, 6, 7});
  int *c_offsets = device_copy<int>({-1, -1, -1}), *c_columns = device_copy<int>({-1, -1, -1, -1, -1});
  double* c = device_values<double>({-1, -1, -1, -1, -1});
  std::size_t size = 0;
  int total = -1;
  STATUS(cusparseDcsrgeam2_bufferSizeExt(handle, 2, 3, &alpha, descr, 3, a, a_offsets, a_columns, &beta, descr, 4, b,
                                         b_offsets, b_columns, descr, c, c_offsets, c_columns, &size));
  void* buffer = device_bytes(size);
  STATUS(cusparseXcsrgeam2Nnz(handle, 2, 3, descr, 3, a_offsets, a_columns, descr, 4, b_offsets, b_columns, descr,
                              c_offsets, &total, buffer));
  print_all("total", total);
  print("offsets", c_offsets, 3);
  STATUS(cusparseDcsrgeam2(handle, 2, 3, &alpha, descr, 3, a, a_offsets, a_columns, &beta, descr, 4, b, b_offsets,
                           b_columns, descr, c, c_offsets, c_columns, buffer));
  print("columns", c_columns, 5);
  print("values", c, 5);
  STATUS(cusparseXcsrgeam2Nnz(handle, -2, 3, descr, 3, a_offsets, a_columns, descr, 4, b_offsets, b_columns, descr,
                              c_offsets, &total, buffer));
  int* counts = device_copy<int>({-1, -1, -1, -1});
  STATUS(cusparseDnnz(handle, CUSPARSE_DIRECTION_ROW, 2, 3, descr, device_values<double>({1, 0, 2, 3, 0, 0}), 2, counts,
                      &total));
  print("counts", counts, 2);
  STATUS(cusparseDnnz(handle, CUSPARSE_DIRECTION_COLUMN, 2, 3, descr, device_values<double>({1, 0, 2, 3, 0, 0}), 2,
                      counts, &total));
  print("counts", counts, 3);
  print_all("total", total);
  STATUS(cusparseDnnz(handle, CUSPARSE_DIRECTION_ROW, 2, 3, descr, c, 1, counts, &total));
}

void descriptions() {
  std::printf("descriptions\n");
  cusparseMatDescr_t descr;
  STATUS(cusparseCreateMatDescr(&descr));
  print_all("descr", int(cusparseGetMatType(descr)), int(cusparseGetMatFillMode(descr)),
            int(cusparseGetMatDiagType(descr)), int(cusparseGetMatIndexBase(descr)));
  STATUS(cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
  STATUS(cusparseSetMatFillMode(descr, CUSPARSE_FILL_MODE_UPPER));
  STATUS(cusparseSetMatDiagType(descr, CUSPARSE_DIAG_TYPE_UNIT));
  STATUS(cusparseSetMatIndexBase(descr, kOne));
  print_all("descr", int(cusparseGetMatType(descr)), int(cusparseGetMatFillMode(descr)),
            int(cusparseGetMatDiagType(descr)), int(cusparseGetMatIndexBase(descr)));
  STATUS(cusparseSetMatIndexBase(descr, (cusparseIndexBase_t)3));
  STATUS(cusparseSetMatType(descr, (cusparseMatrixType_t)9));
  STATUS(cusparseDestroyMatDescr(descr));
  cusparseSpMatDescr_t a;
  STATUS(cusparseCreateCsr(&a, 2, 3, 3, &descr, &a, &a, k64, k32, kOne, CUDA_R_64F));
  STATUS(cusparseCreateCsr(&a, 2, 3, 3, &descr, &a, &a, k64, k64, kOne, CUDA_R_64F));
  std::int64_t rows = 0, columns = 0, entries = 0;
  void *offsets = nullptr, *inner = nullptr, *values = nullptr;
  cusparseIndexType_t offset_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  STATUS(
      cusparseCsrGet(a, &rows, &columns, &entries, &offsets, &inner, &values, &offset_type, &index_type, &base, &type));
  print_all("a", rows, columns, entries, offsets == &descr, inner == &a, int(offset_type), int(index_type), int(base),
            int(type));
  STATUS(cusparseCsrGet(nullptr, &rows, &columns, &entries, &offsets, &inner, &values, &offset_type, &index_type, &base,
                        &type));
}

}  // namespace

int main() {
  cusparseHandle_t handle;
  std::setvbuf(stdout, nullptr, _IOLBF, 4096);
  STATUS(cusparseCreate(&handle));
  vectors<float>(handle, kZero);
  vectors<cuDoubleComplex>(handle, kOne);
  blocks<float>(handle, CUSPARSE_ORDER_COL);
  blocks<double>(handle, CUSPARSE_ORDER_ROW);
  slices(handle);
  batches(handle);
  orders(handle);
  sums(handle);
  descriptions();
  STATUS(cudaDeviceSynchronize());
}

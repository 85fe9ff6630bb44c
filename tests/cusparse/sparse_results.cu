// SPDX-License-Identifier: Apache-2.0
// Prints sparse matrices that cuSPARSE has computed: products, sampled products, conversions (README.md).
#include "recorded.hpp"

namespace {

void print_size(cusparseSpMatDescr_t matrix) {
  std::int64_t rows = -1, columns = -1, entries = -1;
  STATUS(cusparseSpMatGetSize(matrix, &rows, &columns, &entries));
  print_all("size", rows, columns, entries);
}

template <class T>
void wrong_products(cusparseHandle_t handle, cusparseSpGEMMAlg_t alg, cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
                    cusparseSpMatDescr_t c, cusparseSpGEMMDescr_t descr, const T& alpha, const T& beta) {
  const cudaDataType type = TypeOf<T>::kType, other = type == CUDA_R_32F ? CUDA_R_64F : CUDA_R_32F;
  std::size_t size1 = 0;
  STATUS(cusparseSpGEMM_workEstimation(handle, kTransposed, kPlain, &alpha, a, b, &beta, c, type, alg, descr, &size1,
                                       nullptr));
  STATUS(cusparseSpGEMM_workEstimation(handle, kPlain, kTransposed, &alpha, a, b, &beta, c, type, alg, descr, &size1,
                                       nullptr));
  STATUS(
      cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &alpha, a, a, &beta, c, type, alg, descr, &size1, nullptr));
  STATUS(
      cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &alpha, a, b, &beta, a, type, alg, descr, &size1, nullptr));
  STATUS(cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &alpha, a, b, &beta, c, other, alg, descr, &size1,
                                       nullptr));
  STATUS(cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, nullptr, a, b, &beta, c, type, alg, descr, &size1,
                                       nullptr));
  STATUS(cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &alpha, a, b, nullptr, c, type, alg, descr, &size1,
                                       nullptr));
  STATUS(cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &alpha, nullptr, b, &beta, c, type, alg, descr, &size1,
                                       nullptr));
  STATUS(cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &alpha, a, b, &beta, c, type, alg, nullptr, &size1,
                                       nullptr));
  STATUS(cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &alpha, a, b, &beta, c, type, alg, descr, nullptr,
                                       nullptr));
  STATUS(cusparseSpGEMM_workEstimation(nullptr, kPlain, kPlain, &alpha, a, b, &beta, c, type, alg, descr, &size1,
                                       nullptr));
  STATUS(cusparseSpGEMM_compute(handle, kPlain, kPlain, &alpha, a, b, &beta, c, type, alg, descr, nullptr, nullptr));
  STATUS(cusparseSpGEMM_copy(handle, kPlain, kPlain, &alpha, a, b, &beta, nullptr, type, alg, descr));
}

template <class T>
void product(cusparseHandle_t handle, cusparseSpGEMMAlg_t alg) {
  std::printf("product of type %d, algorithm %d\n", int(TypeOf<T>::kType), int(alg));
  const cudaDataType type = TypeOf<T>::kType;
  const T alpha = TypeOf<T>::value(2, 1), beta = TypeOf<T>::value(0, 0);
  cusparseSpMatDescr_t a, b, c;
  int* offsets = device_copy<int>({0, 0, 0, 0});
  STATUS(cusparseCreateCsr(&a, 3, 4, 6, device_copy<int>({0, 2, 3, 6}), device_copy<int>({0, 3, 1, 0, 1, 2}),
                           device_values<T>({1, 2, 3, 4, 1, 5}), k32, k32, kZero, type));
  STATUS(cusparseCreateCsr(&b, 4, 3, 6, device_copy<int>({0, 1, 3, 5, 6}), device_copy<int>({1, 0, 1, 0, 2, 1}),
                           device_values<T>({1, -15, 0.5, 3, 7, 7}), k32, k32, kZero, type));
  STATUS(cusparseCreateCsr(&c, 3, 3, 0, offsets, nullptr, nullptr, k32, k32, kZero, type));
  cusparseSpGEMMDescr_t descr;
  STATUS(cusparseSpGEMM_createDescr(&descr));
  std::size_t size1 = 0, size2 = 0, size3 = 0;
  STATUS(
      cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &alpha, a, b, &beta, c, type, alg, descr, &size1, nullptr));
  void* buffer1 = device_bytes(size1);
  STATUS(
      cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &alpha, a, b, &beta, c, type, alg, descr, &size1, buffer1));
  if (alg == CUSPARSE_SPGEMM_ALG2 || alg == CUSPARSE_SPGEMM_ALG3) {
    std::int64_t products = 0;
    STATUS(cusparseSpGEMM_getNumProducts(descr, &products));
    print_all("products", products);
    STATUS(cusparseSpGEMM_estimateMemory(handle, kPlain, kPlain, &alpha, a, b, &beta, c, type, alg, descr, 0.5f, &size3,
                                         nullptr, nullptr));
    void* buffer3 = device_bytes(size3);
    STATUS(cusparseSpGEMM_estimateMemory(handle, kPlain, kPlain, &alpha, a, b, &beta, c, type, alg, descr, 0.5f, &size3,
                                         buffer3, &size2));
  } else {
    STATUS(cusparseSpGEMM_compute(handle, kPlain, kPlain, &alpha, a, b, &beta, c, type, alg, descr, &size2, nullptr));
  }
  void* buffer2 = device_bytes(size2);
  STATUS(cusparseSpGEMM_compute(handle, kPlain, kPlain, &alpha, a, b, &beta, c, type, alg, descr, &size2, buffer2));
  print_size(c);
  int* columns = device_copy<int>(std::vector<int>(9, -1));
  T* values = device_values<T>(std::vector<double>(9, -1));
  STATUS(cusparseCsrSetPointers(c, offsets, columns, values));
  STATUS(cusparseSpGEMM_copy(handle, kPlain, kPlain, &alpha, a, b, &beta, c, type, alg, descr));
  print("offsets", offsets, 4);
  print("columns", columns, 9);
  print("values", values, 9);
  wrong_products(handle, alg, a, b, c, descr, alpha, beta);
  STATUS(cusparseSpGEMM_createDescr(nullptr));
  STATUS(cusparseSpGEMM_destroyDescr(descr));
  STATUS(cusparseSpGEMM_destroyDescr(nullptr));
}

template <class T>
void repeated_product(cusparseHandle_t handle) {
  std::printf("repeated product of type %d\n", int(TypeOf<T>::kType));
  const cudaDataType type = TypeOf<T>::kType;
  const auto alg = CUSPARSE_SPGEMM_DEFAULT;
  const T alpha = TypeOf<T>::value(2, 1), beta = TypeOf<T>::value(0.5, 0);
  cusparseSpMatDescr_t a, b, c;
  int* offsets = device_copy<int>({0, 0, 0, 0});
  T* a_values = device_values<T>({1, 2, 3, 4, 1, 5});
  STATUS(cusparseCreateCsr(&a, 3, 4, 6, device_copy<int>({0, 2, 3, 6}), device_copy<int>({0, 3, 1, 0, 1, 2}), a_values,
                           k32, k32, kZero, type));
  STATUS(cusparseCreateCsr(&b, 4, 3, 6, device_copy<int>({0, 1, 3, 5, 6}), device_copy<int>({1, 0, 1, 0, 2, 1}),
                           device_values<T>({1, -15, 0.5, 3, 7, 7}), k32, k32, kZero, type));
  STATUS(cusparseCreateCsr(&c, 3, 3, 0, offsets, nullptr, nullptr, k32, k32, kZero, type));
  cusparseSpGEMMDescr_t descr;
  STATUS(cusparseSpGEMM_createDescr(&descr));
  std::size_t size1 = 0, size2 = 0, size3 = 0, size4 = 0, size5 = 0;
  STATUS(cusparseSpGEMMreuse_workEstimation(handle, kPlain, kPlain, a, b, c, alg, descr, &size1, nullptr));
  void* buffer1 = device_bytes(size1);
  STATUS(cusparseSpGEMMreuse_workEstimation(handle, kPlain, kPlain, a, b, c, alg, descr, &size1, buffer1));
  STATUS(cusparseSpGEMMreuse_nnz(handle, kPlain, kPlain, a, b, c, alg, descr, &size2, nullptr, &size3, nullptr, &size4,
                                 nullptr));
  void *buffer2 = device_bytes(size2), *buffer3 = device_bytes(size3), *buffer4 = device_bytes(size4);
  STATUS(cusparseSpGEMMreuse_nnz(handle, kPlain, kPlain, a, b, c, alg, descr, &size2, buffer2, &size3, buffer3, &size4,
                                 buffer4));
  print_size(c);
  int* columns = device_copy<int>(std::vector<int>(9, -1));
  T* values = device_values<T>(std::vector<double>(9, 8));
  STATUS(cusparseCsrSetPointers(c, offsets, columns, values));
  STATUS(cusparseSpGEMMreuse_copy(handle, kPlain, kPlain, a, b, c, alg, descr, &size5, nullptr));
  void* buffer5 = device_bytes(size5);
  STATUS(cusparseSpGEMMreuse_copy(handle, kPlain, kPlain, a, b, c, alg, descr, &size5, buffer5));
  print("offsets", offsets, 4);
  print("columns", columns, 9);
  STATUS(cusparseSpGEMMreuse_compute(handle, kPlain, kPlain, &alpha, a, b, &beta, c, type, alg, descr));
  print("values", values, 9);
  cudaMemset(a_values, 0, 2 * sizeof(T));
  STATUS(cusparseSpGEMMreuse_compute(handle, kPlain, kPlain, &alpha, a, b, &beta, c, type, alg, descr));
  print("values", values, 9);
  STATUS(cusparseSpGEMMreuse_workEstimation(handle, kPlain, kPlain, a, a, c, alg, descr, &size1, nullptr));
  STATUS(cusparseSpGEMMreuse_compute(handle, kPlain, kPlain, nullptr, a, b, &beta, c, type, alg, descr));
  STATUS(cusparseSpGEMM_destroyDescr(descr));
}

template <class T>
void sampled_product(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b) {
  std::printf("sampled product of type %d, operations %d %d\n", int(TypeOf<T>::kType), int(use_a), int(use_b));
  const cudaDataType type = TypeOf<T>::kType, other = type == CUDA_R_32F ? CUDA_R_64F : CUDA_R_32F;
  const auto alg = CUSPARSE_SDDMM_ALG_DEFAULT;
  const T alpha = TypeOf<T>::value(2, 1), beta = TypeOf<T>::value(0.5, 0);
  T* values = device_values<T>({1, 2, 3, 4, 5});
  cusparseDnMatDescr_t a, b;
  cusparseSpMatDescr_t c;
  const bool plain_a = use_a == kPlain, plain_b = use_b == kPlain;
  STATUS(cusparseCreateDnMat(&a, plain_a ? 3 : 2, plain_a ? 2 : 3, plain_a ? 3 : 2,
                             device_values<T>({1, 2, 3, 4, 5, 6}), type, CUSPARSE_ORDER_COL));
  STATUS(cusparseCreateDnMat(&b, plain_b ? 2 : 4, plain_b ? 4 : 2, plain_b ? 2 : 4,
                             device_values<T>({1, 0.5, 3, 4, -5, 6, 7, 8}), type, CUSPARSE_ORDER_COL));
  STATUS(cusparseCreateCsr(&c, 3, 4, 5, device_copy<int>({0, 2, 2, 5}), device_copy<int>({0, 3, 1, 2, 3}), values, k32,
                           k32, kZero, type));
  std::size_t size = 0;
  STATUS(cusparseSDDMM_bufferSize(handle, use_a, use_b, &alpha, a, b, &beta, c, type, alg, &size));
  void* buffer = device_bytes(size);
  STATUS(cusparseSDDMM_preprocess(handle, use_a, use_b, &alpha, a, b, &beta, c, type, alg, buffer));
  STATUS(cusparseSDDMM(handle, use_a, use_b, &alpha, a, b, &beta, c, type, alg, buffer));
  print("values", values, 5);
  STATUS(cusparseSDDMM_bufferSize(handle, use_a, use_b, &alpha, b, a, &beta, c, type, alg, &size));
  STATUS(cusparseSDDMM_bufferSize(handle, use_a, use_b, &alpha, a, b, &beta, c, other, alg, &size));
  STATUS(cusparseSDDMM_bufferSize(handle, use_a, use_b, &alpha, a, b, &beta, c, type, alg, nullptr));
  STATUS(cusparseSDDMM_bufferSize(handle, use_a, use_b, nullptr, a, b, &beta, c, type, alg, &size));
  STATUS(cusparseSDDMM_bufferSize(handle, use_a, use_b, &alpha, a, b, &beta, nullptr, type, alg, &size));
}

/// The matrix of 4 rows and 3 columns whose rows are the lines of the numbers.
const std::vector<double> kDense = {1, 0, 2, 0, 0, 0, 0, 3, -4, 5, 0, 0};

template <class T>
void conversions(cusparseHandle_t handle) {
  std::printf("conversions of type %d\n", int(TypeOf<T>::kType));
  const cudaDataType type = TypeOf<T>::kType;
  const auto to_sparse = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
  const auto to_dense = CUSPARSE_SPARSETODENSE_ALG_DEFAULT;
  T* back = device_values<T>(std::vector<double>(12, 9));
  cusparseDnMatDescr_t dense, again, narrow;
  STATUS(cusparseCreateDnMat(&dense, 4, 3, 3, device_values<T>(kDense), type, CUSPARSE_ORDER_ROW));
  STATUS(cusparseCreateDnMat(&again, 4, 3, 4, back, type, CUSPARSE_ORDER_COL));
  STATUS(cusparseCreateDnMat(&narrow, 4, 2, 4, back, type, CUSPARSE_ORDER_COL));
  for (const auto format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO}) {
    const auto base = format == CUSPARSE_FORMAT_CSC ? kOne : kZero;
    int* outer = device_copy<int>(std::vector<int>(5, -7));
    int* inner = device_copy<int>(std::vector<int>(5, -7));
    T* values = device_values<T>(std::vector<double>(5, -7));
    cusparseSpMatDescr_t sparse = nullptr;
    std::printf("format %d\n", int(format));
    if (format == CUSPARSE_FORMAT_CSR)
      STATUS(cusparseCreateCsr(&sparse, 4, 3, 0, outer, nullptr, nullptr, k32, k32, base, type));
    if (format == CUSPARSE_FORMAT_CSC)
      STATUS(cusparseCreateCsc(&sparse, 4, 3, 0, outer, nullptr, nullptr, k32, k32, base, type));
    if (format == CUSPARSE_FORMAT_COO)
      STATUS(cusparseCreateCoo(&sparse, 4, 3, 0, nullptr, nullptr, nullptr, k32, base, type));
    std::size_t size = 0;
    STATUS(cusparseDenseToSparse_bufferSize(handle, dense, sparse, to_sparse, &size));
    void* buffer = device_bytes(size);
    STATUS(cusparseDenseToSparse_analysis(handle, dense, sparse, to_sparse, buffer));
    print_size(sparse);
    if (format == CUSPARSE_FORMAT_CSR) STATUS(cusparseCsrSetPointers(sparse, outer, inner, values));
    if (format == CUSPARSE_FORMAT_CSC) STATUS(cusparseCscSetPointers(sparse, outer, inner, values));
    if (format == CUSPARSE_FORMAT_COO) STATUS(cusparseCooSetPointers(sparse, outer, inner, values));
    STATUS(cusparseDenseToSparse_convert(handle, dense, sparse, to_sparse, buffer));
    print("outer", outer, 5);
    print("inner", inner, 5);
    print("values", values, 5);
    STATUS(cusparseSparseToDense_bufferSize(handle, sparse, again, to_dense, &size));
    buffer = device_bytes(size);
    STATUS(cusparseSparseToDense(handle, sparse, again, to_dense, buffer));
    print("dense", back, 12);
    STATUS(cusparseSparseToDense_bufferSize(handle, sparse, narrow, to_dense, &size));
    STATUS(cusparseDenseToSparse_bufferSize(handle, narrow, sparse, to_sparse, &size));
    STATUS(cusparseDenseToSparse_bufferSize(handle, dense, sparse, to_sparse, nullptr));
    STATUS(cusparseDenseToSparse_bufferSize(handle, nullptr, sparse, to_sparse, &size));
    STATUS(cusparseSparseToDense_bufferSize(nullptr, sparse, again, to_dense, &size));
    STATUS(cusparseSparseToDense(handle, sparse, nullptr, to_dense, buffer));
  }
}

template <class T>
void compressed_blocks(cusparseHandle_t handle) {
  std::printf("blocks of type %d\n", int(TypeOf<T>::kType));
  const cudaDataType type = TypeOf<T>::kType;
  T* values = device_values<T>(std::vector<double>(16, -7));
  cusparseDnMatDescr_t dense;
  cusparseSpMatDescr_t sparse;
  STATUS(cusparseCreateDnMat(&dense, 4, 6, 6, device_values<T>({1,  0,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,  //
                                                                12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}),
                             type, CUSPARSE_ORDER_ROW));
  STATUS(cusparseCreateBlockedEll(&sparse, 4, 6, 2, 4, device_copy<int>({0, 2, 1, -1}), values, k32, kZero, type));
  std::size_t size = 0;
  STATUS(cusparseDenseToSparse_bufferSize(handle, dense, sparse, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &size));
  void* buffer = device_bytes(size);
  STATUS(cusparseDenseToSparse_analysis(handle, dense, sparse, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
  STATUS(cusparseDenseToSparse_convert(handle, dense, sparse, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
  print("values", values, 16);
}

}  // namespace

int main() {
  cusparseHandle_t handle;
  STATUS(cusparseCreate(&handle));
  product<float>(handle, CUSPARSE_SPGEMM_DEFAULT);
  product<double>(handle, CUSPARSE_SPGEMM_ALG1);
  product<double>(handle, CUSPARSE_SPGEMM_ALG2);
  product<cuComplex>(handle, CUSPARSE_SPGEMM_ALG3);
  repeated_product<float>(handle);
  repeated_product<double>(handle);
  sampled_product<float>(handle, kPlain, kPlain);
  sampled_product<double>(handle, kTransposed, kPlain);
  sampled_product<float>(handle, kPlain, kTransposed);
  sampled_product<cuComplex>(handle, kPlain, kPlain);
  conversions<float>(handle);
  conversions<cuDoubleComplex>(handle);
  compressed_blocks<float>(handle);
  STATUS(cudaDeviceSynchronize());
}

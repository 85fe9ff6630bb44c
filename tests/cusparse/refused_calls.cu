// SPDX-License-Identifier: Apache-2.0
// Prints what cuSPARSE answers to operands, formats, algorithms and operations that do not go together (README.md).
#include "recorded.hpp"

namespace {

constexpr auto kDouble = CUDA_R_64F;

/// Matrices of 3 rows and 3 columns and what goes with them.
struct Operands {
  double* numbers = device_values<double>(std::vector<double>(24, 1));
  int* offsets = device_copy<int>({0, 1, 3, 5});
  int* columns = device_copy<int>({0, 0, 1, 1, 2});
  int* rows = device_copy<int>({0, 1, 1, 2, 2});
  cusparseSpMatDescr_t csr{}, csc{}, coo{}, bsr{}, ell{};
  cusparseDnVecDescr_t x{}, y{}, longer{};
  cusparseDnMatDescr_t b{}, c{}, tall{}, floats{};

  Operands() {
    cusparseCreateCsr(&csr, 3, 3, 5, offsets, columns, numbers, k32, k32, kZero, kDouble);
    cusparseCreateCsc(&csc, 3, 3, 5, offsets, columns, numbers, k32, k32, kZero, kDouble);
    cusparseCreateCoo(&coo, 3, 3, 5, rows, columns, numbers, k32, kZero, kDouble);
    cusparseCreateBsr(&bsr, 3, 3, 5, 1, 1, offsets, columns, numbers, k32, k32, kZero, kDouble, CUSPARSE_ORDER_ROW);
    cusparseCreateBlockedEll(&ell, 6, 12, 3, 6, offsets, numbers, k32, kZero, kDouble);
    cusparseCreateDnVec(&x, 3, numbers, kDouble);
    cusparseCreateDnVec(&y, 3, numbers, kDouble);
    cusparseCreateDnVec(&longer, 5, numbers, kDouble);
    cusparseCreateDnMat(&b, 3, 3, 3, numbers, kDouble, CUSPARSE_ORDER_COL);
    cusparseCreateDnMat(&c, 3, 3, 3, numbers, kDouble, CUSPARSE_ORDER_COL);
    cusparseCreateDnMat(&tall, 5, 3, 5, numbers, kDouble, CUSPARSE_ORDER_COL);
    cusparseCreateDnMat(&floats, 3, 3, 3, numbers, CUDA_R_32F, CUSPARSE_ORDER_COL);
  }
};

void algorithms(cusparseHandle_t handle, const Operands& of) {
  const double alpha = 1, beta = 0;
  std::size_t size = 0;
  for (int i = 0; i < 8; ++i) {
    std::printf("SpMV algorithm %d\n", i);
    const auto alg = cusparseSpMVAlg_t(i);
    for (const auto a : {of.csr, of.coo, of.csc, of.bsr}) {
      STATUS(cusparseSpMV_bufferSize(handle, kPlain, &alpha, a, of.x, &beta, of.y, kDouble, alg, &size));
    }
  }
  for (int i = 0; i < 16; ++i) {
    std::printf("SpMM algorithm %d\n", i);
    const auto alg = cusparseSpMMAlg_t(i);
    for (const auto a : {of.csr, of.coo, of.csc, of.bsr}) {
      STATUS(cusparseSpMM_bufferSize(handle, kPlain, kPlain, &alpha, a, of.b, &beta, of.c, kDouble, alg, &size));
    }
  }
}

void operations(cusparseHandle_t handle, const Operands& of) {
  std::printf("operations\n");
  const double alpha = 1, beta = 0;
  const auto mv = CUSPARSE_SPMV_ALG_DEFAULT;
  const auto mm = CUSPARSE_SPMM_ALG_DEFAULT;
  const auto sd = CUSPARSE_SDDMM_ALG_DEFAULT;
  std::size_t size = 0;
  STATUS(cusparseSpMV_bufferSize(handle, kConjugated, &alpha, of.csr, of.x, &beta, of.y, kDouble, mv, &size));
  STATUS(cusparseSpMV_bufferSize(handle, kTransposed, &alpha, of.bsr, of.x, &beta, of.y, kDouble, mv, &size));
  STATUS(cusparseSpMV_bufferSize(handle, kTransposed, &alpha, of.coo, of.x, &beta, of.y, kDouble, mv, &size));
  STATUS(cusparseSpMM_bufferSize(handle, kConjugated, kPlain, &alpha, of.csr, of.b, &beta, of.c, kDouble, mm, &size));
  STATUS(cusparseSpMM_bufferSize(handle, kPlain, kConjugated, &alpha, of.csr, of.b, &beta, of.c, kDouble, mm, &size));
  STATUS(cusparseSpMM_bufferSize(handle, kTransposed, kPlain, &alpha, of.bsr, of.b, &beta, of.c, kDouble, mm, &size));
  STATUS(cusparseSDDMM_bufferSize(handle, kConjugated, kPlain, &alpha, of.b, of.b, &beta, of.csr, kDouble, sd, &size));
  STATUS(cusparseSDDMM_bufferSize(handle, kPlain, kPlain, &alpha, of.b, of.b, &beta, of.coo, kDouble, sd, &size));
  STATUS(cusparseSDDMM_bufferSize(handle, kPlain, kPlain, &alpha, of.b, of.b, &beta, of.csc, kDouble, sd, &size));
  STATUS(cusparseSDDMM_bufferSize(handle, kPlain, kPlain, &alpha, of.b, of.b, &beta, of.bsr, kDouble, sd, &size));
}

void solvers(cusparseHandle_t handle, const Operands& of) {
  std::printf("solvers\n");
  const double alpha = 1;
  const auto sv = CUSPARSE_SPSV_ALG_DEFAULT;
  const auto sm = CUSPARSE_SPSM_ALG_DEFAULT;
  std::size_t size = 0;
  cusparseSpSVDescr_t v;
  cusparseSpSMDescr_t m;
  STATUS(cusparseSpSV_createDescr(&v));
  STATUS(cusparseSpSM_createDescr(&m));
  STATUS(cusparseSpSV_bufferSize(handle, kPlain, &alpha, of.csc, of.x, of.y, kDouble, sv, v, &size));
  STATUS(cusparseSpSV_bufferSize(handle, kPlain, &alpha, of.bsr, of.x, of.y, kDouble, sv, v, &size));
  STATUS(cusparseSpSV_bufferSize(handle, kConjugated, &alpha, of.csr, of.x, of.y, kDouble, sv, v, &size));
  STATUS(cusparseSpSV_bufferSize(handle, kPlain, &alpha, of.csr, of.x, of.y, kDouble, sv, v, &size));
  void* buffer = device_bytes(size);
  STATUS(cusparseSpSV_analysis(handle, kPlain, &alpha, of.csr, of.x, of.y, kDouble, sv, v, buffer));
  STATUS(cusparseSpSV_solve(handle, kPlain, &alpha, of.csr, of.longer, of.y, kDouble, sv, v));
  STATUS(cusparseSpSM_bufferSize(handle, kPlain, kPlain, &alpha, of.csc, of.b, of.c, kDouble, sm, m, &size));
  STATUS(cusparseSpSM_bufferSize(handle, kPlain, kConjugated, &alpha, of.csr, of.b, of.c, kDouble, sm, m, &size));
  STATUS(cusparseSpSM_bufferSize(handle, kPlain, kPlain, &alpha, of.csr, of.b, of.c, kDouble, sm, m, &size));
  buffer = device_bytes(size);
  STATUS(cusparseSpSM_analysis(handle, kPlain, kPlain, &alpha, of.csr, of.tall, of.c, kDouble, sm, m, buffer));
}

void forms(cusparseHandle_t handle, const Operands& of) {
  std::printf("forms\n");
  const auto sparse = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
  const auto dense = CUSPARSE_SPARSETODENSE_ALG_DEFAULT;
  std::size_t size = 0;
  STATUS(cusparseDenseToSparse_bufferSize(handle, of.b, of.bsr, sparse, &size));
  STATUS(cusparseSparseToDense_bufferSize(handle, of.bsr, of.b, dense, &size));
  STATUS(cusparseDenseToSparse_bufferSize(handle, of.floats, of.csr, sparse, &size));
  STATUS(cusparseSparseToDense_bufferSize(handle, of.csr, of.floats, dense, &size));
  STATUS(cusparseDenseToSparse_analysis(handle, of.b, of.csr, sparse, nullptr));
  std::int64_t rows = 0, columns = 0, entries = 0;
  STATUS(cusparseSpMatGetSize(of.ell, &rows, &columns, &entries));
  print_all("size", rows, columns, entries);
  void *outer = nullptr, *inner = nullptr, *values = nullptr;
  cusparseIndexType_t outer_type, inner_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  STATUS(cusparseCscGet(of.csr, &rows, &columns, &entries, &outer, &inner, &values, &outer_type, &inner_type, &base,
                        &type));
  STATUS(cusparseCooGet(of.csr, &rows, &columns, &entries, &outer, &inner, &values, &inner_type, &base, &type));
  STATUS(cusparseCscSetPointers(of.csr, of.offsets, of.columns, of.numbers));
  STATUS(cusparseCooSetPointers(of.csr, of.offsets, of.columns, of.numbers));
  STATUS(cusparseCsrSetPointers(of.bsr, of.offsets, of.columns, of.numbers));
  STATUS(cusparseCsrSetPointers(of.csr, nullptr, nullptr, nullptr));
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 4096);
  cusparseHandle_t handle;
  STATUS(cusparseCreate(&handle));
  const Operands of;
  algorithms(handle, of);
  operations(handle, of);
  solvers(handle, of);
  forms(handle, of);
  STATUS(cudaDeviceSynchronize());
}

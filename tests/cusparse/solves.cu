// SPDX-License-Identifier: Apache-2.0
// Prints what cuSPARSE's solvers and incomplete factorisations give (README.md).
#include "recorded.hpp"

namespace {

// A of 4 rows, with entries on both sides of the diagonal:  2 0 1 0 | 3 4 0 6 | 0 -1 5 1 | 1 2 0 -8
const std::vector<int> kOffsets = {0, 2, 5, 8, 11};
const std::vector<int> kRows = {0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
const std::vector<int> kColumns = {0, 2, 0, 1, 3, 1, 2, 3, 0, 1, 3};
const std::vector<double> kValues = {2, 1, 3, 4, 6, -1, 5, 1, 1, 2, -8};

template <class T>
cusparseSpMatDescr_t triangle(cusparseFormat_t format, cusparseFillMode_t fill, cusparseDiagType_t diagonal) {
  const cudaDataType type = TypeOf<T>::kType;
  cusparseSpMatDescr_t a = nullptr;
  if (format == CUSPARSE_FORMAT_CSR) {
    STATUS(cusparseCreateCsr(&a, 4, 4, 11, device_copy(kOffsets), device_copy(kColumns), device_values<T>(kValues), k32,
                             k32, kZero, type));
  } else {
    STATUS(cusparseCreateCoo(&a, 4, 4, 11, device_copy(kRows), device_copy(kColumns), device_values<T>(kValues), k32,
                             kZero, type));
  }
  STATUS(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  STATUS(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
  return a;
}

template <class T>
void solve_vector(cusparseHandle_t handle, cusparseFormat_t format, cusparseFillMode_t fill,
                  cusparseDiagType_t diagonal, cusparseOperation_t use) {
  std::printf("vector of type %d, format %d, fill %d, diagonal %d, operation %d\n", int(TypeOf<T>::kType), int(format),
              int(fill), int(diagonal), int(use));
  const cudaDataType type = TypeOf<T>::kType, other = type == CUDA_R_32F ? CUDA_R_64F : CUDA_R_32F;
  const auto alg = CUSPARSE_SPSV_ALG_DEFAULT;
  const T alpha = TypeOf<T>::value(2, 1);
  cusparseSpMatDescr_t a = triangle<T>(format, fill, diagonal);
  T* y_values = device_values<T>({0, 0, 0, 0});
  cusparseDnVecDescr_t x, y, longer;
  STATUS(cusparseCreateDnVec(&x, 4, device_values<T>({1, 2, 3, 4}), type));
  STATUS(cusparseCreateDnVec(&y, 4, y_values, type));
  STATUS(cusparseCreateDnVec(&longer, 5, y_values, type));
  cusparseSpSVDescr_t descr;
  std::size_t size = 0;
  STATUS(cusparseSpSV_createDescr(&descr));
  STATUS(cusparseSpSV_bufferSize(handle, use, &alpha, a, x, y, type, alg, descr, &size));
  void* buffer = device_bytes(size);
  STATUS(cusparseSpSV_analysis(handle, use, &alpha, a, x, y, type, alg, descr, buffer));
  STATUS(cusparseSpSV_solve(handle, use, &alpha, a, x, y, type, alg, descr));
  print("y", y_values, 4);
  STATUS(cusparseSpSV_bufferSize(handle, use, &alpha, a, longer, y, type, alg, descr, &size));
  STATUS(cusparseSpSV_bufferSize(handle, use, &alpha, a, x, longer, type, alg, descr, &size));
  STATUS(cusparseSpSV_bufferSize(handle, use, &alpha, a, x, y, other, alg, descr, &size));
  STATUS(cusparseSpSV_bufferSize(handle, use, nullptr, a, x, y, type, alg, descr, &size));
  STATUS(cusparseSpSV_bufferSize(handle, use, &alpha, a, x, y, type, alg, nullptr, &size));
  STATUS(cusparseSpSV_bufferSize(handle, use, &alpha, a, x, y, type, alg, descr, nullptr));
  STATUS(cusparseSpSV_destroyDescr(descr));
}

template <class T>
void solve_matrix(cusparseHandle_t handle, cusparseFormat_t format, cusparseFillMode_t fill,
                  cusparseDiagType_t diagonal, cusparseOperation_t use_a, cusparseOperation_t use_b) {
  std::printf("matrix of type %d, format %d, fill %d, diagonal %d, operations %d %d\n", int(TypeOf<T>::kType),
              int(format), int(fill), int(diagonal), int(use_a), int(use_b));
  const cudaDataType type = TypeOf<T>::kType;
  const auto alg = CUSPARSE_SPSM_ALG_DEFAULT;
  const T alpha = TypeOf<T>::value(2, 1);
  cusparseSpMatDescr_t a = triangle<T>(format, fill, diagonal);
  T* c_values = device_values<T>(std::vector<double>(8, 0));
  cusparseDnMatDescr_t b, c, wide;
  const bool plain = use_b == kPlain;
  STATUS(cusparseCreateDnMat(&b, plain ? 4 : 2, plain ? 2 : 4, plain ? 4 : 2,
                             device_values<T>({1, 2, 3, 4, -5, 6, 7, 8}), type, CUSPARSE_ORDER_COL));
  STATUS(cusparseCreateDnMat(&c, 4, 2, 4, c_values, type, CUSPARSE_ORDER_COL));
  STATUS(cusparseCreateDnMat(&wide, 5, 2, 5, c_values, type, CUSPARSE_ORDER_COL));
  cusparseSpSMDescr_t descr;
  std::size_t size = 0;
  STATUS(cusparseSpSM_createDescr(&descr));
  STATUS(cusparseSpSM_bufferSize(handle, use_a, use_b, &alpha, a, b, c, type, alg, descr, &size));
  void* buffer = device_bytes(size);
  STATUS(cusparseSpSM_analysis(handle, use_a, use_b, &alpha, a, b, c, type, alg, descr, buffer));
  STATUS(cusparseSpSM_solve(handle, use_a, use_b, &alpha, a, b, c, type, alg, descr));
  print("C", c_values, 8);
  STATUS(cusparseSpSM_bufferSize(handle, use_a, use_b, &alpha, a, b, wide, type, alg, descr, &size));
  STATUS(cusparseSpSM_bufferSize(handle, use_a, use_b, nullptr, a, b, c, type, alg, descr, &size));
  STATUS(cusparseSpSM_bufferSize(handle, use_a, use_b, &alpha, a, b, c, type, alg, descr, nullptr));
  STATUS(cusparseSpSM_destroyDescr(descr));
}

void updated_values(cusparseHandle_t handle) {
  std::printf("updated values\n");
  const auto type = CUDA_R_64F;
  const auto alg = CUSPARSE_SPSV_ALG_DEFAULT;
  const double alpha = 1;
  cusparseSpMatDescr_t a = triangle<double>(CUSPARSE_FORMAT_CSR, CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_NON_UNIT);
  double* y_values = device_values<double>({0, 0, 0, 0});
  cusparseDnVecDescr_t x, y;
  STATUS(cusparseCreateDnVec(&x, 4, device_values<double>({1, 2, 3, 4}), type));
  STATUS(cusparseCreateDnVec(&y, 4, y_values, type));
  cusparseSpSVDescr_t descr;
  std::size_t size = 0;
  STATUS(cusparseSpSV_createDescr(&descr));
  STATUS(cusparseSpSV_bufferSize(handle, kPlain, &alpha, a, x, y, type, alg, descr, &size));
  STATUS(cusparseSpSV_analysis(handle, kPlain, &alpha, a, x, y, type, alg, descr, device_bytes(size)));
  double* values = device_values<double>({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  STATUS(cusparseSpSV_updateMatrix(handle, descr, values, CUSPARSE_SPSV_UPDATE_GENERAL));
  STATUS(cusparseSpSV_solve(handle, kPlain, &alpha, a, x, y, type, alg, descr));
  print("y", y_values, 4);
  STATUS(cusparseSpSV_updateMatrix(handle, descr, device_values<double>({2, 4, 8, 16}), CUSPARSE_SPSV_UPDATE_DIAGONAL));
  STATUS(cusparseSpSV_solve(handle, kPlain, &alpha, a, x, y, type, alg, descr));
  print("y", y_values, 4);
}

void attributes() {
  std::printf("attributes\n");
  cusparseSpMatDescr_t a = triangle<float>(CUSPARSE_FORMAT_CSR, CUSPARSE_FILL_MODE_UPPER, CUSPARSE_DIAG_TYPE_UNIT);
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  STATUS(cusparseSpMatGetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  STATUS(cusparseSpMatGetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
  print_all("attributes", int(fill), int(diagonal));
  STATUS(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, 1));
  STATUS(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, nullptr, sizeof fill));
  STATUS(cusparseSpMatSetAttribute(nullptr, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  STATUS(cusparseSpMatSetAttribute(a, (cusparseSpMatAttribute_t)7, &fill, sizeof fill));
  const int wrong = 5;
  STATUS(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, (void*)&wrong, sizeof fill));
  STATUS(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, (void*)&wrong, sizeof diagonal));
  STATUS(cusparseSpMatGetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, 8));
}

/// Both incomplete factorisations of one matrix. `values` may have a pivot of 0.
void factorise(cusparseHandle_t handle, const std::vector<double>& numbers, const std::vector<int>& offsets,
               const std::vector<int>& columns, cusparseIndexBase_t base) {
  const auto policy = CUSPARSE_SOLVE_POLICY_USE_LEVEL;
  const int m = int(offsets.size()) - 1, nnz = int(columns.size());
  std::printf("factorisations of %d entries\n", nnz);
  int *at = device_copy(offsets), *of = device_copy(columns);
  cusparseMatDescr_t descr;
  STATUS(cusparseCreateMatDescr(&descr));
  STATUS(cusparseSetMatIndexBase(descr, base));
  int size = 0, pivot = -5;
  {
    float* values = device_values<float>(numbers);
    csrilu02Info_t info;
    STATUS(cusparseCreateCsrilu02Info(&info));
    STATUS(cusparseScsrilu02_bufferSize(handle, m, nnz, descr, values, at, of, info, &size));
    void* buffer = device_bytes(std::size_t(size));
    STATUS(cusparseScsrilu02_analysis(handle, m, nnz, descr, values, at, of, info, policy, buffer));
    STATUS(cusparseXcsrilu02_zeroPivot(handle, info, &pivot));
    print_all("pivot", pivot);
    STATUS(cusparseScsrilu02(handle, m, nnz, descr, values, at, of, info, policy, buffer));
    STATUS(cusparseXcsrilu02_zeroPivot(handle, info, &pivot));
    print_all("pivot", pivot);
    print("ilu", values, std::size_t(nnz));
    STATUS(cusparseScsrilu02_bufferSize(handle, -1, nnz, descr, values, at, of, info, &size));
    STATUS(cusparseScsrilu02_bufferSize(nullptr, m, nnz, descr, values, at, of, info, &size));
    STATUS(cusparseDestroyCsrilu02Info(info));
  }
  double* values = device_values<double>(numbers);
  csric02Info_t info;
  STATUS(cusparseCreateCsric02Info(&info));
  STATUS(cusparseDcsric02_bufferSize(handle, m, nnz, descr, values, at, of, info, &size));
  void* buffer = device_bytes(std::size_t(size));
  STATUS(cusparseDcsric02_analysis(handle, m, nnz, descr, values, at, of, info, policy, buffer));
  STATUS(cusparseXcsric02_zeroPivot(handle, info, &pivot));
  print_all("pivot", pivot);
  STATUS(cusparseDcsric02(handle, m, nnz, descr, values, at, of, info, policy, buffer));
  STATUS(cusparseXcsric02_zeroPivot(handle, info, &pivot));
  print_all("pivot", pivot);
  print("ic", values, std::size_t(nnz));
  STATUS(cusparseDestroyCsric02Info(info));
  STATUS(cusparseDestroyMatDescr(descr));
}

/// The same on complex numbers, with its larger pivot, and with pivots that are too small made larger.
void factorise_others(cusparseHandle_t handle, const std::vector<double>& numbers, const std::vector<int>& offsets,
                      const std::vector<int>& columns) {
  std::printf("other factorisations\n");
  const auto policy = CUSPARSE_SOLVE_POLICY_NO_LEVEL;
  const int m = int(offsets.size()) - 1, nnz = int(columns.size());
  int *at = device_copy(offsets), *of = device_copy(columns);
  cusparseMatDescr_t descr;
  STATUS(cusparseCreateMatDescr(&descr));
  int size = 0, pivot = -5;
  auto* values = device_values<cuDoubleComplex>(numbers);
  csrilu02Info_t info;
  csric02Info_t ic_info;
  STATUS(cusparseCreateCsrilu02Info(&info));
  STATUS(cusparseZcsrilu02_bufferSize(handle, m, nnz, descr, values, at, of, info, &size));
  void* buffer = device_bytes(std::size_t(size));
  STATUS(cusparseZcsrilu02_analysis(handle, m, nnz, descr, values, at, of, info, policy, buffer));
  STATUS(cusparseZcsrilu02(handle, m, nnz, descr, values, at, of, info, policy, buffer));
  print("ilu", values, std::size_t(nnz));
  double tolerance = 3, boost = 100;
  auto* boosted = device_values<double>(numbers);
  STATUS(cusparseCreateCsrilu02Info(&info));
  STATUS(cusparseDcsrilu02_bufferSize(handle, m, nnz, descr, boosted, at, of, info, &size));
  buffer = device_bytes(std::size_t(size));
  STATUS(cusparseDcsrilu02_numericBoost(handle, info, 1, &tolerance, &boost));
  STATUS(cusparseDcsrilu02_analysis(handle, m, nnz, descr, boosted, at, of, info, policy, buffer));
  STATUS(cusparseDcsrilu02(handle, m, nnz, descr, boosted, at, of, info, policy, buffer));
  print("ilu", boosted, std::size_t(nnz));
  auto* real = device_values<float>(numbers);
  STATUS(cusparseCreateCsric02Info(&ic_info));
  STATUS(cusparseScsric02_bufferSize(handle, m, nnz, descr, real, at, of, ic_info, &size));
  buffer = device_bytes(std::size_t(size));
  STATUS(cusparseScsric02_analysis(handle, m, nnz, descr, real, at, of, ic_info, policy, buffer));
  STATUS(cusparseScsric02(handle, m, nnz, descr, real, at, of, ic_info, policy, buffer));
  STATUS(cusparseXcsric02_zeroPivot(handle, ic_info, &pivot));
  print_all("pivot", pivot);
  print("ic", real, std::size_t(nnz));
}

void tridiagonal(cusparseHandle_t handle) {
  std::printf("tridiagonal\n");
  constexpr int m = 5;
  double* lower = device_values<double>({0, 1, 2, -1, 3});
  double* middle = device_values<double>({4, 5, 0.5, 7, 8});
  double* upper = device_values<double>({1, 3, 2, 1, 0});
  const std::vector<double> right = {1, 2, 3, 4, 5, -1, 6, 7, 8, 9, 10, -1};
  std::size_t size = 0;
  double* b = device_values<double>(right);
  STATUS(cusparseDgtsv2_bufferSizeExt(handle, m, 2, lower, middle, upper, b, 6, &size));
  STATUS(cusparseDgtsv2(handle, m, 2, lower, middle, upper, b, 6, device_bytes(size)));
  print("b", b, 12);
  b = device_values<double>(right);
  STATUS(cusparseDgtsv2_nopivot_bufferSizeExt(handle, m, 2, lower, middle, upper, b, 6, &size));
  STATUS(cusparseDgtsv2_nopivot(handle, m, 2, lower, middle, upper, b, 6, device_bytes(size)));
  print("b", b, 12);
  STATUS(cusparseDgtsv2_bufferSizeExt(handle, 2, 2, lower, middle, upper, b, 6, &size));
  STATUS(cusparseDgtsv2_bufferSizeExt(handle, m, 2, lower, middle, upper, b, 4, &size));
  STATUS(cusparseDgtsv2_bufferSizeExt(handle, m, -2, lower, middle, upper, b, 6, &size));
}

/// Calls whose earlier calls are missing, and a matrix without a pivot.
void early_calls(cusparseHandle_t handle) {
  const auto type = CUDA_R_64F;
  const auto sv = CUSPARSE_SPSV_ALG_DEFAULT;
  const auto sm = CUSPARSE_SPSM_ALG_DEFAULT;
  const double alpha = 1;
  double* yv = device_values<double>(std::vector<double>(9, -1));
  int *offsets = device_copy<int>({0, 1, 3, 4}), *columns = device_copy<int>({0, 0, 1, 1});
  cusparseSpMatDescr_t a, wide;
  cusparseDnVecDescr_t x, y;
  cusparseDnMatDescr_t b, d;
  cusparseCreateCsr(&a, 3, 3, 4, offsets, columns, device_values<double>({2, 3, 0, 5}), k32, k32, kZero, type);
  cusparseCreateCsr(&wide, 3, 4, 4, offsets, columns, yv, k32, k32, kZero, type);
  cusparseCreateDnVec(&x, 3, device_values<double>({1, 2, 3}), type);
  cusparseCreateDnVec(&y, 3, yv, type);
  cusparseCreateDnMat(&b, 3, 3, 3, device_values<double>({1, 2, 3, 4, 5, 6, 7, 8, 9}), type, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&d, 3, 3, 3, yv, type, CUSPARSE_ORDER_COL);
  cusparseSpSVDescr_t v;
  cusparseSpSMDescr_t m;
  std::size_t size = 0;
  cusparseSpSV_createDescr(&v);
  cusparseSpSM_createDescr(&m);
  STATUS(cusparseSpSV_solve(handle, kPlain, &alpha, a, x, y, type, sv, v));
  STATUS(cusparseSpSM_solve(handle, kPlain, kPlain, &alpha, a, b, d, type, sm, m));
  STATUS(cusparseSpSV_bufferSize(handle, kPlain, &alpha, a, x, y, type, sv, v, &size));
  STATUS(cusparseSpSV_analysis(handle, kPlain, &alpha, a, x, y, type, sv, v, device_bytes(size)));
  STATUS(cusparseSpSV_solve(handle, kPlain, &alpha, a, x, y, type, sv, v));
  print("y", yv, 3);
  STATUS(cusparseSpSV_bufferSize(handle, kPlain, &alpha, wide, x, y, type, sv, v, &size));
  STATUS(cusparseSpSV_createDescr(nullptr));
  STATUS(cusparseSpSM_createDescr(nullptr));
  STATUS(cusparseSpSM_destroyDescr(nullptr));
  STATUS(cusparseSpSV_solve(handle, kPlain, &alpha, a, x, y, type, sv, nullptr));
}

}  // namespace

int main() {
  const auto lower = CUSPARSE_FILL_MODE_LOWER, upper = CUSPARSE_FILL_MODE_UPPER;
  const auto unit = CUSPARSE_DIAG_TYPE_UNIT, full = CUSPARSE_DIAG_TYPE_NON_UNIT;
  const auto csr = CUSPARSE_FORMAT_CSR, coo = CUSPARSE_FORMAT_COO;
  cusparseHandle_t handle;
  std::setvbuf(stdout, nullptr, _IOLBF, 4096);
  STATUS(cusparseCreate(&handle));
  solve_vector<float>(handle, csr, lower, full, kPlain);
  solve_vector<double>(handle, csr, upper, full, kPlain);
  solve_vector<double>(handle, coo, lower, unit, kPlain);
  solve_vector<float>(handle, csr, upper, full, kTransposed);
  solve_vector<cuDoubleComplex>(handle, csr, lower, full, kConjugated);
  solve_matrix<float>(handle, csr, lower, full, kPlain, kPlain);
  solve_matrix<double>(handle, coo, upper, unit, kPlain, kTransposed);
  solve_matrix<cuComplex>(handle, csr, lower, full, kTransposed, kPlain);
  updated_values(handle);
  attributes();
  factorise(handle, {4, -1, -1, 5, 2, -2, 2, 6, 1, -2, 1, 7}, {0, 2, 5, 8, 12}, {0, 3, 1, 2, 3, 1, 2, 3, 0, 1, 2, 3},
            kZero);
  factorise(handle, {4, -1, -1, 0, 2, 6, 1, 7}, {1, 3, 4, 6, 9}, {1, 4, 1, 2, 3, 1, 3, 4}, kOne);
  factorise(handle, {4, 2, 2, 1, 3, 3, 6}, {0, 2, 5, 7}, {0, 1, 0, 1, 2, 1, 2}, kZero);
  factorise_others(handle, {4, -1, -1, 5, 2, -2, 2, 6, 1, -2, 1, 7}, {0, 2, 5, 8, 12},
                   {0, 3, 1, 2, 3, 1, 2, 3, 0, 1, 2, 3});
  tridiagonal(handle);
  early_calls(handle);
}

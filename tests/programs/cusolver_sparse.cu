// SPDX-License-Identifier: Apache-2.0
// cuSOLVER for sparse matrices: orders of rows, factors that are kept, eigenvalues, batches, and refactorisation. A
// system is right if its matrix times the solution is the right side.
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

int failures = 0;

void expect(const char* what, bool right) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}
void returns(const char* what, int expected, int status) {
  if (status == expected) return;
  std::printf("%s returns %d, not %d\n", what, status, expected);
  ++failures;
}
#define RUN(call) returns(#call, CUSOLVER_STATUS_SUCCESS, call)

template <class T>
struct OnDevice {
  T* at = nullptr;
  size_t count;
  explicit OnDevice(const std::vector<T>& values) : count(values.size()) {
    cudaMalloc(&at, count * sizeof(T));
    cudaMemcpy(at, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~OnDevice() { cudaFree(at); }
  std::vector<T> now() const {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }
};

// The five-point matrix of a grid of side by side points, whose rows have their entries in ascending order.
struct Matrix {
  int n, base;
  std::vector<int> offsets, columns;
  std::vector<double> values;
  cusparseMatDescr_t descriptor;

  Matrix(int side, double diagonal, int base_) : n(side * side), base(base_), offsets{base_} {
    for (int i = 0; i < n; ++i) {
      if (i >= side) add(i - side, -1);
      if (i % side > 0) add(i - 1, -1);
      add(i, diagonal);
      if (i % side + 1 < side) add(i + 1, -1);
      if (i + side < n) add(i + side, -1);
      offsets.push_back(entries() + base);
    }
    cusparseCreateMatDescr(&descriptor);
    cusparseSetMatIndexBase(descriptor, base == 1 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO);
  }
  ~Matrix() { cusparseDestroyMatDescr(descriptor); }
  void add(int column, double value) {
    columns.push_back(column + base);
    values.push_back(value);
  }
  int entries() const { return int(columns.size()); }
  double residual(const std::vector<double>& x, const std::vector<double>& b) const {
    double worst = 0;
    for (int i = 0; i < n; ++i) {
      double sum = -b[i];
      for (int at = offsets[i] - base; at < offsets[i + 1] - base; ++at) sum += values[at] * x[columns[at] - base];
      worst = std::max(worst, std::abs(sum));
    }
    return worst;
  }
};

using OrderFunction = cusolverStatus_t (*)(cusolverSpHandle_t, int, int, cusparseMatDescr_t, const int*, const int*,
                                           int*);

void orders(cusolverSpHandle_t handle, const Matrix& a) {
  const auto in_halves = [](cusolverSpHandle_t h, int n, int nnz, cusparseMatDescr_t d, const int* rows,
                            const int* columns, int* p) {
    return cusolverSpXcsrmetisndHost(h, n, nnz, d, rows, columns, nullptr, p);
  };
  for (const OrderFunction order :
       {OrderFunction(cusolverSpXcsrsymrcmHost), OrderFunction(cusolverSpXcsrsymmdqHost),
        OrderFunction(cusolverSpXcsrsymamdHost), OrderFunction(in_halves)}) {
    std::vector<int> p(a.n), rows = a.offsets, columns = a.columns, map(a.entries());
    RUN(order(handle, a.n, a.entries(), a.descriptor, rows.data(), columns.data(), p.data()));
    size_t bytes = 0;
    RUN(cusolverSpXcsrperm_bufferSizeHost(handle, a.n, a.n, a.entries(), a.descriptor, rows.data(), columns.data(),
                                          p.data(), p.data(), &bytes));
    std::vector<char> buffer(bytes);
    for (int i = 0; i < a.entries(); ++i) map[i] = i;
    RUN(cusolverSpXcsrpermHost(handle, a.n, a.n, a.entries(), a.descriptor, rows.data(), columns.data(), p.data(),
                               p.data(), map.data(), buffer.data()));
    bool same = true;
    for (int i = 0; i < a.n; ++i) {
      for (int at = rows[i] - a.base; at < rows[i + 1] - a.base; ++at) {
        const int from = map[at];
        same &= from >= a.offsets[p[i]] - a.base && from < a.offsets[p[i] + 1] - a.base;
        same &= a.columns[from] - a.base == p[columns[at] - a.base];
        same &= at == rows[i] - a.base || columns[at - 1] < columns[at];
      }
    }
    expect("a matrix in another order", same);
  }
  int symmetric = -1;
  RUN(cusolverSpXcsrissymHost(handle, a.n, a.entries(), a.descriptor, a.offsets.data(), a.offsets.data() + 1,
                              a.columns.data(), &symmetric));
  expect("a symmetric pattern", symmetric == 1);
  const int upper_rows[] = {a.base, a.base + 2, a.base + 3}, upper_columns[] = {a.base, a.base + 1, a.base + 1};
  RUN(cusolverSpXcsrissymHost(handle, 2, 3, a.descriptor, upper_rows, upper_rows + 1, upper_columns, &symmetric));
  expect("a pattern that is not symmetric", symmetric == 0);
  const int twice[] = {0, 0};
  size_t bytes = 0;
  returns("an order with a row twice", CUSOLVER_STATUS_INVALID_VALUE,
          cusolverSpXcsrperm_bufferSizeHost(handle, 2, 2, 3, a.descriptor, upper_rows, upper_columns, twice, twice,
                                            &bytes));
}

void systems(cusolverSpHandle_t handle, const Matrix& a, const std::vector<double>& b) {
  for (int reorder = 0; reorder < 4; ++reorder) {
    int singularity = 0;
    std::vector<double> x(a.n);
    RUN(cusolverSpDcsrlsvluHost(handle, a.n, a.entries(), a.descriptor, a.values.data(), a.offsets.data(),
                                a.columns.data(), b.data(), 1e-12, reorder, x.data(), &singularity));
    expect("csrlsvluHost", singularity == -1 && a.residual(x, b) < 1e-13);
  }
  // The least eigenvalue of the grid's matrix is its diagonal less 4 cos(pi / (side + 1)).
  const double expected = a.values[0] - 4 * std::cos(std::acos(-1.0) / (std::sqrt(a.n) + 1));
  OnDevice<double> values(a.values), start(std::vector<double>(a.n, 1)), vector(std::vector<double>(a.n)), value({0});
  OnDevice<int> rows(a.offsets), columns(a.columns);
  RUN(cusolverSpDcsreigvsi(handle, a.n, a.entries(), a.descriptor, values.at, rows.at, columns.at, expected + 1e-3,
                           start.at, 50, 1e-12, value.at, vector.at));
  expect("csreigvsi", std::abs(value.now()[0] - expected) < 1e-11);
  double on_host = 0;
  std::vector<double> ones(a.n, 1), x(a.n);
  RUN(cusolverSpDcsreigvsiHost(handle, a.n, a.entries(), a.descriptor, a.values.data(), a.offsets.data(),
                               a.columns.data(), expected + 1e-3, ones.data(), 50, 1e-12, &on_host, x.data()));
  expect("csreigvsiHost", std::abs(on_host - expected) < 1e-11);
}

void kept_on_host(cusolverSpHandle_t handle, const Matrix& a, const std::vector<double>& b) {
  const double* values = a.values.data();
  const int *rows = a.offsets.data(), *columns = a.columns.data();
  size_t internal = 0, workspace = 0;
  int position = 0;
  std::vector<double> x(a.n);
  std::vector<char> buffer;
  csrcholInfoHost_t cholesky;
  RUN(cusolverSpCreateCsrcholInfoHost(&cholesky));
  returns("a solution before the analysis", CUSOLVER_STATUS_INVALID_VALUE,
          cusolverSpDcsrcholSolveHost(handle, a.n, b.data(), x.data(), cholesky, nullptr));
  RUN(cusolverSpXcsrcholAnalysisHost(handle, a.n, a.entries(), a.descriptor, rows, columns, cholesky));
  RUN(cusolverSpDcsrcholBufferInfoHost(handle, a.n, a.entries(), a.descriptor, values, rows, columns, cholesky,
                                       &internal, &workspace));
  buffer.resize(workspace);
  returns("a solution before the factors", CUSOLVER_STATUS_INVALID_VALUE,
          cusolverSpDcsrcholSolveHost(handle, a.n, b.data(), x.data(), cholesky, buffer.data()));
  RUN(cusolverSpDcsrcholFactorHost(handle, a.n, a.entries(), a.descriptor, values, rows, columns, cholesky,
                                   buffer.data()));
  RUN(cusolverSpDcsrcholZeroPivotHost(handle, cholesky, 1e-12, &position));
  RUN(cusolverSpDcsrcholSolveHost(handle, a.n, b.data(), x.data(), cholesky, buffer.data()));
  expect("csrcholSolveHost", position == -1 && a.residual(x, b) < 1e-13);
  RUN(cusolverSpDestroyCsrcholInfoHost(cholesky));

  csrqrInfoHost_t rotations;
  RUN(cusolverSpCreateCsrqrInfoHost(&rotations));
  RUN(cusolverSpXcsrqrAnalysisHost(handle, a.n, a.n, a.entries(), a.descriptor, rows, columns, rotations));
  RUN(cusolverSpDcsrqrBufferInfoHost(handle, a.n, a.n, a.entries(), a.descriptor, values, rows, columns, rotations,
                                     &internal, &workspace));
  buffer.resize(workspace);
  RUN(cusolverSpDcsrqrSetupHost(handle, a.n, a.n, a.entries(), a.descriptor, values, rows, columns, 0, rotations));
  RUN(cusolverSpDcsrqrFactorHost(handle, a.n, a.n, a.entries(), nullptr, nullptr, rotations, buffer.data()));
  RUN(cusolverSpDcsrqrZeroPivotHost(handle, rotations, 1e-12, &position));
  std::vector<double> right = b;
  RUN(cusolverSpDcsrqrSolveHost(handle, a.n, a.n, right.data(), x.data(), rotations, buffer.data()));
  expect("csrqrSolveHost", position == -1 && a.residual(x, b) < 1e-13);
  RUN(cusolverSpDestroyCsrqrInfoHost(rotations));
}

void kept_on_device(cusolverSpHandle_t handle, const Matrix& a, const std::vector<double>& b) {
  OnDevice<double> values(a.values), right(b), x(std::vector<double>(a.n)), diagonal(std::vector<double>(a.n));
  OnDevice<int> rows(a.offsets), columns(a.columns);
  OnDevice<char> buffer(std::vector<char>(1 << 20));
  size_t internal = 0, workspace = 0;
  int position = 0;
  csrcholInfo_t cholesky;
  RUN(cusolverSpCreateCsrcholInfo(&cholesky));
  RUN(cusolverSpXcsrcholAnalysis(handle, a.n, a.entries(), a.descriptor, rows.at, columns.at, cholesky));
  RUN(cusolverSpDcsrcholBufferInfo(handle, a.n, a.entries(), a.descriptor, values.at, rows.at, columns.at, cholesky,
                                   &internal, &workspace));
  RUN(cusolverSpDcsrcholFactor(handle, a.n, a.entries(), a.descriptor, values.at, rows.at, columns.at, cholesky,
                               buffer.at));
  RUN(cusolverSpDcsrcholZeroPivot(handle, cholesky, 1e-12, &position));
  RUN(cusolverSpDcsrcholSolve(handle, a.n, right.at, x.at, cholesky, buffer.at));
  expect("csrcholSolve", position == -1 && a.residual(x.now(), b) < 1e-13);
  RUN(cusolverSpDcsrcholDiag(handle, cholesky, diagonal.at));
  expect("csrcholDiag", diagonal.now()[0] == std::sqrt(a.values[0]));
  RUN(cusolverSpDestroyCsrcholInfo(cholesky));

  csrqrInfo_t rotations;
  RUN(cusolverSpCreateCsrqrInfo(&rotations));
  RUN(cusolverSpXcsrqrAnalysis(handle, a.n, a.n, a.entries(), a.descriptor, rows.at, columns.at, rotations));
  RUN(cusolverSpDcsrqrSetup(handle, a.n, a.n, a.entries(), a.descriptor, values.at, rows.at, columns.at, 1, rotations));
  cudaMemset(x.at, 0, a.n * sizeof(double));
  RUN(cusolverSpDcsrqrFactor(handle, a.n, a.n, a.entries(), right.at, x.at, rotations, buffer.at));
  std::vector<double> shifted = b, solution = x.now();
  for (int i = 0; i < a.n; ++i) shifted[i] += solution[i];
  expect("csrqrFactor with a shift", a.residual(solution, shifted) < 1e-12);
  RUN(cusolverSpDestroyCsrqrInfo(rotations));

  // The matrix, and twice the matrix.
  std::vector<double> two = a.values, both = b;
  for (const double value : a.values) two.push_back(2 * value);
  both.insert(both.end(), b.begin(), b.end());
  OnDevice<double> matrices(two), sides(both), solutions(std::vector<double>(2 * a.n));
  csrqrInfo_t batch;
  RUN(cusolverSpCreateCsrqrInfo(&batch));
  RUN(cusolverSpXcsrqrAnalysisBatched(handle, a.n, a.n, a.entries(), a.descriptor, rows.at, columns.at, batch));
  RUN(cusolverSpDcsrqrBufferInfoBatched(handle, a.n, a.n, a.entries(), a.descriptor, matrices.at, rows.at, columns.at,
                                        2, batch, &internal, &workspace));
  RUN(cusolverSpDcsrqrsvBatched(handle, a.n, a.n, a.entries(), a.descriptor, matrices.at, rows.at, columns.at,
                                sides.at, solutions.at, 2, batch, buffer.at));
  std::vector<double> found = solutions.now(), first(found.begin(), found.begin() + a.n);
  bool half = a.residual(first, b) < 1e-13;
  for (int i = 0; i < a.n; ++i) half &= std::abs(2 * found[a.n + i] - found[i]) < 1e-13;
  expect("csrqrsvBatched", half);
  RUN(cusolverSpDestroyCsrqrInfo(batch));
}

// L, U and the orders of a matrix whose indices begin with 0.
struct Factors {
  std::vector<int> p, q, lower_rows, lower_columns, upper_rows, upper_columns;
  std::vector<double> lower, upper;

  Factors(cusolverSpHandle_t handle, const Matrix& a, const std::vector<double>& b)
      : p(a.n), q(a.n), lower_rows(a.n + 1), upper_rows(a.n + 1) {
    csrluInfoHost_t info;
    int position = 0, nnz_lower = 0, nnz_upper = 0;
    size_t internal = 0, workspace = 0;
    std::vector<double> x(a.n);
    RUN(cusolverSpCreateCsrluInfoHost(&info));
    RUN(cusolverSpXcsrluAnalysisHost(handle, a.n, a.entries(), a.descriptor, a.offsets.data(), a.columns.data(), info));
    RUN(cusolverSpDcsrluBufferInfoHost(handle, a.n, a.entries(), a.descriptor, a.values.data(), a.offsets.data(),
                                       a.columns.data(), info, &internal, &workspace));
    std::vector<char> buffer(workspace);
    RUN(cusolverSpDcsrluFactorHost(handle, a.n, a.entries(), a.descriptor, a.values.data(), a.offsets.data(),
                                   a.columns.data(), info, 1, buffer.data()));
    RUN(cusolverSpDcsrluZeroPivotHost(handle, info, 1e-12, &position));
    RUN(cusolverSpDcsrluSolveHost(handle, a.n, b.data(), x.data(), info, buffer.data()));
    expect("csrluSolveHost", position == -1 && a.residual(x, b) < 1e-12);
    RUN(cusolverSpXcsrluNnzHost(handle, &nnz_lower, &nnz_upper, info));
    lower_columns.resize(nnz_lower);
    lower.resize(nnz_lower);
    upper_columns.resize(nnz_upper);
    upper.resize(nnz_upper);
    RUN(cusolverSpDcsrluExtractHost(handle, p.data(), q.data(), a.descriptor, lower.data(), lower_rows.data(),
                                    lower_columns.data(), a.descriptor, upper.data(), upper_rows.data(),
                                    upper_columns.data(), info, buffer.data()));
    RUN(cusolverSpDestroyCsrluInfoHost(info));
  }
};

void refactorisation(cusolverSpHandle_t sparse, Matrix& a, const std::vector<double>& b) {
  Factors of(sparse, a, b);
  cusolverRfHandle_t handle;
  RUN(cusolverRfCreate(&handle));
  returns("a refactorisation of nothing", CUSOLVER_STATUS_NOT_INITIALIZED, cusolverRfRefactor(handle));
  RUN(cusolverRfSetMatrixFormat(handle, CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
  returns("an algorithm that is not there", CUSOLVER_STATUS_INVALID_VALUE,
          cusolverRfSetAlgs(handle, CUSOLVERRF_FACTORIZATION_ALG0, cusolverRfTriangularSolve_t(4)));
  RUN(cusolverRfSetupHost(a.n, a.entries(), a.offsets.data(), a.columns.data(), a.values.data(), int(of.lower.size()),
                          of.lower_rows.data(), of.lower_columns.data(), of.lower.data(), int(of.upper.size()),
                          of.upper_rows.data(), of.upper_columns.data(), of.upper.data(), of.p.data(), of.q.data(),
                          handle));
  RUN(cusolverRfAnalyze(handle));
  for (double& value : a.values) value *= value > 0 ? 3 : 1;
  OnDevice<double> values(a.values), x(b), temporary(b);
  OnDevice<int> rows(a.offsets), columns(a.columns), p(of.p), q(of.q);
  RUN(cusolverRfResetValues(a.n, a.entries(), rows.at, columns.at, values.at, p.at, q.at, handle));
  RUN(cusolverRfRefactor(handle));
  RUN(cusolverRfSolve(handle, p.at, q.at, 1, temporary.at, a.n, x.at, a.n));
  expect("cusolverRfSolve", a.residual(x.now(), b) < 1e-13);

  int entries = 0, nnz_lower = 0, nnz_upper = 0, *m_rows, *m_columns, *l_rows, *l_columns, *u_rows, *u_columns;
  double *m, *l, *u;
  RUN(cusolverRfExtractBundledFactorsHost(handle, &entries, &m_rows, &m_columns, &m));
  RUN(cusolverRfExtractSplitFactorsHost(handle, &nnz_lower, &l_rows, &l_columns, &l, &nnz_upper, &u_rows, &u_columns,
                                        &u));
  expect("factors apart", entries == nnz_lower + nnz_upper && u_rows[a.n] == nnz_upper && u[0] == m[0]);
  int on_device = 0, *d_rows, *d_columns;
  double* d_values;
  RUN(cusolverRfAccessBundledFactorsDevice(handle, &on_device, &d_rows, &d_columns, &d_values));
  std::vector<double> copied(entries);
  returns("cudaMemcpy", cudaSuccess,
          cudaMemcpy(copied.data(), d_values, entries * sizeof(double), cudaMemcpyDeviceToHost));
  expect("factors on the device", on_device == entries && std::equal(copied.begin(), copied.end(), m));
  for (void* memory : {(void*)m_rows, (void*)m_columns, (void*)m, (void*)l_rows, (void*)l_columns, (void*)l,
                       (void*)u_rows, (void*)u_columns, (void*)u}) {
    std::free(memory);
  }
  cudaMemset(values.at, 0, a.entries() * sizeof(double));
  RUN(cusolverRfResetValues(a.n, a.entries(), rows.at, columns.at, values.at, p.at, q.at, handle));
  returns("a matrix of zeros", CUSOLVER_STATUS_ZERO_PIVOT, cusolverRfRefactor(handle));
  cusolverRfNumericBoostReport_t report;
  RUN(cusolverRfSetNumericProperties(handle, 1e-10, 1));
  RUN(cusolverRfRefactor(handle));
  RUN(cusolverRfGetNumericBoostReport(handle, &report));
  expect("the report of boosts", report == CUSOLVERRF_NUMERIC_BOOST_USED);
  RUN(cusolverRfDestroy(handle));
}

int main() {
  cusolverSpHandle_t handle;
  RUN(cusolverSpCreate(&handle));
  const Matrix from_one(12, 5, 1);
  std::vector<double> b(from_one.n);
  for (int i = 0; i < from_one.n; ++i) b[i] = 1 + double(i) / from_one.n;
  orders(handle, from_one);
  systems(handle, from_one, b);
  kept_on_host(handle, from_one, b);
  kept_on_device(handle, from_one, b);
  Matrix from_zero(12, 0.5, 0);
  refactorisation(handle, from_zero, b);
  RUN(cusolverSpDestroy(handle));
  std::printf("%s\n", failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}

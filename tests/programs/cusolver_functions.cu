// SPDX-License-Identifier: Apache-2.0
// cuSOLVER: what solutions, factors, eigenvalues and singular values have to multiply to, for every type, devInfo of
// matrices that are singular or not positive definite, and what calls with mistakes return.
#include <cublas_v2.h>
#include <cusolverDn.h>
#include <cusolverSp.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <type_traits>
#include <vector>

using Number = std::complex<double>;
using Numbers = std::vector<Number>;

int failures = 0;

void say(const char* type, const char* what, double difference, double bound) {
  if (difference <= bound) return;
  std::printf("%s: %s differs by %g\n", type, what, difference);
  ++failures;
}

double random_number() {
  static unsigned state = 1;
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / double(1 << 24) - 0.5;
}

template <class T>
T make(Number value) {
  if constexpr (std::is_arithmetic_v<T>)
    return T(value.real());
  else
    return T{decltype(T::x)(value.real()), decltype(T::x)(value.imag())};
}
template <class T>
Number back(T value) {
  if constexpr (std::is_arithmetic_v<T>)
    return double(value);
  else
    return {value.x, value.y};
}

template <class T>
struct Array {
  int count;
  T* device = nullptr;
  explicit Array(int n) : count(n) { cudaMalloc(&device, n * sizeof(T)); }
  explicit Array(const Numbers& values) : Array(int(values.size())) {
    std::vector<T> host;
    for (const Number value : values) host.push_back(make<T>(value));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Array() { cudaFree(device); }
  Numbers now() const {
    std::vector<T> host(count);
    cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
    Numbers values;
    for (const T& value : host) values.push_back(back(value));
    return values;
  }
};

struct Info : Array<int> {
  Info() : Array<int>(1) {}
  int value() const { return int(now()[0].real()); }
};

// Matrices of the host are stored by columns too.
Numbers product(const Numbers& a, const Numbers& b, int m, int k, int n) {
  Numbers c(m * n);
  for (int j = 0; j < n; ++j)
    for (int p = 0; p < k; ++p)
      for (int i = 0; i < m; ++i) c[j * m + i] += a[p * m + i] * b[j * k + p];
  return c;
}
Numbers adjoint(const Numbers& a, int m, int n) {
  Numbers turned(m * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) turned[i * n + j] = std::conj(a[j * m + i]);
  return turned;
}
double distance(const Numbers& a, const Numbers& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}
// The columns of `a` times the numbers of `by`.
Numbers scaled(Numbers a, int m, const Numbers& by) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] *= by[i / m];
  return a;
}

template <class T>
Numbers random_matrix(int m, int n) {
  Numbers values(m * n);
  for (Number& value : values) {
    value = {random_number(), random_number()};
    value = back(make<T>(value));
  }
  return values;
}
template <class T>
Numbers hermitian_matrix(int n, double diagonal) {
  const Numbers a = random_matrix<T>(n, n), turned = adjoint(a, n, n);
  Numbers sum(n * n);
  for (int i = 0; i < n * n; ++i) sum[i] = back(make<T>(a[i] + turned[i] + (i % (n + 1) == 0 ? diagonal : 0)));
  return sum;
}

const int kOrder = 20, kRows = 27;

template <class T, class R>
struct Checks {
  const char* type;
  double bound;
  cusolverDnHandle_t handle;
  Info info{};
  int lwork = 0;

  Array<T> workspace() const { return Array<T>(lwork); }

  template <class Size, class Factor, class Solve>
  void lu(Size size, Factor factor, Solve solve) {
    const Numbers a = random_matrix<T>(kOrder, kOrder), b = random_matrix<T>(kOrder, 2);
    Array<T> factors(a), x(b);
    Array<int> pivots(kOrder);
    size(handle, kOrder, kOrder, factors.device, kOrder, &lwork);
    Array<T> work = workspace();
    factor(handle, kOrder, kOrder, factors.device, kOrder, work.device, pivots.device, info.device);
    say(type, "devInfo of getrf", info.value(), 0);
    solve(handle, CUBLAS_OP_C, kOrder, 2, factors.device, kOrder, pivots.device, x.device, kOrder, info.device);
    say(type, "getrs", distance(product(adjoint(a, kOrder, kOrder), x.now(), kOrder, kOrder, 2), b), 50 * bound);
    Array<T> zero(Numbers(kOrder * kOrder));
    factor(handle, kOrder, kOrder, zero.device, kOrder, work.device, pivots.device, info.device);
    say(type, "devInfo of a singular matrix", std::abs(info.value() - 1), 0);
  }

  template <class Size, class Factor, class Solve>
  void cholesky(Size size, Factor factor, Solve solve) {
    const Numbers a = hermitian_matrix<T>(kOrder, kOrder), b = random_matrix<T>(kOrder, 2);
    for (const auto part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
      Array<T> factors(a), x(b);
      size(handle, part, kOrder, factors.device, kOrder, &lwork);
      Array<T> work = workspace();
      factor(handle, part, kOrder, factors.device, kOrder, work.device, lwork, info.device);
      say(type, "devInfo of potrf", info.value(), 0);
      solve(handle, part, kOrder, 2, factors.device, kOrder, x.device, kOrder, info.device);
      say(type, "potrs", distance(product(a, x.now(), kOrder, kOrder, 2), b), bound);
      Numbers indefinite = a;
      indefinite[4 * kOrder + 4] = -1;
      Array<T> wrong(indefinite);
      factor(handle, part, kOrder, wrong.device, kOrder, work.device, lwork, info.device);
      say(type, "devInfo of an indefinite matrix", std::abs(info.value() - 5), 0);
    }
  }

  template <class Size, class Factor, class Form, class Multiply>
  void qr(Size size, Factor factor, Form form, Multiply multiply) {
    const Numbers a = random_matrix<T>(kRows, kOrder);
    Array<T> factors(a), tau(kOrder), product_of_q(a);
    size(handle, kRows, kOrder, factors.device, kRows, &lwork);
    Array<T> work = workspace();
    factor(handle, kRows, kOrder, factors.device, kRows, tau.device, work.device, lwork, info.device);
    const auto turned = std::is_arithmetic_v<T> ? CUBLAS_OP_T : CUBLAS_OP_C;
    multiply(handle, CUBLAS_SIDE_LEFT, turned, kRows, kOrder, kOrder, factors.device, kRows, tau.device,
             product_of_q.device, kRows, work.device, lwork, info.device);
    Numbers r = factors.now();
    for (int i = 0; i < kRows * kOrder; ++i) r[i] = i % kRows <= i / kRows ? r[i] : 0;
    say(type, "ormqr", distance(product_of_q.now(), r), bound);
    form(handle, kRows, kOrder, kOrder, factors.device, kRows, tau.device, work.device, lwork, info.device);
    Numbers square;
    for (int i = 0; i < kRows * kOrder; ++i) {
      if (i % kRows < kOrder) square.push_back(r[i]);
    }
    say(type, "orgqr", distance(product(factors.now(), square, kRows, kOrder, kOrder), a), bound);
  }

  void eigen_difference(const char* what, const Numbers& a, const Numbers& v, const Numbers& w, const Numbers& b) {
    const Numbers left = product(a, v, kOrder, kOrder, kOrder);
    const Numbers right = product(b, scaled(v, kOrder, w), kOrder, kOrder, kOrder);
    say(type, what, distance(left, right), 20 * bound);
  }

  template <class Direct, class Jacobi, class Pencils>
  void eigenvalues(Direct direct, Jacobi jacobi, Pencils pencils) {
    const Numbers a = hermitian_matrix<T>(kOrder, 0), b = hermitian_matrix<T>(kOrder, kOrder);
    Numbers one(kOrder * kOrder);
    for (int i = 0; i < kOrder; ++i) one[i * (kOrder + 1)] = 1;
    Array<R> w(kOrder), other(kOrder);
    Array<T> v(a), turned(a), vectors(a), metric(b);
    lwork = 32 * kOrder;
    Array<T> work = workspace();
    const auto mode = CUSOLVER_EIG_MODE_VECTOR;
    direct(handle, mode, CUBLAS_FILL_MODE_LOWER, kOrder, v.device, kOrder, w.device, work.device, lwork, info.device);
    eigen_difference("syevd", a, v.now(), w.now(), one);
    syevjInfo_t parameters;
    cusolverDnCreateSyevjInfo(&parameters);
    jacobi(handle, mode, CUBLAS_FILL_MODE_UPPER, kOrder, turned.device, kOrder, other.device, work.device, lwork,
           info.device, parameters);
    eigen_difference("syevj", a, turned.now(), other.now(), one);
    say(type, "eigenvalues", distance(w.now(), other.now()), bound);
    cusolverDnXsyevjSetMaxSweeps(parameters, 1);
    jacobi(handle, mode, CUBLAS_FILL_MODE_UPPER, kOrder, vectors.device, kOrder, other.device, work.device, lwork,
           info.device, parameters);
    say(type, "devInfo after one sweep", std::abs(info.value() - (kOrder + 1)), 0);
    cusolverDnDestroySyevjInfo(parameters);
    Array<T> pencil(a);
    pencils(handle, CUSOLVER_EIG_TYPE_1, mode, CUBLAS_FILL_MODE_UPPER, kOrder, pencil.device, kOrder, metric.device,
            kOrder, w.device, work.device, lwork, info.device);
    eigen_difference("sygvd", a, pencil.now(), w.now(), b);
  }

  template <class Direct, class Jacobi, class Ranked>
  void singular_values(Direct direct, Jacobi jacobi, Ranked ranked) {
    const Numbers a = random_matrix<T>(kRows, kOrder);
    Array<R> s(kOrder), other(kOrder);
    Array<T> u(kRows * kRows), vt(kOrder * kOrder), v(kOrder * kOrder);
    lwork = 32 * kRows;
    Array<T> work = workspace(), first(a), second(a);
    direct(handle, 'S', 'S', kRows, kOrder, first.device, kRows, s.device, u.device, kRows, vt.device, kOrder,
           work.device, lwork, nullptr, info.device);
    const auto check = [&](const char* what, const Numbers& right) {
      Numbers left = u.now();
      left.resize(kRows * kOrder);
      say(type, what, distance(product(scaled(left, kRows, s.now()), right, kRows, kOrder, kOrder), a), 10 * bound);
    };
    check("gesvd", vt.now());
    gesvdjInfo_t parameters;
    cusolverDnCreateGesvdjInfo(&parameters);
    jacobi(handle, CUSOLVER_EIG_MODE_VECTOR, 0, kRows, kOrder, second.device, kRows, other.device, u.device, kRows,
           v.device, kOrder, work.device, lwork, info.device, parameters);
    check("gesvdj", adjoint(v.now(), kOrder, kOrder));
    say(type, "singular values", distance(s.now(), other.now()), bound);
    cusolverDnDestroyGesvdjInfo(parameters);
    const int rank = 3;
    double rest = -1, square = 0;
    Array<T> third(a);
    ranked(handle, CUSOLVER_EIG_MODE_VECTOR, rank, kRows, kOrder, third.device, kRows, 0, other.device, 0, u.device,
           kRows, 0, v.device, kOrder, 0, work.device, lwork, info.device, &rest, 1);
    const Numbers all = s.now(), largest = other.now();
    for (int i = 0; i < kOrder; ++i) square += i < rank ? 0 : std::norm(all[i]);
    say(type, "values of gesvda", std::abs(largest[rank - 1] - all[rank - 1]), bound);
    say(type, "what gesvda leaves", std::abs(rest - std::sqrt(square)), 10 * bound);
  }
};

#define CHECK_TYPE(t, T, R, sy, gqr, mqr, bound)                                                          \
  {                                                                                                       \
    Checks<T, R> of{#t, bound, handle};                                                                   \
    of.lu(cusolverDn##t##getrf_bufferSize, cusolverDn##t##getrf, cusolverDn##t##getrs);                   \
    of.cholesky(cusolverDn##t##potrf_bufferSize, cusolverDn##t##potrf, cusolverDn##t##potrs);             \
    of.qr(cusolverDn##t##geqrf_bufferSize, cusolverDn##t##geqrf, cusolverDn##t##gqr, cusolverDn##t##mqr); \
    of.eigenvalues(cusolverDn##t##sy##evd, cusolverDn##t##sy##evj, cusolverDn##t##sy##gvd);               \
    of.singular_values(cusolverDn##t##gesvd, cusolverDn##t##gesvdj, cusolverDn##t##gesvdaStridedBatched); \
  }

void expect(const char* what, cusolverStatus_t expected, cusolverStatus_t status) {
  if (status == expected) return;
  std::printf("%s is %d in place of %d\n", what, int(status), int(expected));
  ++failures;
}

void statuses(cusolverDnHandle_t handle) {
  Array<double> a(Numbers(16)), work(1024);
  Info info;
  double host[16] = {};
  const auto lower = CUBLAS_FILL_MODE_LOWER;
  expect("a null handle", CUSOLVER_STATUS_NOT_INITIALIZED,
         cusolverDnDpotrf(nullptr, lower, 4, a.device, 4, work.device, 1024, info.device));
  expect("a short lda", CUSOLVER_STATUS_INVALID_VALUE,
         cusolverDnDpotrf(handle, lower, 4, a.device, 3, work.device, 1024, info.device));
  if (info.value() != -4) {
    std::printf("devInfo of a short lda is %d\n", info.value());
    ++failures;
  }
  expect("memory of the host", CUSOLVER_STATUS_EXECUTION_FAILED,
         cusolverDnDpotrf(handle, lower, 4, host, 4, work.device, 1024, info.device));
  const int large = 20000;  // memory that LAPACK needs for vectors has more numbers than its integers count
  expect("eigenvalues of too large a matrix", CUSOLVER_STATUS_NOT_SUPPORTED,
         cusolverDnDsyevd(handle, CUSOLVER_EIG_MODE_VECTOR, lower, large, a.device, large, work.device, work.device,
                          1024, info.device));
  expect("a function that is not modelled", CUSOLVER_STATUS_NOT_SUPPORTED,
         cusolverDnDsytrf(handle, lower, 4, a.device, 4, nullptr, work.device, 1024, info.device));
}

// A tridiagonal matrix whose solution is all ones: 4 on the diagonal and -1 next to it; then with a zero row.
void sparse() {
  const int n = 50, entries = 3 * n - 2;
  Numbers values, columns, offsets, b;
  for (int i = 0; i < n; ++i) {
    offsets.push_back(double(values.size() + 1));
    for (int j = std::max(i - 1, 0); j <= std::min(i + 1, n - 1); ++j) {
      values.push_back(i == j ? 4 : -1);
      columns.push_back(j + 1);
    }
    b.push_back(i == 0 || i == n - 1 ? 3 : 2);
  }
  offsets.push_back(double(values.size() + 1));
  Array<double> matrix(values), right(b), x(n);
  Array<int> rows(offsets), indices(columns);
  cusparseMatDescr_t description;
  cusparseCreateMatDescr(&description);
  cusparseSetMatIndexBase(description, CUSPARSE_INDEX_BASE_ONE);
  cusolverSpHandle_t handle;
  int singularity = 7;
  expect("cusolverSpCreate", CUSOLVER_STATUS_SUCCESS, cusolverSpCreate(&handle));
  const Numbers ones(n, 1);
  expect("csrlsvqr", CUSOLVER_STATUS_SUCCESS,
         cusolverSpDcsrlsvqr(handle, n, entries, description, matrix.device, rows.device, indices.device, right.device,
                             1e-12, 0, x.device, &singularity));
  say("sparse", "csrlsvqr", distance(x.now(), ones) + std::abs(singularity + 1), 1e-14);
  Array<double> again(n);
  expect("csrlsvchol", CUSOLVER_STATUS_SUCCESS,
         cusolverSpDcsrlsvchol(handle, n, entries, description, matrix.device, rows.device, indices.device,
                               right.device, 1e-12, 0, again.device, &singularity));
  say("sparse", "csrlsvchol", distance(again.now(), ones) + std::abs(singularity + 1), 1e-14);
  for (int i = 0; i < 2; ++i) values[i] = 0;
  Array<double> without_pivot(values);
  cusolverSpDcsrlsvchol(handle, n, entries, description, without_pivot.device, rows.device, indices.device,
                        right.device, 1e-12, 0, again.device, &singularity);
  say("sparse", "singularity", singularity, 0);
  columns[0] = n + 1;
  Array<int> outside(columns);
  expect("a column outside of the matrix", CUSOLVER_STATUS_INVALID_VALUE,
         cusolverSpDcsrlsvqr(handle, n, entries, description, matrix.device, rows.device, outside.device, right.device,
                             1e-12, 0, x.device, &singularity));
  expect("cusolverSpDestroy", CUSOLVER_STATUS_SUCCESS, cusolverSpDestroy(handle));
  cusparseDestroyMatDescr(description);
}

int main() {
  cusolverDnHandle_t handle;
  cusolverDnCreate(&handle);
  CHECK_TYPE(S, float, float, sy, orgqr, ormqr, 1e-5)
  CHECK_TYPE(D, double, double, sy, orgqr, ormqr, 1e-13)
  CHECK_TYPE(C, cuComplex, float, he, ungqr, unmqr, 1e-5)
  CHECK_TYPE(Z, cuDoubleComplex, double, he, ungqr, unmqr, 1e-13)
  statuses(handle);
  sparse();
  cusolverDnDestroy(handle);
  std::printf("%s\n", failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}

// SPDX-License-Identifier: Apache-2.0
// cuBLAS: products of matrices in every type and transposition, triangular systems, symmetric matrices, vectors,
// factors in device memory and batches against sums computed on the host, and what calls with mistakes return.
#include <cublas_v2.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <vector>

using Number = std::complex<double>;

constexpr int kM = 70, kN = 9, kK = 13, kOrder = 70;

int failures = 0;

double random_number() {
  static unsigned state = 1;
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / double(1 << 24) - 0.5;
}

template <class T>
T make(Number value) {
  if constexpr (sizeof(T) == 16)
    return T{value.real(), value.imag()};
  else
    return T(value.real());
}
Number back(double value) {
  return value;
}
Number back(float value) {
  return value;
}
Number back(double2 value) {
  return {value.x, value.y};
}
Number back(__half value) {
  return float(value);
}
Number back(__nv_bfloat16 value) {
  return float(value);
}

template <class T>
struct Array {
  std::vector<T> host;
  T* device = nullptr;
  explicit Array(int n) : host(n) {
    for (T& at : host) at = make<T>({random_number(), random_number()});
    cudaMalloc(&device, n * sizeof(T));
    cublasSetVector(n, sizeof(T), host.data(), 1, device, 1);
  }
  ~Array() { cudaFree(device); }
  std::vector<T> now() const {
    std::vector<T> copy(host.size());
    cublasGetVector(int(host.size()), sizeof(T), device, 1, copy.data(), 1);
    return copy;
  }
};

void say(const char* what, double difference, double bound) {
  if (difference <= bound) return;
  std::printf("%s differs by %g\n", what, difference);
  ++failures;
}

Number value(const std::vector<Number>& all, int leading, cublasOperation_t operation, int i, int j) {
  const Number stored = operation == CUBLAS_OP_N ? all[j * leading + i] : all[i * leading + j];
  return operation == CUBLAS_OP_C ? std::conj(stored) : stored;
}

template <class T>
std::vector<Number> numbers_of(const Array<T>& array) {
  std::vector<Number> all;
  for (const T& at : array.host) all.push_back(back(at));
  return all;
}

template <class T, class Scale, class Call>
void products(const char* name, double bound, Call call) {
  const Scale alpha = make<Scale>({1.5, 0.5}), beta = make<Scale>({-0.5, 0.25});
  double worst = 0;
  for (const cublasOperation_t ta : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    for (const cublasOperation_t tb : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
      Array<T> a(80 * 80), b(80 * 80), c(80 * kN);
      call(ta, tb, &alpha, a.device, b.device, &beta, c.device);
      const auto va = numbers_of(a), vb = numbers_of(b);
      const auto result = c.now();
      for (int j = 0; j < kN; ++j) {
        for (int i = 0; i < kM; ++i) {
          Number sum = 0;
          for (int p = 0; p < kK; ++p) sum += value(va, 80, ta, i, p) * value(vb, 80, tb, p, j);
          const Number expected = back(alpha) * sum + back(beta) * back(c.host[j * 80 + i]);
          worst = std::max(worst, std::abs(expected - back(result[j * 80 + i])));
        }
      }
    }
  }
  say(name, worst, bound);
}

// A * X = alpha * B, or X * A = alpha * B, for each triangle and operation; trmm has to undo it.
void triangles(cublasHandle_t handle) {
  double worst = 0;
  const double alpha = 2, inverse = 0.5;
  for (const cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
    for (const cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
      for (const cublasOperation_t trans : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        for (const cublasDiagType_t diagonal : {CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT}) {
          const int m = 6, n = 8, order = side == CUBLAS_SIDE_LEFT ? m : n;
          Array<double> a(order * order), b(m * n), c(m * n);
          for (int i = 0; i < order; ++i) a.host[i * order + i] += 3;
          cublasSetVector(order * order, 8, a.host.data(), 1, a.device, 1);
          cublasDtrsm(handle, side, part, trans, diagonal, m, n, &alpha, a.device, order, b.device, m);
          cublasDtrmm(handle, side, part, trans, diagonal, m, n, &inverse, a.device, order, b.device, m, c.device, m);
          const auto result = c.now();
          for (int i = 0; i < m * n; ++i) worst = std::max(worst, std::abs(result[i] - b.host[i]));
        }
      }
    }
  }
  say("Dtrsm and Dtrmm", worst, 1e-12);
}

void symmetric(cublasHandle_t handle) {
  const double one = 1, zero = 0;
  Array<double> a(kOrder * kOrder), x(kOrder), y(kOrder), z(kOrder), full(kOrder * kOrder);
  for (int j = 0; j < kOrder; ++j)
    for (int i = 0; i < kOrder; ++i) full.host[j * kOrder + i] = a.host[i > j ? j * kOrder + i : i * kOrder + j];
  cublasSetMatrix(kOrder, kOrder, 8, full.host.data(), kOrder, full.device, kOrder);
  cublasDsymv(handle, CUBLAS_FILL_MODE_LOWER, kOrder, &one, a.device, kOrder, x.device, 1, &zero, y.device, 1);
  cublasDgemv(handle, CUBLAS_OP_T, kOrder, kOrder, &one, full.device, kOrder, x.device, 1, &zero, z.device, 1);
  const auto first = y.now(), second = z.now();
  double worst = 0;
  for (int i = 0; i < kOrder; ++i) worst = std::max(worst, std::abs(first[i] - second[i]));
  say("Dsymv and Dgemv", worst, 1e-12);
}

void vectors(cublasHandle_t handle) {
  const int n = 20;
  Array<float> x(n), y(n);
  x.host[7] = -4;
  cublasSetVector(n, 4, x.host.data(), 1, x.device, 1);
  float dot, norm, sum, expected_dot = 0, squares = 0, sizes = 0;
  int largest, smallest, least = 0;
  for (int i = 0; i < n; ++i) {
    expected_dot += x.host[i] * y.host[n - 1 - i];
    squares += x.host[i] * x.host[i];
    sizes += std::fabs(x.host[i]);
    if (std::fabs(x.host[i]) < std::fabs(x.host[least])) least = i;
  }
  cublasSdot(handle, n, x.device, 1, y.device, -1, &dot);
  cublasSnrm2(handle, n, x.device, 1, &norm);
  cublasSasum(handle, n, x.device, 1, &sum);
  cublasIsamax(handle, n, x.device, 1, &largest);
  cublasIsamin(handle, n, x.device, 1, &smallest);
  say("Sdot", std::fabs(dot - expected_dot), 1e-5);
  say("Snrm2", std::fabs(norm - std::sqrt(squares)), 1e-5);
  say("Sasum", std::fabs(sum - sizes), 1e-5);
  say("Isamax", std::abs(largest - 8), 0);
  say("Isamin", std::abs(smallest - 1 - least), 0);
  float* scale;
  const float two = 2;
  cudaMalloc(&scale, sizeof *scale);
  cudaMemcpy(scale, &two, sizeof two, cudaMemcpyHostToDevice);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  cublasSaxpy(handle, n, scale, x.device, 1, y.device, 1);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  double worst = 0;
  const auto result = y.now();
  for (int i = 0; i < n; ++i) worst = std::max<double>(worst, std::fabs(result[i] - (2 * x.host[i] + y.host[i])));
  say("Saxpy with a factor in device memory", worst, 1e-6);
  cudaFree(scale);
}

void batches(cublasHandle_t handle) {
  const float one = 1, zero = 0;
  Array<float> a(3 * 16), b(3 * 16), c(3 * 16), d(3 * 16);
  cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a.device, 4, 16, b.device, 4, 16, &zero,
                            c.device, 4, 16, 3);
  float* rows[9];
  for (int i = 0; i < 3; ++i) {
    rows[i] = a.device + 16 * i;
    rows[3 + i] = b.device + 16 * i;
    rows[6 + i] = d.device + 16 * i;
  }
  float** pointers;
  cudaMalloc(&pointers, sizeof rows);
  cudaMemcpy(pointers, rows, sizeof rows, cudaMemcpyHostToDevice);
  cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, pointers, 4, pointers + 3, 4, &zero, pointers + 6,
                     4, 3);
  say("batches", c.now() == d.now() ? 0 : 1, 0);
  cudaFree(pointers);
}

// The inverse of a factorised matrix, and the solution of a system with it, times the matrix.
void systems(cublasHandle_t handle) {
  constexpr int kSide = 6, kSize = kSide * kSide;
  const double one = 1, zero = 0;
  Array<double> a(kSize), factors(kSize), inverse(kSize), x(kSize), identity(kSize), b(kSize);
  cublasSetVector(kSize, 8, a.host.data(), 1, factors.device, 1);
  cublasSetVector(kSize, 8, b.host.data(), 1, x.device, 1);
  double* const places[] = {factors.device, inverse.device, x.device};
  double** at;
  int *pivots, info = -1;
  cudaMalloc(&at, sizeof places);
  cudaMalloc(&pivots, (kSide + 1) * sizeof(int));
  cudaMemcpy(at, places, sizeof places, cudaMemcpyHostToDevice);
  cublasDgetrfBatched(handle, kSide, at, kSide, pivots, pivots + kSide, 1);
  cublasDgetriBatched(handle, kSide, at, kSide, pivots, at + 1, kSide, pivots + kSide, 1);
  cublasDgetrsBatched(handle, CUBLAS_OP_N, kSide, kSide, at, kSide, pivots, at + 2, kSide, &info, 1);
  cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, kSide, kSide, kSide, &one, a.device, kSide, inverse.device, kSide,
              &zero, identity.device, kSide);
  cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, kSide, kSide, kSide, &one, a.device, kSide, x.device, kSide, &zero,
              factors.device, kSide);
  double worst = std::abs(info);
  const auto first = identity.now(), second = factors.now();
  for (int i = 0; i < kSize; ++i) {
    worst = std::max(worst, std::abs(first[i] - (i % (kSide + 1) == 0 ? 1 : 0)));
    worst = std::max(worst, std::abs(second[i] - b.host[i]));
  }
  say("DgetrfBatched, DgetriBatched and DgetrsBatched", worst, 1e-11);
  cudaFree(at);
  cudaFree(pivots);
}

void expect(const char* name, cublasStatus_t status) {
  if (std::strcmp(cublasGetStatusName(status), name) == 0) return;
  std::printf("%s in place of %s\n", cublasGetStatusName(status), name);
  ++failures;
}

void statuses(cublasHandle_t handle) {
  const float one = 1;
  Array<float> x(16);
  float host[16] = {};
  expect("CUBLAS_STATUS_INVALID_VALUE",
         cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, x.device, 2, x.device, 4, &one, x.device, 4));
  expect("CUBLAS_STATUS_NOT_INITIALIZED", cublasSscal(nullptr, 4, &one, x.device, 1));
  expect("CUBLAS_STATUS_EXECUTION_FAILED", cublasSscal(handle, 4, &one, host, 1));
  expect("CUBLAS_STATUS_NOT_SUPPORTED", cublasSgeqrfBatched(handle, 4, 4, nullptr, 4, nullptr, nullptr, 1));
}

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  products<float, float>("Sgemm", 1e-5, [=](auto ta, auto tb, auto alpha, auto a, auto b, auto beta, auto c) {
    cublasSgemm(handle, ta, tb, kM, kN, kK, alpha, a, 80, b, 80, beta, c, 80);
  });
  products<double2, double2>("Zgemm", 1e-12, [=](auto ta, auto tb, auto alpha, auto a, auto b, auto beta, auto c) {
    cublasZgemm(handle, ta, tb, kM, kN, kK, alpha, a, 80, b, 80, beta, c, 80);
  });
  products<__half, __half>("Hgemm", 2e-3, [=](auto ta, auto tb, auto alpha, auto a, auto b, auto beta, auto c) {
    cublasHgemm(handle, ta, tb, kM, kN, kK, alpha, a, 80, b, 80, beta, c, 80);
  });
  products<__nv_bfloat16, float>("GemmEx", 2e-2, [=](auto ta, auto tb, auto alpha, auto a, auto b, auto beta, auto c) {
    cublasGemmEx(handle, ta, tb, kM, kN, kK, alpha, a, CUDA_R_16BF, 80, b, CUDA_R_16BF, 80, beta, c, CUDA_R_16BF, 80,
                 CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  });
  triangles(handle);
  symmetric(handle);
  vectors(handle);
  batches(handle);
  systems(handle);
  statuses(handle);
  cublasDestroy(handle);
  std::printf("%s\n", failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}

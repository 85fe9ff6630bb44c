// SPDX-License-Identifier: Apache-2.0
// Prints statuses of right and wrong calls for eigenvalues and singular values, values of devInfo, and the numbers
// (README.md).

#include "recorder.h"

// |A V - V diag(w)| of columns, where A is n by n.
double eigen_residual(const std::vector<Number>& a, const std::vector<Number>& v, const std::vector<Number>& w, int n) {
  double worst = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      Number sum = -v[j * n + i] * w[j];
      for (int p = 0; p < n; ++p) sum += a[p * n + i] * v[j * n + p];
      worst = std::max(worst, std::abs(sum));
    }
  }
  return worst;
}

template <class F>
std::vector<Number> of_type(std::vector<Number> values) {
  for (Number& value : values) value = back(make<typename F::T>(value));
  return values;
}

template <class F>
struct Recorder {
  using T = typename F::T;
  using R = typename F::R;
  cusolverDnHandle_t handle;
  Info info;
  int lwork = 0;
  T* work = nullptr;
  static constexpr int kWork = 1 << 22;

  explicit Recorder(cusolverDnHandle_t of) : handle(of) { cudaMalloc(&work, kWork * sizeof(T)); }
  ~Recorder() { cudaFree(work); }

  void show_eigen(const T* v, const R* w, const std::vector<Number>& of) {
    const auto values = host_copy(w, 4);
    print("W", values);
    print("residual", {eigen_residual(of_type<F>(of), host_copy(v, 16), values, 4)});
  }

  void jacobi_eigen() {
    R* w = device_copy<R>(std::vector<Number>(8));
    T* a = device_copy<T>(kDefinite);
    syevjInfo_t parameters;
    STATUS(cusolverDnCreateSyevjInfo(&parameters));
    STATUS(F::syevj_bufferSize(handle, kVectors, kLower, 4, a, 4, w, &lwork, parameters));
    STATUS(F::syevj(handle, kVectors, kLower, 4, a, 4, w, work, lwork, info.at, parameters));
    info.show();
    show_eigen(a, w, kDefinite);
    double residual = -1;
    int sweeps = -1;
    STATUS(cusolverDnXsyevjGetResidual(handle, parameters, &residual));
    STATUS(cusolverDnXsyevjGetSweeps(handle, parameters, &sweeps));
    print("residual", {residual});
    std::printf("some sweeps -> %d\n", sweeps > 0 && sweeps <= 100);
    STATUS(cusolverDnXsyevjSetSortEig(parameters, 0));
    STATUS(cusolverDnXsyevjSetSortEig(parameters, 5));
    STATUS(cusolverDnXsyevjSetMaxSweeps(parameters, -1));
    STATUS(cusolverDnXsyevjSetMaxSweeps(parameters, 1));
    STATUS(cusolverDnXsyevjSetTolerance(parameters, 1e-14));
    STATUS(cusolverDnXsyevjSetTolerance(parameters, -1));
    a = device_copy<T>(kDefinite);
    STATUS(cusolverDnXsyevjSetTolerance(parameters, 1e-14));
    STATUS(cusolverDnXsyevjSetMaxSweeps(parameters, 1));
    STATUS(F::syevj(handle, kNoVectors, kUpper, 4, a, 4, w, work, kWork, info.at, parameters));
    info.show();
    STATUS(cusolverDnXsyevjSetMaxSweeps(parameters, 100));
    STATUS(cusolverDnXsyevjSetSortEig(parameters, 1));
    std::vector<Number> two = kDefinite;
    two.insert(two.end(), kIndefinite.begin(), kIndefinite.end());
    a = device_copy<T>(two);
    Info infos(2);
    STATUS(F::syevjBatched_bufferSize(handle, kVectors, kLower, 4, a, 4, w, &lwork, parameters, 2));
    STATUS(F::syevjBatched(handle, kVectors, kLower, 4, a, 4, w, work, lwork, infos.at, parameters, 2));
    infos.show(2);
    print("W", w, 8);
    STATUS(F::syevjBatched(handle, kVectors, kLower, 4, a, 3, w, work, lwork, infos.at, parameters, 2));
    STATUS(F::syevj(handle, kVectors, kLower, 4, a, 3, w, work, lwork, info.at, parameters));
    STATUS(cusolverDnDestroySyevjInfo(parameters));
    info.set();
  }

  void jacobi_singular_values() {
    R* s = device_copy<R>(std::vector<Number>(8));
    T* u = device_copy<T>(std::vector<Number>(32));
    T* v = device_copy<T>(std::vector<Number>(32));
    gesvdjInfo_t parameters;
    STATUS(cusolverDnCreateGesvdjInfo(&parameters));
    for (const int econ : {0, 1}) {
      for (const int m : {4, 3}) {
        const int n = 7 - m;
        T* a = device_copy<T>(kGeneral);
        STATUS(F::gesvdj_bufferSize(handle, kVectors, econ, m, n, a, 4, s, u, 4, v, 4, &lwork, parameters));
        STATUS(F::gesvdj(handle, kVectors, econ, m, n, a, 4, s, u, 4, v, 4, work, lwork, info.at, parameters));
        info.show();
        print("S", s, 3);
        // S by U^H A V.
        const auto whole = of_type<F>(kGeneral), left = host_copy(u, 16), right = host_copy(v, 16);
        std::vector<Number> products;
        for (int j = 0; j < 3; ++j) {
          Number sum = 0;
          for (int p = 0; p < n; ++p)
            for (int i = 0; i < m; ++i) sum += std::conj(left[j * 4 + i]) * whole[p * 4 + i] * right[j * 4 + p];
          products.push_back(std::abs(sum));
        }
        print("UAV", products);
      }
    }
    double residual = -1;
    int sweeps = -1;
    STATUS(cusolverDnXgesvdjGetResidual(handle, parameters, &residual));
    STATUS(cusolverDnXgesvdjGetSweeps(handle, parameters, &sweeps));
    print("residual", {residual});
    std::printf("some sweeps -> %d\n", sweeps > 0 && sweeps <= 100);
    T* a = device_copy<T>(kGeneral);
    STATUS(F::gesvdj(handle, kNoVectors, 0, 4, 3, a, 4, s, u, 4, v, 4, work, kWork, info.at, parameters));
    info.show();
    print("S", s, 3);
    STATUS(F::gesvdj(handle, kVectors, 0, 4, 3, a, 3, s, u, 4, v, 4, work, kWork, info.at, parameters));
    STATUS(F::gesvdj(handle, kVectors, 0, 4, 3, a, 4, s, u, 3, v, 4, work, kWork, info.at, parameters));
    STATUS(F::gesvdj(handle, kVectors, 0, 4, 3, a, 4, s, u, 4, v, 2, work, kWork, info.at, parameters));
    std::vector<Number> two = kGeneral;
    two.insert(two.end(), kDefinite.begin(), kDefinite.end());
    a = device_copy<T>(two);
    Info infos(2);
    STATUS(F::gesvdjBatched_bufferSize(handle, kVectors, 4, 4, a, 4, s, u, 4, v, 4, &lwork, parameters, 2));
    STATUS(F::gesvdjBatched(handle, kVectors, 4, 4, a, 4, s, u, 4, v, 4, work, lwork, infos.at, parameters, 2));
    infos.show(2);
    print("S", s, 8);
    STATUS(F::gesvdjBatched_bufferSize(handle, kVectors, 33, 4, a, 33, s, u, 33, v, 4, &lwork, parameters, 2));
    STATUS(cusolverDnXgesvdjSetTolerance(parameters, -1));
    STATUS(cusolverDnXgesvdjSetMaxSweeps(parameters, -1));
    STATUS(cusolverDnXgesvdjSetSortEig(parameters, 0));
    STATUS(cusolverDnDestroyGesvdjInfo(parameters));
    info.set();
  }

  static constexpr int kParts = 2;
  void part(int number) {
    using Part = void (Recorder::*)();
    const Part parts[kParts] = {&Recorder::jacobi_eigen, &Recorder::jacobi_singular_values};
    std::printf("type %s, part %d\n", F::name, number);
    (this->*parts[number])();
    std::printf("error -> %d\n", int(cudaDeviceSynchronize()));
  }
};

// The interface with 64-bit sizes and types by number.
void generic(cusolverDnHandle_t handle) {
  cusolverDnParams_t parameters;
  STATUS(cusolverDnCreateParams(&parameters));
  Info info;
  const auto type = CUDA_R_64F;
  std::size_t on_device = 0, on_host = 0;
  const std::size_t size = 1 << 26;
  void* work;
  cudaMalloc(&work, size);
  std::vector<char> host(size);
  double* w = device_copy<double>(std::vector<Number>(4));
  double* a = device_copy<double>(kDefinite);
  STATUS(cusolverDnXsyevd_bufferSize(handle, parameters, kVectors, kLower, 4, type, a, 4, type, w, type, &on_device,
                                     &on_host));
  STATUS(cusolverDnXsyevd(handle, parameters, kVectors, kLower, 4, type, a, 4, type, w, type, work, size, host.data(),
                          size, info.at));
  info.show();
  print("W", w, 4);
  cusolverDnDestroyParams(parameters);
}

int main(int count, char** arguments) {
  return record<Recorder>(count, arguments, generic);
}

// SPDX-License-Identifier: Apache-2.0
// Prints statuses of right and wrong calls of cuSOLVER's factors, values of devInfo, and factors and solutions
// (README.md).
#include <cstdint>

#include "recorder.h"

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

  void cholesky() {
    for (const auto part : {kLower, kUpper}) {
      T* a = device_copy<T>(kDefinite);
      T* b = device_copy<T>(kRight);
      STATUS(F::potrf_bufferSize(handle, part, 4, a, 4, &lwork));
      STATUS(F::potrf(handle, part, 4, a, 4, work, lwork, info.at));
      info.show();
      print_parts("factor", a, 16);
      STATUS(F::potrs(handle, part, 4, 2, a, 4, b, 4, info.at));
      info.show();
      print_parts("X", b, 8);
      STATUS(F::potri_bufferSize(handle, part, 4, a, 4, &lwork));
      STATUS(F::potri(handle, part, 4, a, 4, work, lwork, info.at));
      info.show();
      print_parts("inverse", a, 16);
    }
    T* a = device_copy<T>(kIndefinite);
    STATUS(F::potrf(handle, kLower, 4, a, 4, work, kWork, info.at));
    info.show();
  }

  void wrong_cholesky() {
    T* a = device_copy<T>(kDefinite);
    T* b = device_copy<T>(kRight);
    STATUS(F::potrf_bufferSize(handle, kLower, -1, a, 4, &lwork));
    STATUS(F::potrf_bufferSize(handle, kLower, 4, a, 3, &lwork));
    STATUS(F::potrf_bufferSize(handle, cublasFillMode_t(9), 4, a, 4, &lwork));
    STATUS(F::potrf(handle, cublasFillMode_t(9), 4, a, 4, work, kWork, info.at));
    info.show();
    STATUS(F::potrf(handle, kLower, -1, a, 4, work, kWork, info.at));
    info.show();
    STATUS(F::potrf(handle, kLower, 4, a, 3, work, kWork, info.at));
    info.show();
    STATUS(F::potrf(handle, kLower, 0, a, 4, work, kWork, info.at));
    info.show();
    STATUS(F::potrf(handle, kLower, 0, a, 0, work, kWork, info.at));
    info.show();
    STATUS(F::potrs(handle, kLower, 4, -1, a, 4, b, 4, info.at));
    info.show();
    STATUS(F::potrs(handle, kLower, 4, 1, a, 4, b, 3, info.at));
    info.show();
    STATUS(F::potrs(handle, kLower, 4, 0, a, 4, b, 4, info.at));
    info.show();
  }

  void cholesky_batched() {
    T* matrices[] = {device_copy<T>(kDefinite), device_copy<T>(kIndefinite), device_copy<T>(kDefinite)};
    T* rights[] = {device_copy<T>(kRight), device_copy<T>(kRight), device_copy<T>(kRight)};
    T **a, **b;
    cudaMalloc(&a, sizeof matrices);
    cudaMalloc(&b, sizeof rights);
    cudaMemcpy(a, matrices, sizeof matrices, cudaMemcpyHostToDevice);
    cudaMemcpy(b, rights, sizeof rights, cudaMemcpyHostToDevice);
    Info infos(3);
    STATUS(F::potrfBatched(handle, kLower, 4, a, 4, infos.at, 3));
    infos.show(3);
    STATUS(F::potrsBatched(handle, kLower, 4, 1, a, 4, b, 4, infos.at, 3));
    infos.show(3);
    print_parts("x", rights[2], 4);
    STATUS(F::potrsBatched(handle, kLower, 4, 2, a, 4, b, 4, infos.at, 3));
    infos.show(3);
    STATUS(F::potrfBatched(handle, kLower, 4, a, 4, infos.at, 0));
    STATUS(F::potrfBatched(handle, kLower, 4, a, 4, infos.at, -1));
    STATUS(F::potrfBatched(handle, kLower, 4, a, 3, infos.at, 3));
  }

  void lu() {
    int* pivots;
    cudaMalloc(&pivots, 8 * sizeof(int));
    T* a = device_copy<T>(kGeneral);
    STATUS(F::getrf_bufferSize(handle, 4, 4, a, 4, &lwork));
    STATUS(F::getrf(handle, 4, 4, a, 4, work, pivots, info.at));
    info.show();
    print_parts("LU", a, 16);
    print("pivots", pivots, 4);
    for (const auto operation : {kPlain, kTransposed, kAdjoint}) {
      T* b = device_copy<T>(kRight);
      STATUS(F::getrs(handle, operation, 4, 2, a, 4, pivots, b, 4, info.at));
      info.show();
      print_parts("X", b, 8);
    }
    a = device_copy<T>(kDefinite);
    STATUS(F::getrf(handle, 4, 4, a, 4, work, nullptr, info.at));
    info.show();
    print_parts("LU without pivots", a, 16);
    T* b = device_copy<T>(kRight);
    STATUS(F::getrs(handle, kPlain, 4, 1, a, 4, nullptr, b, 4, info.at));
    print_parts("x", b, 4);
    a = device_copy<T>(kGeneral);
    STATUS(F::getrf(handle, 4, 3, a, 4, work, pivots, info.at));
    print_parts("tall", a, 12);
    a = device_copy<T>(kGeneral);
    STATUS(F::getrf(handle, 3, 4, a, 4, work, pivots, info.at));
    print_parts("wide", a, 16);
    a = device_copy<T>(kSingular);
    STATUS(F::getrf(handle, 4, 4, a, 4, work, pivots, info.at));
    info.show();
    a = device_copy<T>(std::vector<Number>(16));
    STATUS(F::getrf(handle, 4, 4, a, 4, work, pivots, info.at));
    info.show();
  }

  void wrong_lu() {
    T* a = device_copy<T>(kGeneral);
    STATUS(F::getrf_bufferSize(handle, -1, 4, a, 4, &lwork));
    STATUS(F::getrf_bufferSize(handle, 4, 4, a, 3, &lwork));
  }

  void qr() {
    T* a = device_copy<T>(kGeneral);
    T* tau = device_copy<T>(std::vector<Number>(4));
    STATUS(F::geqrf_bufferSize(handle, 4, 3, a, 4, &lwork));
    STATUS(F::geqrf(handle, 4, 3, a, 4, tau, work, lwork, info.at));
    info.show();
    print_parts("QR", a, 12);
    print_parts("tau", tau, 3);
    const auto adjoint = std::is_arithmetic_v<T> ? kTransposed : kAdjoint;
    for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
      for (const auto operation : {kPlain, adjoint}) {
        T* c = device_copy<T>(kDefinite);
        STATUS(F::ormqr_bufferSize(handle, side, operation, 4, 4, 3, a, 4, tau, c, 4, &lwork));
        STATUS(F::ormqr(handle, side, operation, 4, 4, 3, a, 4, tau, c, 4, work, lwork, info.at));
        info.show();
        print_parts("product", c, 16);
      }
    }
    T* c = device_copy<T>(kDefinite);
    STATUS(F::ormqr(handle, CUBLAS_SIDE_LEFT, kTransposed, 4, 4, 3, a, 4, tau, c, 4, work, kWork, info.at));
    STATUS(F::ormqr(handle, CUBLAS_SIDE_LEFT, kAdjoint, 4, 4, 3, a, 4, tau, c, 4, work, kWork, info.at));
    STATUS(F::ormqr(handle, cublasSideMode_t(5), kPlain, 4, 4, 3, a, 4, tau, c, 4, work, kWork, info.at));
    info.set();
    STATUS(F::ormqr(handle, CUBLAS_SIDE_LEFT, kPlain, 4, 4, 5, a, 4, tau, c, 4, work, kWork, info.at));
    info.show();
    STATUS(F::ormqr(handle, CUBLAS_SIDE_LEFT, kPlain, 4, 4, 3, a, 3, tau, c, 4, work, kWork, info.at));
    STATUS(F::ormqr(handle, CUBLAS_SIDE_LEFT, kPlain, 4, 4, 3, a, 4, tau, c, 3, work, kWork, info.at));
    info.set();
    STATUS(F::orgqr_bufferSize(handle, 4, 3, 3, a, 4, tau, &lwork));
    STATUS(F::orgqr(handle, 4, 3, 4, a, 4, tau, work, kWork, info.at));
    info.show();
    STATUS(F::orgqr(handle, 3, 4, 3, a, 4, tau, work, kWork, info.at));
    info.show();
    STATUS(F::orgqr(handle, 4, 3, 3, a, 4, tau, work, lwork, info.at));
    info.show();
    print_parts("Q", a, 12);
    STATUS(F::geqrf(handle, -1, 3, a, 4, tau, work, kWork, info.at));
    info.show();
    STATUS(F::geqrf(handle, 4, 3, a, 3, tau, work, kWork, info.at));
    info.show();
  }

  static constexpr int kParts = 6;
  void part(int number) {
    using Part = void (Recorder::*)();
    const Part parts[kParts] = {&Recorder::cholesky, &Recorder::wrong_cholesky, &Recorder::cholesky_batched,
                                &Recorder::lu,       &Recorder::wrong_lu,       &Recorder::qr};
    std::printf("type %s, part %d\n", F::name, number);
    (this->*parts[number])();
    std::printf("error -> %d\n", int(cudaDeviceSynchronize()));
  }
};

// The interface with 64-bit sizes and types by number.
void generic(cusolverDnHandle_t handle) {
  cusolverDnParams_t parameters;
  STATUS(cusolverDnCreateParams(&parameters));
  STATUS(cusolverDnSetAdvOptions(parameters, CUSOLVERDN_GETRF, CUSOLVER_ALG_0));
  Info info;
  const auto type = CUDA_R_64F;
  std::size_t on_device = 0, on_host = 0;
  const std::size_t size = 1 << 26;
  void* work;
  cudaMalloc(&work, size);
  std::vector<char> host(size);
  double* a = device_copy<double>(kDefinite);
  double* b = device_copy<double>(kRight);
  double* w = device_copy<double>(std::vector<Number>(4));
  STATUS(cusolverDnXpotrf_bufferSize(handle, parameters, kLower, 4, type, a, 4, type, &on_device, &on_host));
  STATUS(cusolverDnXpotrf(handle, parameters, kLower, 4, type, a, 4, type, work, size, host.data(), size, info.at));
  info.show();
  print("factor", a, 16);
  STATUS(cusolverDnXpotrs(handle, parameters, kLower, 4, 2, type, a, 4, type, b, 4, info.at));
  info.show();
  print("X", b, 8);
  STATUS(cusolverDnXpotrf(handle, nullptr, kLower, 4, type, a, 4, type, work, size, host.data(), size, info.at));
  STATUS(cusolverDnXpotrf(handle, parameters, kLower, 4, type, a, 3, type, work, size, host.data(), size, info.at));
  STATUS(cusolverDnXpotrf(handle, parameters, kLower, 4, CUDA_R_16F, a, 4, CUDA_R_16F, work, size, host.data(), size,
                          info.at));
  info.set();
  int64_t* pivots;
  cudaMalloc(&pivots, 8 * sizeof *pivots);
  a = device_copy<double>(kGeneral);
  b = device_copy<double>(kRight);
  STATUS(cusolverDnXgetrf_bufferSize(handle, parameters, 4, 4, type, a, 4, type, &on_device, &on_host));
  STATUS(cusolverDnXgetrf(handle, parameters, 4, 4, type, a, 4, pivots, type, work, size, host.data(), size, info.at));
  info.show();
  print("LU", a, 16);
  print("pivots", pivots, 4);
  STATUS(cusolverDnXgetrs(handle, parameters, kTransposed, 4, 2, type, a, 4, pivots, type, b, 4, info.at));
  info.show();
  print("X", b, 8);
  a = device_copy<double>(kGeneral);
  STATUS(cusolverDnXgeqrf_bufferSize(handle, parameters, 4, 3, type, a, 4, type, w, type, &on_device, &on_host));
  STATUS(cusolverDnXgeqrf(handle, parameters, 4, 3, type, a, 4, type, w, type, work, size, host.data(), size, info.at));
  info.show();
  print("QR", a, 12);
  print("tau", w, 3);
  cusolverDnDestroyParams(parameters);
}

int main(int count, char** arguments) {
  return record<Recorder>(count, arguments, generic);
}

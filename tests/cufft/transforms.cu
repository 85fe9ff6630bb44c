// SPDX-License-Identifier: Apache-2.0
// Prints what cuFFT makes of given numbers (README.md). Of a long result some values are printed, and its norm.
#include <cuda_runtime.h>
#include <cufft.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

// Exact in single precision.
double input(std::uint32_t k) {
  return double((k * 2654435761u) >> 8) / (1 << 24) - 0.5;
}

template <class Real>
struct DeviceArray {
  DeviceArray(std::size_t size, bool fill) : count(size) {
    std::vector<Real> values(count);
    for (std::size_t i = 0; fill && i < count; ++i) values[i] = Real(input(std::uint32_t(i + 1)));
    cudaMalloc(&at, count * sizeof(Real));
    cudaMemcpy(at, values.data(), count * sizeof(Real), cudaMemcpyHostToDevice);
  }
  ~DeviceArray() { cudaFree(at); }

  std::vector<Real> values() const {
    std::vector<Real> got(count);
    cudaMemcpy(got.data(), at, count * sizeof(Real), cudaMemcpyDeviceToHost);
    return got;
  }

  std::size_t count;
  Real* at = nullptr;
};

template <class Real>
void print(const std::vector<Real>& values) {
  constexpr std::size_t kRecorded = 400, kPrinted = 24;
  const std::size_t step = values.size() <= kRecorded ? 1 : values.size() / kRecorded;
  const std::size_t recorded = (values.size() + step - 1) / step;
  const std::size_t shown = recorded <= kPrinted ? 1 : recorded / kPrinted;
  double squares = 0;
  for (const Real value : values) squares += double(value) * double(value);
  for (std::size_t i = 0; i < values.size(); i += step * shown) std::printf(" %a", double(values[i]));
  std::printf(" | %zu %a\n", values.size(), std::sqrt(squares));
}

int execute(cufftHandle plan, cufftType type, float* in, float* out, int direction) {
  if (type == CUFFT_R2C) return cufftExecR2C(plan, in, reinterpret_cast<cufftComplex*>(out));
  if (type == CUFFT_C2R) return cufftExecC2R(plan, reinterpret_cast<cufftComplex*>(in), out);
  return cufftExecC2C(plan, reinterpret_cast<cufftComplex*>(in), reinterpret_cast<cufftComplex*>(out), direction);
}

int execute(cufftHandle plan, cufftType type, double* in, double* out, int direction) {
  if (type == CUFFT_D2Z) return cufftExecD2Z(plan, in, reinterpret_cast<cufftDoubleComplex*>(out));
  if (type == CUFFT_Z2D) return cufftExecZ2D(plan, reinterpret_cast<cufftDoubleComplex*>(in), out);
  return cufftExecZ2Z(plan, reinterpret_cast<cufftDoubleComplex*>(in), reinterpret_cast<cufftDoubleComplex*>(out),
                      direction);
}

struct Side {
  std::vector<int> embed;
  int stride = 1;
  int distance = 0;

  int* lengths() { return embed.empty() ? nullptr : embed.data(); }
};

/// One transform of `in` real numbers' room to `out`'s, or in place.
template <class Real>
void transform(const char* name, cufftType type, int direction, std::vector<int> n, std::size_t in, std::size_t out,
               bool in_place, int batch = 1, Side from = {}, Side to = {}) {
  cufftHandle plan = 0;
  const int made = cufftPlanMany(&plan, int(n.size()), n.data(), from.lengths(), from.stride, from.distance,
                                 to.lengths(), to.stride, to.distance, type, batch);
  DeviceArray<Real> source(in, true), destination(out, false);
  const int ran = execute(plan, type, source.at, in_place ? source.at : destination.at, direction);
  const int end = cudaDeviceSynchronize();
  std::printf("%s type %x dir %d n", name, int(type), direction);
  for (const int length : n) std::printf(" %d", length);
  std::printf(" batch %d status %d %d %d :", batch, made, ran, end);
  print(in_place ? source.values() : destination.values());
  cufftDestroy(plan);
}

void lines() {
  for (std::size_t n : {1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 16, 17, 30, 49, 64, 97, 101, 128, 210, 1009, 65537}) {
    transform<float>("c2c", CUFFT_C2C, -1, {int(n)}, 2 * n, 2 * n, false);
  }
  for (std::size_t n : {3, 8, 13, 97, 128}) {
    transform<float>("c2c", CUFFT_C2C, 1, {int(n)}, 2 * n, 2 * n, true);
    transform<double>("z2z", CUFFT_Z2Z, -1, {int(n)}, 2 * n, 2 * n, false);
    transform<double>("z2z", CUFFT_Z2Z, 1, {int(n)}, 2 * n, 2 * n, true);
  }
  for (std::size_t n : {1, 2, 3, 8, 13, 30, 97, 128}) {
    const std::size_t half = 2 * (n / 2 + 1);
    transform<float>("r2c", CUFFT_R2C, -1, {int(n)}, n, half, false);
    transform<float>("c2r", CUFFT_C2R, 1, {int(n)}, half, n, false);
    transform<double>("d2z", CUFFT_D2Z, -1, {int(n)}, n, half, false);
    transform<double>("z2d", CUFFT_Z2D, 1, {int(n)}, half, n, false);
  }
  for (std::size_t n : {65536, 1000000}) {
    transform<double>("z2z", CUFFT_Z2Z, -1, {int(n)}, 2 * n, 2 * n, false);
    transform<float>("r2c", CUFFT_R2C, -1, {int(n)}, n, 2 * (n / 2 + 1), false);
  }
}

void arrays() {
  transform<float>("2d", CUFFT_C2C, -1, {6, 10}, 120, 120, false);
  transform<float>("2d", CUFFT_R2C, -1, {6, 10}, 60, 72, false);
  transform<float>("2d", CUFFT_C2R, 1, {6, 10}, 72, 60, false);
  transform<float>("2d", CUFFT_R2C, -1, {6, 9}, 72, 60, false);
  transform<float>("2d", CUFFT_C2C, -1, {512, 512}, 2 << 18, 2 << 18, false);
  transform<float>("3d", CUFFT_C2C, -1, {3, 4, 5}, 120, 120, true);
  transform<double>("3d", CUFFT_D2Z, -1, {3, 4, 5}, 60, 72, false);
  transform<double>("3d", CUFFT_Z2D, 1, {3, 4, 5}, 72, 60, false);
}

void layouts() {
  transform<float>("inplace", CUFFT_R2C, -1, {8}, 30, 30, true, 3);
  transform<float>("inplace", CUFFT_C2R, 1, {8}, 30, 30, true, 3);
  transform<float>("outofplace", CUFFT_R2C, -1, {8}, 24, 30, false, 3);
  transform<float>("inplace", CUFFT_R2C, -1, {4, 8}, 80, 80, true, 2);
  transform<float>("advanced", CUFFT_C2C, -1, {4}, 60, 60, false, 3, {{4}, 3, 1}, {{4}, 1, 5});
  transform<float>("advanced", CUFFT_C2C, -1, {3, 4}, 200, 200, false, 2, {{3, 6}, 2, 48}, {{3, 5}, 1, 20});
  transform<float>("advanced", CUFFT_R2C, -1, {6}, 60, 60, false, 2, {{6}, 2, 14}, {{4}, 3, 13});
  transform<float>("advanced_inplace_r2c", CUFFT_R2C, -1, {6}, 60, 60, true, 2, {{8}, 1, 8}, {{4}, 1, 4});
  transform<float>("nullinembed", CUFFT_C2C, -1, {4}, 60, 60, false, 2, {{}, 3, 1}, {{4}, 1, 5});
  transform<float>("nullonembed", CUFFT_C2C, -1, {4}, 60, 60, false, 2, {{4}, 2, 9}, {{}, 2, 1});
}

#define STATUS(call) std::printf("%s -> %d\n", #call, int(call))

void statuses() {
  cufftHandle p = 0;
  int n = 8, small = 4;
  std::size_t size = 0;
  STATUS(cufftPlan1d(nullptr, 8, CUFFT_C2C, 1));
  STATUS(cufftPlan1d(&p, 0, CUFFT_C2C, 1));
  STATUS(cufftPlan1d(&p, -3, CUFFT_C2C, 1));
  STATUS(cufftPlan1d(&p, 8, CUFFT_C2C, 0));
  STATUS(cufftPlan1d(&p, 8, CUFFT_C2C, -1));
  STATUS(cufftPlan1d(&p, 8, (cufftType)0x33, 1));
  STATUS(cufftPlanMany(&p, 4, &n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
  STATUS(cufftPlanMany(&p, 0, &n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
  STATUS(cufftPlanMany(&p, 1, nullptr, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
  STATUS(cufftPlanMany(&p, 1, &n, &n, 0, 8, &n, 1, 8, CUFFT_C2C, 1));
  STATUS(cufftPlanMany(&p, 1, &n, &n, 1, 0, &n, 1, 8, CUFFT_C2C, 2));
  STATUS(cufftPlanMany(&p, 1, &n, &small, 1, 8, &small, 1, 8, CUFFT_C2C, 2));
  STATUS(cufftPlanMany(&p, 1, &n, &n, -1, 8, &n, 1, 8, CUFFT_C2C, 2));
  STATUS(cufftDestroy(12345));
  STATUS(cufftExecC2C(12345, nullptr, nullptr, -1));
  STATUS(cufftSetStream(12345, 0));
  STATUS(cufftCreate(&p));
  DeviceArray<float> a(64, true), b(64, true);
  STATUS(cufftExecC2C(p, (cufftComplex*)a.at, (cufftComplex*)b.at, -1));
  STATUS(cufftGetSize(p, &size));
  STATUS(cufftMakePlan1d(p, 8, CUFFT_C2C, 1, &size));
  STATUS(cufftMakePlan1d(p, 16, CUFFT_C2C, 1, &size));
  STATUS(cufftExecC2C(p, (cufftComplex*)a.at, (cufftComplex*)b.at, -1));
  STATUS(cufftGetSize(p, nullptr));
  STATUS(cufftExecC2C(p, (cufftComplex*)a.at, (cufftComplex*)b.at, 7));
  STATUS(cufftExecC2C(p, (cufftComplex*)a.at, (cufftComplex*)b.at, 0));
  STATUS(cufftDestroy(p));
  STATUS(cufftDestroy(p));
  STATUS(cufftCreate(nullptr));
}

int main() {
  lines();
  arrays();
  layouts();
  statuses();
}

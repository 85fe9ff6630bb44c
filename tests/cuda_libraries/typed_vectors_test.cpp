// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions of vectors whose types are arguments, against the definitions. All numbers are small integers, so
// that every type holds them.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <complex>
#include <vector>

#include "support/catch.hpp"

namespace {

using Complex = std::complex<double>;

struct Type {
  const char* name;
  cudaDataType type;    // of elements
  cudaDataType number;  // of factors, and what is computed in
  cudaDataType length;  // of lengths
  cudaDataType summed;  // what lengths are computed in
  std::size_t bytes;    // of an element
  bool is_complex;
};

const Type kTypes[] = {{"half", CUDA_R_16F, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F, 2, false},
                       {"bfloat16", CUDA_R_16BF, CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F, 2, false},
                       {"float", CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, 4, false},
                       {"double", CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, 8, false},
                       {"float2", CUDA_C_32F, CUDA_C_32F, CUDA_R_32F, CUDA_R_32F, 8, true},
                       {"double2", CUDA_C_64F, CUDA_C_64F, CUDA_R_64F, CUDA_R_64F, 16, true}};

void store(cudaDataType type, void* at, Complex value) {
  switch (type) {
    case CUDA_R_16F: *static_cast<__half*>(at) = __float2half(static_cast<float>(value.real())); break;
    case CUDA_R_16BF: *static_cast<__nv_bfloat16*>(at) = __float2bfloat16(static_cast<float>(value.real())); break;
    case CUDA_R_32F: *static_cast<float*>(at) = static_cast<float>(value.real()); break;
    case CUDA_R_64F: *static_cast<double*>(at) = value.real(); break;
    case CUDA_C_32F: *static_cast<std::complex<float>*>(at) = std::complex<float>(value); break;
    default: *static_cast<Complex*>(at) = value;
  }
}

Complex load(cudaDataType type, const void* at) {
  switch (type) {
    case CUDA_R_16F: return __half2float(*static_cast<const __half*>(at));
    case CUDA_R_16BF: return __bfloat162float(*static_cast<const __nv_bfloat16*>(at));
    case CUDA_R_32F: return *static_cast<const float*>(at);
    case CUDA_R_64F: return *static_cast<const double*>(at);
    case CUDA_C_32F: return Complex(*static_cast<const std::complex<float>*>(at));
    default: return *static_cast<const Complex*>(at);
  }
}

/// One number in a type.
class Scalar {
 public:
  Scalar(cudaDataType type, Complex value) : type_(type) { store(type, bytes_, value); }
  void* at() { return bytes_; }
  Complex value() const { return load(type_, bytes_); }

 private:
  cudaDataType type_;
  alignas(16) char bytes_[16] = {};
};

constexpr int kCount = 6;

/// Elements of the device, `step` apart.
class Elements {
 public:
  Elements(const Type& type, int step, const std::vector<Complex>& values) : type_(type), step_(step) {
    const std::size_t count = static_cast<std::size_t>(kCount * step);
    cudaMallocManaged(&at_, count * type.bytes);
    for (int i = 0; i < kCount; ++i) store(type.type, place(i), values[static_cast<std::size_t>(i)]);
  }
  ~Elements() { cudaFree(at_); }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  void* at() const { return at_; }
  std::vector<Complex> now() const {
    cudaDeviceSynchronize();
    std::vector<Complex> values;
    for (int i = 0; i < kCount; ++i) values.push_back(load(type_.type, place(i)));
    return values;
  }

 private:
  char* place(int i) const { return at_ + static_cast<std::size_t>(i * step_) * type_.bytes; }

  const Type& type_;
  int step_;
  char* at_ = nullptr;
};

struct Handle {
  cublasHandle_t handle = nullptr;
  Handle() { cublasCreate(&handle); }
  ~Handle() { cublasDestroy(handle); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

std::vector<Complex> values_of(const Type& type, int first) {
  std::vector<Complex> values;
  for (int i = 0; i < kCount; ++i) values.emplace_back(i % 2 == 0 ? first + i : -i, type.is_complex ? i - first : 0);
  return values;
}

}  // namespace

TEST_CASE("cuBLAS adds, scales, moves and turns vectors of all types") {
  const Handle cublas;
  for (const Type& type : kTypes) {
    CAPTURE(type.name);
    const std::vector<Complex> a = values_of(type, 1), b = values_of(type, 3);
    const Elements x(type, 2, a), y(type, 1, b);
    Scalar three(type.number, 3);
    CHECK(cublasAxpyEx(cublas.handle, kCount, three.at(), type.number, x.at(), type.type, 2, y.at(), type.type, 1,
                       type.number) == CUBLAS_STATUS_SUCCESS);
    std::vector<Complex> expected = b;
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += 3.0 * a[i];
    CHECK(y.now() == expected);
    CHECK(cublasScalEx_64(cublas.handle, kCount, three.at(), type.number, x.at(), type.type, 2, type.number) ==
          CUBLAS_STATUS_SUCCESS);
    std::vector<Complex> scaled = a;
    for (Complex& one : scaled) one *= 3.0;
    CHECK(x.now() == scaled);
    CHECK(cublasSwapEx(cublas.handle, kCount, x.at(), type.type, 2, y.at(), type.type, 1) == CUBLAS_STATUS_SUCCESS);
    CHECK(x.now() == expected);
    CHECK(y.now() == scaled);
    CHECK(cublasCopyEx(cublas.handle, kCount, x.at(), type.type, 2, y.at(), type.type, 1) == CUBLAS_STATUS_SUCCESS);
    CHECK(y.now() == expected);
    const Elements u(type, 1, a), v(type, 1, b);
    Scalar cosine(type.type, 2), sine(type.type, 1);
    CHECK(cublasRotEx(cublas.handle, kCount, u.at(), type.type, 1, v.at(), type.type, 1, cosine.at(), sine.at(),
                      type.type, type.number) == CUBLAS_STATUS_SUCCESS);
    std::vector<Complex> first = a, second = b;
    for (std::size_t i = 0; i < first.size(); ++i) {
      first[i] = 2.0 * a[i] + b[i];
      second[i] = 2.0 * b[i] - a[i];
    }
    CHECK(u.now() == first);
    CHECK(v.now() == second);
  }
}

TEST_CASE("cuBLAS makes numbers of vectors of all types") {
  const Handle cublas;
  for (const Type& type : kTypes) {
    CAPTURE(type.name);
    const std::vector<Complex> a = values_of(type, 1), b = values_of(type, 3);
    const Elements x(type, 2, a), y(type, 1, b);
    Complex plain, conjugated;
    double sizes = 0, squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      plain += a[i] * b[i];
      conjugated += std::conj(a[i]) * b[i];
      sizes += std::abs(a[i].real()) + std::abs(a[i].imag());
      squares += std::norm(a[i]);
    }
    Scalar dot(type.type, 0), length(type.length, 0);
    CHECK(cublasDotEx(cublas.handle, kCount, x.at(), type.type, 2, y.at(), type.type, 1, dot.at(), type.type,
                      type.number) == CUBLAS_STATUS_SUCCESS);
    CHECK(dot.value() == plain);
    CHECK(cublasDotcEx(cublas.handle, kCount, x.at(), type.type, 2, y.at(), type.type, 1, dot.at(), type.type,
                       type.number) == CUBLAS_STATUS_SUCCESS);
    CHECK(dot.value() == conjugated);
    CHECK(cublasAsumEx(cublas.handle, kCount, x.at(), type.type, 2, length.at(), type.length, type.summed) ==
          CUBLAS_STATUS_SUCCESS);
    CHECK(length.value().real() == sizes);
    CHECK(cublasNrm2Ex(cublas.handle, kCount, x.at(), type.type, 2, length.at(), type.length, type.summed) ==
          CUBLAS_STATUS_SUCCESS);
    CHECK(std::abs(length.value().real() - std::sqrt(squares)) < 0.04);
    int largest = 0;
    int64_t smallest = 0;
    CHECK(cublasIamaxEx(cublas.handle, kCount, x.at(), type.type, 2, &largest) == CUBLAS_STATUS_SUCCESS);
    CHECK(cublasIaminEx_64(cublas.handle, kCount, x.at(), type.type, 2, &smallest) == CUBLAS_STATUS_SUCCESS);
    CHECK(largest == (type.is_complex ? 6 : 5));
    CHECK(smallest == (type.is_complex ? 2 : 1));
  }
}

TEST_CASE("cuBLAS refuses vectors whose types do not go together") {
  const Handle cublas;
  const Elements x(kTypes[2], 1, values_of(kTypes[2], 1));
  float one = 1;
  CHECK(cublasAxpyEx(cublas.handle, kCount, &one, CUDA_R_32F, x.at(), CUDA_R_32F, 1, x.at(), CUDA_R_64F, 1,
                     CUDA_R_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(cublasScalEx(cublas.handle, kCount, &one, CUDA_R_32F, x.at(), CUDA_R_8I, 1, CUDA_R_32F) ==
        CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(cublasScalEx(nullptr, kCount, &one, CUDA_R_32F, x.at(), CUDA_R_32F, 1, CUDA_R_32F) ==
        CUBLAS_STATUS_NOT_INITIALIZED);
}

TEST_CASE("cuBLAS turns complex vectors") {
  const Handle cublas;
  const Type& type = kTypes[4];
  const std::vector<Complex> a = values_of(type, 1), b = values_of(type, 3);
  const Elements x(type, 1, a), y(type, 1, b);
  const float cosine = 2;
  const float2 sine{1, 2};
  CHECK(cublasCrot(cublas.handle, kCount, static_cast<float2*>(x.at()), 1, static_cast<float2*>(y.at()), 1, &cosine,
                   &sine) == CUBLAS_STATUS_SUCCESS);
  std::vector<Complex> first = a, second = b;
  for (std::size_t i = 0; i < first.size(); ++i) {
    first[i] = 2.0 * a[i] + Complex(1, 2) * b[i];
    second[i] = 2.0 * b[i] - Complex(1, -2) * a[i];
  }
  CHECK(x.now() == first);
  CHECK(y.now() == second);
}

TEST_CASE("cuBLAS makes rotations of numbers whose types are arguments") {
  const Handle cublas;
  double a = 3, b = 4, c = 0, s = 0;
  CHECK(cublasRotgEx(cublas.handle, &a, &b, CUDA_R_64F, &c, &s, CUDA_R_64F, CUDA_R_64F) == CUBLAS_STATUS_SUCCESS);
  CHECK(std::abs(a - 5) < 1e-14);
  CHECK(std::abs(c - 0.6) < 1e-15);
  CHECK(std::abs(s - 0.8) < 1e-15);
  double d1 = 1, d2 = 1, x1 = 3, parameters[5] = {};
  const double y1 = 4;
  CHECK(cublasRotmgEx(cublas.handle, &d1, CUDA_R_64F, &d2, CUDA_R_64F, &x1, CUDA_R_64F, &y1, CUDA_R_64F, parameters,
                      CUDA_R_64F, CUDA_R_64F) == CUBLAS_STATUS_SUCCESS);
  const Elements x(kTypes[3], 1, std::vector<Complex>(kCount, 3)), y(kTypes[3], 1, std::vector<Complex>(kCount, 4));
  CHECK(cublasRotmEx_64(cublas.handle, kCount, x.at(), CUDA_R_64F, 1, y.at(), CUDA_R_64F, 1, parameters, CUDA_R_64F,
                        CUDA_R_64F) == CUBLAS_STATUS_SUCCESS);
  for (const Complex& one : y.now()) CHECK(std::abs(one) < 1e-15);
  for (const Complex& one : x.now()) CHECK(std::abs(one.real() - x1) < 1e-14);
}

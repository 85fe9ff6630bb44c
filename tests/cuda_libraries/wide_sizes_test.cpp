// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions with sizes of 64 bits do what those without do, and refuse sizes that no process has memory for.
#include <cublas_v2.h>

#include <complex>
#include <vector>

#include "support/catch.hpp"

namespace {

constexpr int kOrder = 5;
constexpr int kCount = 2 * kOrder * kOrder;

/// Floats of the device, which begin as 1, 2, 3, ...
class Floats {
 public:
  Floats() {
    cudaMalloc(&at_, kCount * sizeof(float));
    std::vector<float> host(kCount);
    for (int i = 0; i < kCount; ++i) host[static_cast<std::size_t>(i)] = static_cast<float>(i + 1);
    REQUIRE(cublasSetVector_64(kCount, sizeof(float), host.data(), 1, at_, 1) == CUBLAS_STATUS_SUCCESS);
  }
  Floats(const Floats&) = delete;
  Floats& operator=(const Floats&) = delete;
  ~Floats() { cudaFree(at_); }

  float* at() const { return at_; }
  float2* complex() const { return reinterpret_cast<float2*>(at_); }
  std::vector<float> now() const {
    std::vector<float> host(kCount);
    CHECK(cublasGetVector_64(kCount, sizeof(float), at_, 1, host.data(), 1) == CUBLAS_STATUS_SUCCESS);
    return host;
  }

 private:
  float* at_ = nullptr;
};

struct Handle {
  cublasHandle_t handle = nullptr;
  Handle() { cublasCreate(&handle); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { cublasDestroy(handle); }
};

const float kTwo = 2;
const float2 kTurn{0, 1};

/// Calls both on vectors and matrices of the same numbers; each has to change its own alike.
template <class Narrow, class Wide>
void check_same(Narrow narrow, Wide wide) {
  const Floats a, first, second;
  const std::vector<float> before = first.now();
  CHECK(narrow(a.at(), first) == CUBLAS_STATUS_SUCCESS);
  CHECK(wide(a.at(), second) == CUBLAS_STATUS_SUCCESS);
  CHECK(first.now() != before);
  CHECK(first.now() == second.now());
}

}  // namespace

TEST_CASE("functions with sizes of 64 bits compute what those of 32 bits do") {
  const Handle of;
  const cublasHandle_t h = of.handle;
  constexpr auto n = CUBLAS_OP_N;
  constexpr auto upper = CUBLAS_FILL_MODE_UPPER;
  constexpr int k = kOrder;
  constexpr std::int64_t w = kOrder;
#define BOTH(function, ...)                                                                     \
  check_same([=]([[maybe_unused]] float* a, const Floats& y) { return function(__VA_ARGS__); }, \
             [=, k = w]([[maybe_unused]] float* a, const Floats& y) { return function##_64(__VA_ARGS__); })
  BOTH(cublasSaxpy, h, k, &kTwo, a, 1, y.at(), 2);
  BOTH(cublasCsscal, h, k, &kTwo, y.complex(), 1);
  BOTH(cublasSswap, h, k, y.at() + 2 * k, -2, y.at(), 1);
  BOTH(cublasSrot, h, k, y.at(), 1, y.at() + k, 1, &kTwo, &kTwo);
  BOTH(cublasSgemv, h, n, k, k, &kTwo, a, k, a, 1, &kTwo, y.at(), 1);
  BOTH(cublasSger, h, k, k, &kTwo, a, 1, a, 1, y.at(), k);
  BOTH(cublasSsyr, h, upper, k, &kTwo, a, 1, y.at(), k);
  BOTH(cublasSspmv, h, upper, k, &kTwo, a, a, 1, &kTwo, y.at(), 1);
  BOTH(cublasSgbmv, h, n, k, k, 1, 1, &kTwo, a, k, a, 1, &kTwo, y.at(), 1);
  BOTH(cublasStrsm, h, CUBLAS_SIDE_LEFT, upper, n, CUBLAS_DIAG_NON_UNIT, k, k, &kTwo, a, k, y.at(), k);
  BOTH(cublasSgemm, h, n, n, k, k, k, &kTwo, a, k, a, k, &kTwo, y.at(), k);
  BOTH(cublasSgemmStridedBatched, h, n, n, k, k, k, &kTwo, a, k, 1, a, k, 1, &kTwo, y.at(), k, k * k, 2);
  BOTH(cublasGemmEx, h, n, n, k, k, k, &kTwo, a, CUDA_R_32F, k, a, CUDA_R_32F, k, &kTwo, y.at(), CUDA_R_32F, k,
       CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  BOTH(cublasSsymm, h, CUBLAS_SIDE_LEFT, upper, k, k, &kTwo, a, k, a, k, &kTwo, y.at(), k);
  BOTH(cublasSsyr2k, h, upper, n, k, k, &kTwo, a, k, a, k, &kTwo, y.at(), k);
  BOTH(cublasSgeam, h, n, n, k, k, &kTwo, a, k, &kTwo, a, k, y.at(), k);
  BOTH(cublasCgemv, h, n, 2, 2, &kTurn, y.complex() + k, 2, y.complex() + 2 * k, 1, &kTurn, y.complex(), 1);
#undef BOTH
}

TEST_CASE("a type of data says what a product is computed in, as before CUDA 11") {
  const Handle of;
  constexpr auto n = CUBLAS_OP_N;
  constexpr int k = kOrder;
  const auto product = [h = of.handle](auto type) {
    return [=](float* a, const Floats& y) {
      return cublasGemmEx(h, n, n, k, k, k, &kTwo, a, CUDA_R_32F, k, a, CUDA_R_32F, k, &kTwo, y.at(), CUDA_R_32F, k,
                          type, CUBLAS_GEMM_DEFAULT);
    };
  };
  check_same(product(CUDA_R_32F), product(CUBLAS_COMPUTE_32F));
  cublasComputeType_t type = CUBLAS_COMPUTE_32F;
  CHECK(cublasMigrateComputeType(of.handle, CUDA_R_32I, &type) == CUBLAS_STATUS_SUCCESS);
  CHECK(type == CUBLAS_COMPUTE_32I);
  CHECK(cublasMigrateComputeType(of.handle, CUDA_R_8I, &type) == CUBLAS_STATUS_NOT_SUPPORTED);
}

TEST_CASE("an index of 64 bits is stored whole") {
  const Handle of;
  const Floats x;
  std::int64_t index = -1;
  CHECK(cublasIsamax_64(of.handle, kCount, x.at(), 1, &index) == CUBLAS_STATUS_SUCCESS);
  CHECK(index == kCount);
  CHECK(cublasIsamin_v2_64(of.handle, kCount, x.at(), 1, &index) == CUBLAS_STATUS_SUCCESS);
  CHECK(index == 1);
}

TEST_CASE("a size of 64 bits is not cut, and one that no process has memory for is refused") {
  const Handle of;
  const Floats x;
  const cublasHandle_t h = of.handle;
  constexpr std::int64_t kWhole = (std::int64_t{1} << 32) + 4;  // 4 in 32 bits
  CHECK(cublasSscal_64(h, kWhole, &kTwo, x.at(), 1) == CUBLAS_STATUS_EXECUTION_FAILED);
  constexpr auto n = CUBLAS_OP_N;
  CHECK(cublasSgemm_64(h, n, n, kWhole, 1, 1, &kTwo, x.at(), 4, x.at(), 4, &kTwo, x.at(), 4) ==
        CUBLAS_STATUS_INVALID_VALUE);
  for (const std::int64_t size : {std::int64_t{1} << 46, INT64_MAX}) {
    CHECK(cublasSscal_64(h, size, &kTwo, x.at(), 1) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasScopy_64(h, 4, x.at(), size, x.at(), 1) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSgemm_64(h, n, n, 4, 4, 4, &kTwo, x.at(), size, x.at(), 4, &kTwo, x.at(), 4) ==
          CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSgbmv_64(h, n, 4, 4, size, size, &kTwo, x.at(), 4, x.at(), 1, &kTwo, x.at(), 1) ==
          CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSspmv_64(h, CUBLAS_FILL_MODE_UPPER, size, &kTwo, x.at(), x.at(), 1, &kTwo, x.at(), 1) ==
          CUBLAS_STATUS_INVALID_VALUE);
  }
  CHECK(x.now().front() == 1);
}

TEST_CASE("many matrices or columns of which most lie beyond the memory are refused before all are listed") {
  const Handle of;
  const Floats x;
  constexpr auto n = CUBLAS_OP_N;
  constexpr int kMany = 1 << 28;
  CHECK(cublasSgemmStridedBatched(of.handle, n, n, 2, 2, 2, &kTwo, x.at(), 2, 0, x.at(), 2, 0, &kTwo, x.at(), 2, 1,
                                  kMany) == CUBLAS_STATUS_EXECUTION_FAILED);
  CHECK(cublasSgbmv(of.handle, n, kMany, kMany, 1, 1, &kTwo, x.at(), 3, x.at(), 1, &kTwo, x.at(), 1) ==
        CUBLAS_STATUS_EXECUTION_FAILED);
}

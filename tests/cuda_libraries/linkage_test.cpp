// SPDX-License-Identifier: Apache-2.0
// Every function of CUDA's libraries can be linked, and those that are not modelled return the library's status for it.
#include <cublasLt.h>
#include <cublasXt.h>
#include <cublas_v2.h>
#include <cufftXt.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusolverMg.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#include <cusparse.h>

#include <set>

#include "support/catch.hpp"

namespace {

using Function = void (*)();

// Tables of all, so that the linker has to find each of them.
#define FUNCTION(name) reinterpret_cast<Function>(&name),
const Function kFunctions[] = {
#include "cublas_functions.inc"
#include "cufft_functions.inc"
#include "curand_functions.inc"
#include "cusolver_functions.inc"
#include "cusparse_functions.inc"
};
#undef FUNCTION

}  // namespace

TEST_CASE("every function that CUDA's headers of libraries declare is there and has an address of its own") {
  const std::set<Function> distinct(std::begin(kFunctions), std::end(kFunctions));
  CHECK(distinct.size() == std::size(kFunctions));
  CHECK(distinct.count(nullptr) == 0);
}

TEST_CASE("a function that is not modelled returns its library's status, whatever it is called with") {
  CHECK(cublasCgemm3m(cublasHandle_t{}, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(cublasXtSspmm() == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(cublasLtMatrixTransform(1.5F, nullptr) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(cufftXtQueryPlan(0, nullptr, CUFFT_QUERY_1D_FACTORS) == CUFFT_NOT_SUPPORTED);
  CHECK(curandGenerateBinomial(nullptr, nullptr, size_t(4), 3U, 0.5) == CURAND_STATUS_TYPE_ERROR);
  CHECK(cusolverRfBatchSolve() == CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(cusolverMgCreate() == CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(cusolverSpDcsrzfdHost() == CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(cusolverDnSetMathMode(nullptr, CUSOLVER_DEFAULT_MATH) == CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(cusparseScsrmv(nullptr, CUSPARSE_OPERATION_NON_TRANSPOSE, 3, 3) == CUSPARSE_STATUS_NOT_SUPPORTED);
}

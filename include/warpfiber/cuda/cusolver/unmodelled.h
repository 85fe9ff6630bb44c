// SPDX-License-Identifier: Apache-2.0
// Functions of cuSOLVER for dense matrices that are not modelled: they return CUSOLVER_STATUS_NOT_SUPPORTED.
// What they are called with is not looked at. C and C++.
#pragma once

#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/cusolver/types.h>
#include <warpfiber/cuda/cusolver/unmodelled_parts.h>

// clang-format off
#define WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, name) apply(name) apply(name##_bufferSize)
#define WARPFIBER_CUSOLVER_NOT_MODELLED_LIST(apply) \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnCCgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnCCgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnCEgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnCEgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnCKgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnCKgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnCYgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnCYgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnCgebrd)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnChetrd)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnClauum)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnCsytrf)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnCsytri)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnCungbr)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnCungtr)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnCunmtr)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDBgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDBgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDDgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDDgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDHgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDHgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDSgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDSgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDXgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDXgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDgebrd)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDlauum)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDorgbr)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDorgtr)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDormtr)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDsytrd)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDsytrf)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnDsytri)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnIRSXgels)                                               \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnIRSXgesv)                                               \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSBgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSBgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSHgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSHgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSSgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSSgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSXgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSXgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSgebrd)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSlauum)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSorgbr)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSorgtr)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSormtr)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSsytrd)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSsytrf)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSsytri)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnXgeev)                                                  \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnXgesvdr)                                                \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnXlarft)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnXsyevBatched)                                           \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnXsytrs)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZCgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZCgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZEgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZEgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZKgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZKgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZYgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZYgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZZgels)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZZgesv)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZgebrd)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZhetrd)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZlauum)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZsytrf)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZsytri)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZungbr)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZungtr)                                                 \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnZunmtr) apply(cusolverDnClaswp) apply(cusolverDnDlaswp) \
  apply(cusolverDnGetEmulationStrategy) apply(cusolverDnGetMathMode) apply(cusolverDnIRSInfosCreate)             \
  apply(cusolverDnIRSInfosDestroy) apply(cusolverDnIRSInfosGetMaxIters) apply(cusolverDnIRSInfosGetNiters)       \
  apply(cusolverDnIRSInfosGetOuterNiters) apply(cusolverDnIRSInfosGetResidualHistory)                            \
  apply(cusolverDnIRSInfosRequestResidual) apply(cusolverDnIRSParamsCreate) apply(cusolverDnIRSParamsDestroy)    \
  apply(cusolverDnIRSParamsDisableFallback) apply(cusolverDnIRSParamsEnableFallback)                             \
  apply(cusolverDnIRSParamsGetMaxIters) apply(cusolverDnIRSParamsSetMaxIters)                                    \
  apply(cusolverDnIRSParamsSetMaxItersInner) apply(cusolverDnIRSParamsSetRefinementSolver)                       \
  apply(cusolverDnIRSParamsSetSolverLowestPrecision) apply(cusolverDnIRSParamsSetSolverMainPrecision)            \
  apply(cusolverDnIRSParamsSetSolverPrecisions) apply(cusolverDnIRSParamsSetTol)                                 \
  apply(cusolverDnIRSParamsSetTolInner) apply(cusolverDnLoggerForceDisable) apply(cusolverDnLoggerOpenFile)      \
  apply(cusolverDnLoggerSetCallback) apply(cusolverDnLoggerSetFile) apply(cusolverDnLoggerSetLevel)              \
  apply(cusolverDnLoggerSetMask) apply(cusolverDnSetEmulationStrategy) apply(cusolverDnSetMathMode)              \
  apply(cusolverDnSlaswp) apply(cusolverDnZlaswp)                                            \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnGeqrf)                                                  \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnGesvd)                                                  \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnGetrf)                                                  \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnPotrf)                                                  \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSyevd)                                                  \
  WARPFIBER_CUSOLVER_NOT_MODELLED_SIZED(apply, cusolverDnSyevdx) apply(cusolverDnGetrs) apply(cusolverDnPotrs)
// clang-format on

WARPFIBER_C_BEGIN
WARPFIBER_CUSOLVER_NOT_MODELLED_LIST(WARPFIBER_CUSOLVER_DECLARE)
WARPFIBER_C_END

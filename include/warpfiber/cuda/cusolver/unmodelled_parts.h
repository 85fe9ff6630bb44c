// SPDX-License-Identifier: Apache-2.0
// Functions of parts of cuSOLVER that are not modelled: they return CUSOLVER_STATUS_NOT_SUPPORTED whatever they are
// called with. A part's header declares them by WARPFIBER_CUSOLVER_DECLARE. C and C++.
#pragma once

#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/cusolver/types.h>

#define WARPFIBER_CUSOLVER_DECLARE(function) cusolverStatus_t function WARPFIBER_ANY_ARGUMENTS;

// clang-format off
#define WARPFIBER_CUSOLVER_REFACTORISATION_LIST(apply)                                                                 \
  apply(cusolverRfBatchAnalyze) apply(cusolverRfBatchRefactor) apply(cusolverRfBatchResetValues)                  \
  apply(cusolverRfBatchSetupHost) apply(cusolverRfBatchSolve) apply(cusolverRfBatchZeroPivot)

#define WARPFIBER_CUSOLVER_SEVERAL_DEVICES_LIST(apply)                                                                 \
  apply(cusolverMgCreate) apply(cusolverMgCreateDeviceGrid) apply(cusolverMgCreateMatrixDesc)                     \
  apply(cusolverMgDestroy) apply(cusolverMgDestroyGrid) apply(cusolverMgDestroyMatrixDesc)                        \
  apply(cusolverMgDeviceSelect) apply(cusolverMgGetrf) apply(cusolverMgGetrf_bufferSize) apply(cusolverMgGetrs)   \
  apply(cusolverMgGetrs_bufferSize) apply(cusolverMgPotrf) apply(cusolverMgPotrf_bufferSize)                      \
  apply(cusolverMgPotri) apply(cusolverMgPotri_bufferSize) apply(cusolverMgPotrs)                                 \
  apply(cusolverMgPotrs_bufferSize) apply(cusolverMgSyevd) apply(cusolverMgSyevd_bufferSize)
// clang-format on

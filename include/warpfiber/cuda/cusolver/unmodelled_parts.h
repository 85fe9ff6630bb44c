// SPDX-License-Identifier: Apache-2.0
// Parts of cuSOLVER of which nothing is modelled: its functions return CUSOLVER_STATUS_NOT_SUPPORTED whatever they are
// called with. A part's header declares them by WARPFIBER_CUSOLVER_DECLARE. C and C++.
#pragma once

#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/cusolver/types.h>

#define WARPFIBER_CUSOLVER_DECLARE(function) cusolverStatus_t function WARPFIBER_ANY_ARGUMENTS;

// clang-format off
#define WARPFIBER_CUSOLVER_FACTORS_LIST(apply)                                                                         \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrcholBufferInfo)                                                   \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrcholBufferInfoHost)                                               \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrcholDiag)                                                         \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrcholFactor)                                                       \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrcholFactorHost)                                                   \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrcholSolve)                                                        \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrcholSolveHost)                                                    \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrcholZeroPivot)                                                    \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrcholZeroPivotHost)                                                \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrluBufferInfoHost)                                                 \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrluExtractHost)                                                    \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrluFactorHost)                                                     \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrluSolveHost)                                                      \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrluZeroPivotHost)                                                  \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrqrBufferInfo)                                                     \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrqrBufferInfoHost)                                                 \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrqrFactor)                                                         \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrqrFactorHost)                                                     \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrqrSetup)                                                          \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrqrSetupHost)                                                      \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrqrSolve)                                                          \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrqrSolveHost)                                                      \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrqrZeroPivot)                                                      \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrqrZeroPivotHost) apply(cusolverSpCreateCsrcholInfo)               \
  apply(cusolverSpCreateCsrcholInfoHost) apply(cusolverSpCreateCsrluInfoHost)                                     \
  apply(cusolverSpCreateCsrqrInfoHost) apply(cusolverSpDestroyCsrcholInfo)                                        \
  apply(cusolverSpDestroyCsrcholInfoHost) apply(cusolverSpDestroyCsrluInfoHost)                                   \
  apply(cusolverSpDestroyCsrqrInfoHost) apply(cusolverSpXcsrcholAnalysis) apply(cusolverSpXcsrcholAnalysisHost)   \
  apply(cusolverSpXcsrluAnalysisHost) apply(cusolverSpXcsrluNnzHost) apply(cusolverSpXcsrqrAnalysis)              \
  apply(cusolverSpXcsrqrAnalysisHost)

#define WARPFIBER_CUSOLVER_REFACTORISATION_LIST(apply)                                                                 \
  apply(cusolverRfAccessBundledFactorsDevice) apply(cusolverRfAnalyze) apply(cusolverRfBatchAnalyze)              \
  apply(cusolverRfBatchRefactor) apply(cusolverRfBatchResetValues) apply(cusolverRfBatchSetupHost)                \
  apply(cusolverRfBatchSolve) apply(cusolverRfBatchZeroPivot) apply(cusolverRfCreate) apply(cusolverRfDestroy)    \
  apply(cusolverRfExtractBundledFactorsHost) apply(cusolverRfExtractSplitFactorsHost) apply(cusolverRfGetAlgs)    \
  apply(cusolverRfGetMatrixFormat) apply(cusolverRfGetNumericBoostReport) apply(cusolverRfGetNumericProperties)   \
  apply(cusolverRfGetResetValuesFastMode) apply(cusolverRfRefactor) apply(cusolverRfResetValues)                  \
  apply(cusolverRfSetAlgs) apply(cusolverRfSetMatrixFormat) apply(cusolverRfSetNumericProperties)                 \
  apply(cusolverRfSetResetValuesFastMode) apply(cusolverRfSetupDevice) apply(cusolverRfSetupHost)                 \
  apply(cusolverRfSolve)

#define WARPFIBER_CUSOLVER_SEVERAL_DEVICES_LIST(apply)                                                                 \
  apply(cusolverMgCreate) apply(cusolverMgCreateDeviceGrid) apply(cusolverMgCreateMatrixDesc)                     \
  apply(cusolverMgDestroy) apply(cusolverMgDestroyGrid) apply(cusolverMgDestroyMatrixDesc)                        \
  apply(cusolverMgDeviceSelect) apply(cusolverMgGetrf) apply(cusolverMgGetrf_bufferSize) apply(cusolverMgGetrs)   \
  apply(cusolverMgGetrs_bufferSize) apply(cusolverMgPotrf) apply(cusolverMgPotrf_bufferSize)                      \
  apply(cusolverMgPotri) apply(cusolverMgPotri_bufferSize) apply(cusolverMgPotrs)                                 \
  apply(cusolverMgPotrs_bufferSize) apply(cusolverMgSyevd) apply(cusolverMgSyevd_bufferSize)
// clang-format on

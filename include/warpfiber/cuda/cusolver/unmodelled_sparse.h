// SPDX-License-Identifier: Apache-2.0
// Functions of cuSOLVER for sparse matrices that are not modelled: they return CUSOLVER_STATUS_NOT_SUPPORTED.
// What they are called with is not looked at. C and C++.
#pragma once

#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/cusolver/types.h>
#include <warpfiber/cuda/cusolver/unmodelled_parts.h>

// clang-format off
#define WARPFIBER_CUSOLVER_SPARSE_NOT_MODELLED_LIST(apply) \
  apply(cusolverSpCcsreigsHost) apply(cusolverSpCcsreigvsi) apply(cusolverSpCcsreigvsiHost)                 \
  apply(cusolverSpCcsrlsqvqrHost) apply(cusolverSpCcsrqrBufferInfoBatched) apply(cusolverSpCcsrqrsvBatched) \
  apply(cusolverSpCcsrzfdHost) apply(cusolverSpCreateCsrqrInfo) apply(cusolverSpDcsreigsHost)               \
  apply(cusolverSpDcsreigvsi) apply(cusolverSpDcsreigvsiHost) apply(cusolverSpDcsrlsqvqrHost)               \
  apply(cusolverSpDcsrqrBufferInfoBatched) apply(cusolverSpDcsrqrsvBatched) apply(cusolverSpDcsrzfdHost)    \
  apply(cusolverSpDestroyCsrqrInfo) apply(cusolverSpScsreigsHost) apply(cusolverSpScsreigvsi)               \
  apply(cusolverSpScsreigvsiHost) apply(cusolverSpScsrlsqvqrHost) apply(cusolverSpScsrqrBufferInfoBatched)  \
  apply(cusolverSpScsrqrsvBatched) apply(cusolverSpScsrzfdHost) apply(cusolverSpXcsrissymHost)              \
  apply(cusolverSpXcsrmetisndHost) apply(cusolverSpXcsrpermHost) apply(cusolverSpXcsrperm_bufferSizeHost)   \
  apply(cusolverSpXcsrqrAnalysisBatched) apply(cusolverSpXcsrsymamdHost) apply(cusolverSpXcsrsymmdqHost)    \
  apply(cusolverSpXcsrsymrcmHost) apply(cusolverSpZcsreigsHost) apply(cusolverSpZcsreigvsi)                 \
  apply(cusolverSpZcsreigvsiHost) apply(cusolverSpZcsrlsqvqrHost) apply(cusolverSpZcsrqrBufferInfoBatched)  \
  apply(cusolverSpZcsrqrsvBatched) apply(cusolverSpZcsrzfdHost)
// clang-format on

WARPFIBER_C_BEGIN
WARPFIBER_CUSOLVER_SPARSE_NOT_MODELLED_LIST(WARPFIBER_CUSOLVER_DECLARE)
WARPFIBER_C_END

// SPDX-License-Identifier: Apache-2.0
// Functions of cuSOLVER for sparse matrices that are not modelled: they return CUSOLVER_STATUS_NOT_SUPPORTED.
// What they are called with is not looked at. C and C++.
#pragma once

#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/cusolver/types.h>
#include <warpfiber/cuda/cusolver/unmodelled_parts.h>

// clang-format off
#define WARPFIBER_CUSOLVER_SPARSE_NOT_MODELLED_LIST(apply) \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csreigsHost) WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrlsqvqrHost)    \
  WARPFIBER_FOR_EACH_TYPE(apply, cusolverSp, csrzfdHost)
// clang-format on

WARPFIBER_C_BEGIN
WARPFIBER_CUSOLVER_SPARSE_NOT_MODELLED_LIST(WARPFIBER_CUSOLVER_DECLARE)
WARPFIBER_C_END

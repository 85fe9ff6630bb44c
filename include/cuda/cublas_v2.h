// SPDX-License-Identifier: Apache-2.0
// cuBLAS. C and C++.
#pragma once

#include <cublas_api.h>

// SPDX-License-Identifier: Apache-2.0
// cuBLAS. C and C++.
#pragma once

#define CUBLAS_V2_H_

#include <cublas_api.h>

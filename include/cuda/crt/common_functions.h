// SPDX-License-Identifier: Apache-2.0
// Device functions: all come with cuda_runtime.h.
#pragma once

#define __COMMON_FUNCTIONS_H__

#include <cuda_runtime.h>

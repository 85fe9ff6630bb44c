// SPDX-License-Identifier: Apache-2.0
// Device functions: all come with cuda_runtime.h.
#pragma once

#include <crt/math_functions.h>

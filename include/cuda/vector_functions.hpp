// SPDX-License-Identifier: Apache-2.0
// make_float4 and its kin, under another of NVIDIA's names.
#pragma once

#define __VECTOR_FUNCTIONS_HPP__

#include <vector_functions.h>

// SPDX-License-Identifier: Apache-2.0
// make_float4 and its kin, under another of NVIDIA's names.
#pragma once

#include <vector_functions.h>

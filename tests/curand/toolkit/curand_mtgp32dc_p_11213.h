// SPDX-License-Identifier: Apache-2.0
// In the place of a toolkit's table, with one made-up set.
#pragma once

#include "curand_mtgp32.h"

inline mtgp32_params_fast_t mtgp32dc_params_fast_11213[CURAND_NUM_MTGP32_PARAMS] = {
    {11213, 88, 19, 5, {0, 1}, {0, 2}, {0x3f800000, 3}, 0xfff80000, {}}};

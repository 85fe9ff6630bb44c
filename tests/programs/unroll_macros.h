// SPDX-License-Identifier: Apache-2.0
//
// Macros for loops as libraries have them: the text of one is a pragma, the other ones make it.
#pragma once

#define UNROLL #pragma unroll
#define NO_UNROLL #pragma unroll 1
#define UNROLL_TWICE _Pragma("unroll 2")
#define AS_PRAGMA(text) _Pragma(#text)
#define UNROLL_BY(count) AS_PRAGMA(unroll count)

template <int kCount>
__host__ __device__ inline int sum_below(const int *values)
{
    int sum = 0;
    UNROLL
    for (int i = 0; i < kCount; ++i) {
        NO_UNROLL
        for (int j = i; j < i + 1; ++j)
            sum += values[j];
    }
    return sum;
}

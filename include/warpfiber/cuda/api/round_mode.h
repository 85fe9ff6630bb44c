// SPDX-License-Identifier: Apache-2.0
// How conversions round, as CUDA names it. C and C++.
#pragma once

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

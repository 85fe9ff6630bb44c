// SPDX-License-Identifier: Apache-2.0
// cudaRoundMode. C and C++.
#pragma once

#include <crt/host_defines.h>

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

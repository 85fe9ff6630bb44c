// SPDX-License-Identifier: Apache-2.0
// cudaRoundMode. C and C++.
#pragma once

#include <crt/host_defines.h>
#include <warpfiber/cuda/api/round_mode.h>

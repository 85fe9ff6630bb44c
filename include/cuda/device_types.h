// SPDX-License-Identifier: Apache-2.0
// cudaRoundMode. C and C++.
#pragma once

#define __DEVICE_TYPES_H__

#include <crt/host_defines.h>
#include <warpfiber/cuda/api/round_mode.h>

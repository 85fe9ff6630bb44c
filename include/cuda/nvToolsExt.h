// SPDX-License-Identifier: Apache-2.0
// NVIDIA's marks and ranges for its profilers, where version 2 had them. C and C++.
#pragma once

#include <nvtx3/nvToolsExt.h>

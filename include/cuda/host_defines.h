// SPDX-License-Identifier: Apache-2.0
// CUDA's qualifiers, under their older name.
#pragma once

#include <crt/host_defines.h>

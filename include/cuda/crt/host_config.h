// SPDX-License-Identifier: Apache-2.0
// NVIDIA's checks of the host compiler; here every compiler with C++20 will do.
#pragma once

#include <crt/host_defines.h>

// SPDX-License-Identifier: Apache-2.0
// NVIDIA's checks of the host compiler, under their older name.
#pragma once

#include <crt/host_config.h>

// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces: what describes them. C and C++.
#pragma once

#define __TEXTURE_TYPES_H__

#include <driver_types.h>

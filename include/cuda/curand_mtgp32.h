// SPDX-License-Identifier: Apache-2.0
// Layouts of cuRAND's MTGP32.
#pragma once

#include <warpfiber/cuda/curand/mtgp32_states.hpp>

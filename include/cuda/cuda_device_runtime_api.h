// SPDX-License-Identifier: Apache-2.0
// The runtime as kernels call it. Launches from kernels are not modelled, so there is nothing of its own here.
#pragma once

#include <driver_types.h>

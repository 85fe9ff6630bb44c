// SPDX-License-Identifier: Apache-2.0
// Types of cuSOLVER. C and C++.
#pragma once

#include <library_types.h>
#include <warpfiber/cuda/cusolver/types.h>

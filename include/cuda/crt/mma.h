// SPDX-License-Identifier: Apache-2.0
// CUDA's matrix functions of a warp (nvcuda::wmma), C++.
#pragma once

#include <warpfiber/wmma.hpp>

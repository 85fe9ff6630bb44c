// SPDX-License-Identifier: Apache-2.0
//
// CUDA's mathematics as a .cu file sees it: everything of the C and C++ library at global scope with its overloads
// (::sqrt(float), ::abs(long long), ::pow(float, int)), CUDA's own functions, fast forms, and arithmetic with
// explicit rounding. The C library's functions are the host's and have its accuracy; functions defined here state their
// own. No function sets errno in a way a kernel could see. Kernels and host code may call all of them.
#pragma once

#include <warpfiber/intrinsics/math_fast.hpp>
#include <warpfiber/intrinsics/math_functions.hpp>
#include <warpfiber/intrinsics/math_rounding.hpp>
#include <warpfiber/intrinsics/min_max.hpp>

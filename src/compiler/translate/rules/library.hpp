// SPDX-License-Identifier: Apache-2.0
//
// What of the C and C++ libraries and of CUDA's runtime exists on the device, and what exists only there. Sources: the
// CUDA C++ Programming Guide, "C++ Language Support", "Mathematical Functions" and "Device-Side Runtime", and what
// nvcc 13.0 accepts. Pure.
#pragma once

#include <string_view>

namespace warpfiber::translate {

/// Whether code of the device may call the C function: printf, malloc, sqrtf.
bool is_c_function_of_device(std::string_view name);

/// Whether the name is one of the mathematical functions of C and CUDA, for doubles or floats: sqrt, rsqrtf.
bool is_mathematical_function(std::string_view name);

/// Whether code of the device may call std::`name` without --expt-relaxed-constexpr, or `name` is a type: std::move.
bool is_std_name_of_device(std::string_view name);

/// Whether code of the device may call the function of CUDA's runtime: cudaGetLastError.
bool is_runtime_function_of_device(std::string_view name);

/// Whether the name is one of CUDA's functions that the host does not have: __syncthreads, atomicAdd.
bool is_function_of_device_only(std::string_view name);

}  // namespace warpfiber::translate

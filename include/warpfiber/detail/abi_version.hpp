// SPDX-License-Identifier: Apache-2.0
// The version of what compiled programs and the library share: the layout of threads, fibers and blocks in this folder,
// and the functions of the library that inlined code calls. A change of either raises it. Each translation unit with
// kernels compares its version with the library's when the program starts, or when its shared object is loaded
// (unit_version.hpp).
#pragma once

namespace warpfiber::detail {

inline constexpr unsigned kAbiVersion = 14;

/// Ends the process with exit code 127 and a message if `version` is not the library's. `source` is the file that was
/// compiled with it. Returns true. The one function whose name and parameters never change.
bool require_abi_version(unsigned version, const char* source) noexcept;

/// The same if `current`, where code of `source` finds current_thread, is not where the library has it.
bool require_same_variables(const void* current, const char* source) noexcept;

}  // namespace warpfiber::detail

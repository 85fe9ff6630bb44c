// SPDX-License-Identifier: Apache-2.0
// The version of what compiled programs and the library share: the layout of threads, fibers and blocks in this folder,
// and the functions of the library that inlined code calls. A change of either raises it. Each translation unit with
// kernels compares its version with the library's when the program starts, or when its shared object is loaded.
#pragma once

namespace warpfiber::detail {

inline constexpr unsigned kAbiVersion = 12;

/// Ends the process with exit code 127 and a message if `version` is not the library's. `source` is the file that was
/// compiled with it. Returns true. The one function whose name and parameters never change.
bool require_abi_version(unsigned version, const char* source) noexcept;

#ifndef WARPFIBER_OWN_OBJECT  // the library's own units are of its version
/// Not inline: each unit has its own, as units of one program may be of different versions.
[[maybe_unused]] static const bool kHasAbiVersion = require_abi_version(kAbiVersion, __BASE_FILE__);
#endif

}  // namespace warpfiber::detail

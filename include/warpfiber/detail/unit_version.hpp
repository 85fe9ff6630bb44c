// SPDX-License-Identifier: Apache-2.0
// The comparison of a translation unit's ABI version and thread variables with the library's. It names the file that is
// compiled, and is a header of its own for that reason: CUDA files include it behind cuda_runtime.h, whose text is then
// the same in all of them.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <warpfiber/detail/abi_version.hpp>
#include <warpfiber/detail/current_thread.hpp>

#ifndef WARPFIBER_OWN_OBJECT  // the library's own units are of its version
namespace warpfiber::detail {

/// Not inline: each unit has its own, as units of one program may be of different versions.
[[maybe_unused]] static const bool kHasAbiVersion = require_abi_version(kAbiVersion, __BASE_FILE__);
/// What is compiled for programs finds variables of a program, and may be linked to a library.
[[maybe_unused]] static const bool kHasSameVariables = require_same_variables(&current_thread, __BASE_FILE__);

}  // namespace warpfiber::detail
#endif

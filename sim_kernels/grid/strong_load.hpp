// SPDX-License-Identifier: Apache-2.0
// Reading a word that other blocks write with atomics: never torn, never kept in a register, so a loop on it ends. A
// volatile access is strong and relaxed (PTX ISA, "Memory Consistency Model"): it orders nothing, so a fence goes with
// it where other data follow. Called by threads inside kernels.
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

template <class T>
__device__ T strong_load(const T* word) {
  return *static_cast<const volatile T*>(word);
}

}  // namespace gallery

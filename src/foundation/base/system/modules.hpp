// SPDX-License-Identifier: Apache-2.0
// What the dynamic linker has loaded: the program and its libraries (dl_iterate_phdr(3)). Never under a mutex: whoever
// loads a module holds the dynamic linker's.
#pragma once

#include <cstdint>
#include <vector>

namespace warpfiber::base {

/// The addresses of a part of a module.
struct ModuleRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool holds(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return at >= begin && at < end;
  }
};

/// How many modules have been unloaded so far.
unsigned long long unloaded_modules();

/// What the modules fill, the program's first.
std::vector<ModuleRange> loaded_modules();

/// What a module may write to, but for what the dynamic linker protects once it has relocated it: that of the module in
/// which `address` is, or, where that is null, of the program. Nothing where there is none.
ModuleRange writable_part(const void* address);

}  // namespace warpfiber::base

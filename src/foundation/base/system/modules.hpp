// SPDX-License-Identifier: Apache-2.0
// What the dynamic linker has loaded: the program and its libraries (dl_iterate_phdr(3)). Never under a mutex: whoever
// loads a module holds the dynamic linker's.
#pragma once

#include <cstdint>
#include <optional>
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

/// How many modules have been loaded and unloaded so far: as long as both are the same, so are the modules.
struct ModuleCounts {
  unsigned long long loaded = 0;
  unsigned long long unloaded = 0;

  friend bool operator==(const ModuleCounts&, const ModuleCounts&) = default;
};

ModuleCounts module_counts();

/// A segment of a module that is loaded.
struct ModulePart : ModuleRange {
  std::uintptr_t end_of_file = 0;  // where what the module's file holds ends; behind it, memory begins as zeros
  bool is_code = false;
  bool is_constant = false;
};

/// What the modules fill, the program's first.
std::vector<ModuleRange> loaded_modules();

/// The segments of all modules, by address.
std::vector<ModulePart> loaded_parts();

/// The part of a segment that `address` is in; none where it is in no module. What the dynamic linker protects once it
/// has relocated it, such as tables of virtual functions, is a part of its own, and constant.
std::optional<ModulePart> module_part_at(const void* address);

/// What a module may write to, but for what the dynamic linker protects once it has relocated it: that of the module in
/// which `address` is, or, where that is null, of the program. Nothing where there is none.
ModuleRange writable_part(const void* address);

}  // namespace warpfiber::base

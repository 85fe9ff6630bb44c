// SPDX-License-Identifier: Apache-2.0
//
// Through dl_iterate_phdr(), whose first answer is the program.
#include "base/system/modules.hpp"

#include <link.h>

#include <algorithm>

namespace warpfiber::base {
namespace {

/// From the first part that `wanted` says yes to, to the last.
template <class Wanted>
ModuleRange range_of(const dl_phdr_info& module, Wanted wanted) {
  ModuleRange range;
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = module.dlpi_phdr[i];
    if (!wanted(part)) continue;
    const std::uintptr_t begin = module.dlpi_addr + part.p_vaddr;
    range.begin = range.end == 0 ? begin : std::min(range.begin, begin);
    range.end = std::max(range.end, begin + part.p_memsz);
  }
  return range;
}

ModuleRange all_of(const dl_phdr_info& module) {
  return range_of(module, [](const ElfW(Phdr) & part) { return part.p_type == PT_LOAD; });
}

ModuleRange writable_part_of(const dl_phdr_info& module) {
  ModuleRange range =
      range_of(module, [](const ElfW(Phdr) & part) { return part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0; });
  const ModuleRange constant = range_of(module, [](const ElfW(Phdr) & part) { return part.p_type == PT_GNU_RELRO; });
  range.begin = std::max(range.begin, constant.end);
  return range.begin < range.end ? range : ModuleRange{};
}

}  // namespace

unsigned long long unloaded_modules() {
  unsigned long long count = 0;
  const auto read = [](dl_phdr_info* module, std::size_t, void* to) {
    *static_cast<unsigned long long*>(to) = module->dlpi_subs;
    return 1;
  };
  ::dl_iterate_phdr(read, &count);
  return count;
}

std::vector<ModuleRange> loaded_modules() {
  std::vector<ModuleRange> modules;
  const auto add = [](dl_phdr_info* module, std::size_t, void* to) {
    static_cast<std::vector<ModuleRange>*>(to)->push_back(all_of(*module));
    return 0;
  };
  ::dl_iterate_phdr(add, &modules);
  return modules;
}

ModuleRange writable_part(const void* address) {
  struct Search {
    const void* address;
    ModuleRange found{};
  } search{address};
  const auto look = [](dl_phdr_info* module, std::size_t, void* data) {
    Search& wanted = *static_cast<Search*>(data);
    if (wanted.address != nullptr && !all_of(*module).holds(wanted.address)) return 0;
    wanted.found = writable_part_of(*module);
    return 1;
  };
  ::dl_iterate_phdr(look, &search);
  return search.found;
}

}  // namespace warpfiber::base

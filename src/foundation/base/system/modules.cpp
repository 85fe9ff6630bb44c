// SPDX-License-Identifier: Apache-2.0
//
// Through dl_iterate_phdr(), whose first answer is the program.
#include "base/system/modules.hpp"

#include <link.h>

#include <algorithm>
#include <span>

namespace warpfiber::base {
namespace {

/// Until `visit` returns true.
template <class Visit>
void for_each_module(Visit visit) {
  const auto call = [](dl_phdr_info* module, std::size_t, void* data) {
    return (*static_cast<Visit*>(data))(*module) ? 1 : 0;
  };
  ::dl_iterate_phdr(call, &visit);
}

std::span<const ElfW(Phdr)> segments_of(const dl_phdr_info& module) {
  return {module.dlpi_phdr, module.dlpi_phnum};
}

ModulePart part_of(const dl_phdr_info& module, const ElfW(Phdr) & segment) {
  const std::uintptr_t begin = module.dlpi_addr + segment.p_vaddr;
  return {{begin, begin + segment.p_memsz},
          begin + segment.p_filesz,
          (segment.p_flags & PF_X) != 0,
          segment.p_type == PT_GNU_RELRO || (segment.p_flags & PF_W) == 0};
}

/// From the first part that `wanted` says yes to, to the last.
template <class Wanted>
ModuleRange range_of(const dl_phdr_info& module, Wanted wanted) {
  ModuleRange range;
  for (const ElfW(Phdr) & part : segments_of(module)) {
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

ModuleCounts module_counts() {
  ModuleCounts counts;
  for_each_module([&](const dl_phdr_info& module) {
    counts = {module.dlpi_adds, module.dlpi_subs};
    return true;
  });
  return counts;
}

std::vector<ModuleRange> loaded_modules() {
  std::vector<ModuleRange> modules;
  for_each_module([&](const dl_phdr_info& module) {
    modules.push_back(all_of(module));
    return false;
  });
  return modules;
}

std::vector<ModulePart> loaded_parts() {
  std::vector<ModulePart> parts;
  for_each_module([&](const dl_phdr_info& module) {
    for (const ElfW(Phdr) & segment : segments_of(module)) {
      if (segment.p_type == PT_LOAD) parts.push_back(part_of(module, segment));
    }
    return false;
  });
  std::ranges::sort(parts, {}, &ModulePart::begin);
  return parts;
}

std::optional<ModulePart> module_part_at(const void* address) {
  std::optional<ModulePart> found;
  for_each_module([&](const dl_phdr_info& module) {
    for (const ElfW(Phdr) & segment : segments_of(module)) {
      if (segment.p_type != PT_LOAD && segment.p_type != PT_GNU_RELRO) continue;
      const ModulePart part = part_of(module, segment);
      if (part.holds(address) && (!found.has_value() || part.is_constant)) found = part;
    }
    return found.has_value();
  });
  return found;
}

ModuleRange writable_part(const void* address) {
  ModuleRange found;
  for_each_module([&](const dl_phdr_info& module) {
    if (address != nullptr && !all_of(module).holds(address)) return false;
    found = writable_part_of(module);
    return true;
  });
  return found;
}

}  // namespace warpfiber::base

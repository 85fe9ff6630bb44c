// SPDX-License-Identifier: Apache-2.0
//
// Each copy of the runtime has a note in its module, which the others find: no symbol of an archive need be visible. Of
// modules in the order in which they were loaded, the last with a note is the one that has come to the others, and says
// so; at the start of a program all are there when the first one asks.
#include "process/other_runtimes.hpp"

#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/environment.hpp"
#include "process/reporter.hpp"
#include "record/reason.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber::process {
namespace {

constexpr std::string_view kSharedRuntime = "libwarpfiber.so";

/// A note of an ELF file with nothing but its owner.
struct RuntimeNote {
  ElfW(Nhdr) header;
  char owner[12];
};
constexpr char kOwner[] = "Warpfiber";
static_assert(sizeof kOwner <= sizeof RuntimeNote::owner);

// Compilers align what has no alignment of its own to more than notes have.
[[gnu::used, gnu::section(".note.warpfiber.runtime")]] alignas(4) constinit const RuntimeNote note_of_this_copy{
    {.n_namesz = sizeof kOwner, .n_descsz = 0, .n_type = 1}, {'W', 'a', 'r', 'p', 'f', 'i', 'b', 'e', 'r'}};

struct RuntimeModule {
  std::string file;
  bool is_shared = false;  // else an archive of it is in the module
  bool is_this_one = false;
};

std::size_t round_up(std::size_t size, std::size_t to) {
  return (size + to - 1) / to * to;
}

bool has_note(const dl_phdr_info& module, const ElfW(Phdr) & notes) {
  const std::size_t alignment = notes.p_align == 8 ? 8 : 4;
  const char* const all = reinterpret_cast<const char*>(module.dlpi_addr + notes.p_vaddr);
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= notes.p_memsz;) {
    ElfW(Nhdr) note;
    std::memcpy(&note, all + at, sizeof note);
    const char* const owner = all + at + sizeof note;
    if (note.n_namesz == sizeof kOwner && std::memcmp(owner, kOwner, sizeof kOwner) == 0) return true;
    at += round_up(sizeof note + note.n_namesz, alignment) + round_up(note.n_descsz, alignment);
  }
  return false;
}

std::string file_of(const dl_phdr_info& module) {
  const bool is_program = module.dlpi_name == nullptr || *module.dlpi_name == 0;
  return is_program ? base::own_program() : module.dlpi_name;
}

/// The names that a module has for itself (DT_SONAME), or for what it is linked with (DT_NEEDED).
std::vector<std::string_view> names_in(const dl_phdr_info& module, std::int64_t wanted) {
  const ElfW(Dyn)* entries = nullptr;
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = module.dlpi_phdr[i];
    if (part.p_type == PT_DYNAMIC) entries = reinterpret_cast<const ElfW(Dyn)*>(module.dlpi_addr + part.p_vaddr);
  }
  std::uintptr_t texts = 0;
  std::vector<std::uintptr_t> places;
  for (; entries != nullptr && entries->d_tag != DT_NULL; ++entries) {
    if (entries->d_tag == DT_STRTAB) texts = entries->d_un.d_ptr;
    if (entries->d_tag == wanted) places.push_back(entries->d_un.d_val);
  }
  // Some C libraries leave it as it is in the file.
  if (texts < module.dlpi_addr) texts += module.dlpi_addr;
  std::vector<std::string_view> names;
  names.reserve(places.size());
  for (const std::uintptr_t place : places) names.emplace_back(reinterpret_cast<const char*>(texts + place));
  return names;
}

bool names_shared_runtime(const dl_phdr_info& module, std::int64_t where) {
  return std::ranges::any_of(names_in(module, where),
                             [](std::string_view name) { return name.starts_with(kSharedRuntime); });
}

std::vector<RuntimeModule> all_runtimes() {
  std::vector<RuntimeModule> found;
  const auto look = [](dl_phdr_info* module, std::size_t, void* to) {
    const auto here = reinterpret_cast<std::uintptr_t>(&note_of_this_copy);
    bool is_one = false;
    bool is_this_one = false;
    for (int i = 0; i < module->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = module->dlpi_phdr[i];
      if (part.p_type == PT_NOTE) is_one = is_one || has_note(*module, part);
      if (part.p_type == PT_LOAD) is_this_one = is_this_one || here - module->dlpi_addr - part.p_vaddr < part.p_memsz;
    }
    if (!is_one) return 0;
    static_cast<std::vector<RuntimeModule>*>(to)->push_back(
        {file_of(*module), names_shared_runtime(*module, DT_SONAME), is_this_one});
    return 0;
  };
  ::dl_iterate_phdr(look, &found);
  return found;
}

/// The modules that are linked with the shared runtime.
std::vector<std::string> users_of_shared_runtime() {
  std::vector<std::string> found;
  const auto look = [](dl_phdr_info* module, std::size_t, void* to) {
    if (names_shared_runtime(*module, DT_NEEDED))
      static_cast<std::vector<std::string>*>(to)->push_back(file_of(*module));
    return 0;
  };
  ::dl_iterate_phdr(look, &found);
  return found;
}

std::string described(const RuntimeModule& runtime) {
  using record::ReasonKind;
  if (!runtime.is_shared) return report::reason_text({ReasonKind::runtime_linked_in, runtime.file});
  std::vector<std::string> users = users_of_shared_runtime();
  if (users.empty()) return report::reason_text({ReasonKind::runtime_loaded, runtime.file});
  return report::reason_text({ReasonKind::runtime_loaded_for, runtime.file, std::move(users)});
}

}  // namespace

void report_other_runtimes() {
  const std::vector<RuntimeModule> runtimes = all_runtimes();
  if (runtimes.size() < 2 || !runtimes.back().is_this_one) return;
  std::vector<std::string> list;
  for (const RuntimeModule& runtime : runtimes) list.push_back(described(runtime));
  print_line({record::ReasonKind::several_runtimes, runtimes.size(), std::move(list)});
}

}  // namespace warpfiber::process

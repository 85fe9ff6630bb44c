// SPDX-License-Identifier: Apache-2.0
// The shadow of device memory, and of the program's own variables, is reserved once.
#include "check/enable.hpp"

#include <cstdint>

#include "base/system/modules.hpp"
#include "check/cells/check_state.hpp"
#include "check/cells/word_parts.hpp"
#include "memory/device_space.hpp"
#include "memory/objects.hpp"

namespace warpfiber::check {
namespace {

memory::Span words_of(const base::ModuleRange& part) {
  constexpr std::uintptr_t kWord = 4;
  const std::uintptr_t begin = part.begin / kWord * kWord;
  return {reinterpret_cast<char*>(begin), part.end - begin};
}

}  // namespace

void enable() {
  bool& has_shadow = CheckState::of_process().has_shadow;
  if (!has_shadow) has_shadow = shadow.reserve(memory::device_space(), words_of(base::writable_part(nullptr)));
}

void cover_variables_around(const void* address) {
  const memory::Span variables = words_of(base::writable_part(address));
  const bool is_programs = variables.base == words_of(base::writable_part(nullptr)).base;
  if (!enabled() || is_programs) return;
  shadow.close(variables.base);  // of a library that was there before
  shadow.open(variables.base, variables.bytes);
}

void uncover_variables_around(const void* address) {
  const base::ModuleRange part = base::writable_part(address);
  if (!enabled() || part.begin == base::writable_part(nullptr).begin) return;
  shadow.close(words_of(part).base);
  memory::remove_red_zones(reinterpret_cast<const void*>(part.begin), reinterpret_cast<const void*>(part.end));
}

bool enabled() {
  return CheckState::of_process().has_shadow;
}

}  // namespace warpfiber::check

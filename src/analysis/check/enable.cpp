// SPDX-License-Identifier: Apache-2.0
// The shadow of device memory, and of the program's own variables, is reserved once.
#include "check/enable.hpp"

#include <cstdint>

#include "check/cells/check_state.hpp"
#include "check/cells/word_parts.hpp"
#include "memory/device_space.hpp"

// The linker's names for where the data of the program begins and ends; a shared object may have none.
extern "C" __attribute__((weak)) char __data_start;  // NOLINT(bugprone-reserved-identifier)
extern "C" __attribute__((weak)) char _end;          // NOLINT(bugprone-reserved-identifier)

namespace warpfiber::check {
namespace {

/// The program's own variables, where those of device 0 are.
memory::Span program_data() {
  if (&__data_start == nullptr || &_end == nullptr) return {};
  constexpr std::uintptr_t kWord = 4;
  char* begin = &__data_start - reinterpret_cast<std::uintptr_t>(&__data_start) % kWord;
  return {begin, static_cast<std::size_t>(&_end - begin)};
}

}  // namespace

void enable() {
  bool& has_shadow = CheckState::of_process().has_shadow;
  if (!has_shadow) has_shadow = shadow.reserve(memory::device_space(), program_data());
}

bool enabled() {
  return CheckState::of_process().has_shadow;
}

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
// The code after the hook of each load is followed by instrument/x86/moved_value.hpp.
#include "check/launch/moves.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "check/cells/sites.hpp"
#include "check/launch/related_violations.hpp"
#include "instrument/x86/moved_value.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::check {
namespace {

std::string symbol_of(const std::uint8_t* code) {
  return symbols::Symboliser::of_process().symbol(reinterpret_cast<std::uintptr_t>(code));
}

/// Hooks of single accesses, and checks of their addresses.
bool is_hook(const std::uint8_t* function) {
  constexpr std::array<std::string_view, 8> kHooks = {
      "__tsan_read",     "__tsan_write",     "__tsan_unaligned_",          "__tsan_volatile_",
      "warpfiber_read4", "warpfiber_write4", "__warpfiber_expect_aligned", "__ubsan_handle_type_mismatch"};
  const std::string name = symbol_of(function);
  return std::ranges::any_of(kHooks, [&name](std::string_view hook) { return name.starts_with(hook); });
}

/// memcpy() and the like do nothing else.
bool is_copy(const std::uint8_t* after_call) {
  const std::uint8_t* const called = instrument::x86::called_before(after_call);
  return called != nullptr && symbol_of(called).starts_with("__tsan_mem");
}

bool only_moves(const Violation& moved) {
  const auto* const code = static_cast<const std::uint8_t*>(instruction_of_site(moved.now.site));
  if (code == nullptr || symbol_of(code - 1).empty()) return false;
  return is_copy(code) ? moved.by_copies : instrument::x86::only_moves(code, is_hook);
}

/// Whether the same two places have a violation of their own already.
bool is_known_use(const std::vector<Violation>& all, const Violation& moved) {
  return std::ranges::any_of(all, [&moved](const Violation& one) {
    return one.kind == ViolationKind::uninitialised && one.now.site == moved.now.site &&
           one.two_sides == moved.two_sides && (!one.two_sides || one.earlier.site == moved.earlier.site);
  });
}

/// Whether the launch uses what was moved by the same load: that is the error then.
bool is_used_elsewhere(const std::vector<Violation>& all, const Violation& moved) {
  return std::ranges::any_of(all, [&moved](const Violation& one) {
    return one.kind == ViolationKind::uninitialised && one.two_sides && one.earlier.site == moved.now.site;
  });
}

}  // namespace

void settle_moves(LaunchChecker& launch) {
  std::vector<Violation>& all = launch.log().violations().all();
  for (Violation& one : all) {
    if (one.kind != ViolationKind::moved || !one.to_global) continue;
    // A load that came before the write: the race is the defect, and what follows from it is none.
    const bool follows = is_explained(all, one);
    if (!follows && only_moves(one)) continue;
    launch.log().unwritten().write_moved(one.now.site);
    if (follows) continue;
    if (!is_known_use(all, one) && !is_used_elsewhere(all, one)) one.kind = ViolationKind::uninitialised;
    one.to_global = false;
  }
}

}  // namespace warpfiber::check

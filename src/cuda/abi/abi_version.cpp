// SPDX-License-Identifier: Apache-2.0
//
// Compares the ABI version of compiled programs, and the thread variables that they find, with the library's, before
// any kernel runs. Called by static initialisers, so it uses nothing that is initialised itself.
#include <warpfiber/detail/abi_version.hpp>
#include <warpfiber/detail/current_thread.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "report/reasons/reasons.hpp"

namespace warpfiber::detail {
namespace {

[[noreturn]] void refuse_unit(const record::Reason& reason) {
  std::fprintf(stderr, "%s\n", report::reason_text(reason).c_str());
  std::_Exit(127);  // as the dynamic loader does where a library does not fit
}

}  // namespace

bool require_abi_version(unsigned version, const char* source) noexcept {
  if (version == kAbiVersion) return true;
  refuse_unit({record::ReasonKind::abi_versions_differ, source, version, kAbiVersion});
}

bool require_same_variables(const void* current, const char* source) noexcept {
  if (current == &current_thread) return true;
  refuse_unit({record::ReasonKind::thread_variables_differ, source});
}

}  // namespace warpfiber::detail

// SPDX-License-Identifier: Apache-2.0
//
// Compares the ABI version of compiled programs with the library's, before any kernel runs. Called by static
// initialisers, so it uses nothing that is initialised itself.
#include <warpfiber/detail/abi_version.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "report/reasons/reasons.hpp"

namespace warpfiber::detail {

bool require_abi_version(unsigned version, const char* source) noexcept {
  if (version == kAbiVersion) return true;
  const std::string text = report::reason_text({record::ReasonKind::abi_versions_differ, source, version, kAbiVersion});
  std::fprintf(stderr, "%s\n", text.c_str());
  std::_Exit(127);  // as the dynamic loader does where a library does not fit
}

}  // namespace warpfiber::detail

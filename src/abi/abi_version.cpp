// SPDX-License-Identifier: Apache-2.0
//
// Compares the ABI version of compiled programs with the library's, before any kernel runs. Called by static
// initialisers, so it uses nothing that is initialised itself.
#include <warpfiber/detail/abi_version.hpp>

#include <cstdio>
#include <cstdlib>

namespace warpfiber::detail {

bool require_abi_version(unsigned version, const char* source) noexcept {
  if (version == kAbiVersion) return true;
  std::fprintf(
      stderr,
      "warpfiber: %s was compiled with headers of ABI version %u, but the Warpfiber library of this process has "
      "version %u.\nRebuild the program with the headers of the library that it runs with.\n",
      source, version, kAbiVersion);
  std::_Exit(127);  // as the dynamic loader does where a library does not fit
}

}  // namespace warpfiber::detail

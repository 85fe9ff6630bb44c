// SPDX-License-Identifier: Apache-2.0
//
// Functions compiled without debug information.
#include "unit/foundation/symbols/symbolise_subject.hpp"

namespace warpfiber::test {

std::uintptr_t caller_address() {
  return reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
}

std::uintptr_t probe_bare() {
  const volatile std::uintptr_t address = caller_address();
  return address;
}

}  // namespace warpfiber::test

// SPDX-License-Identifier: Apache-2.0
//
// A function compiled without debug information.
#include "unit/report/symbolise_subject.hpp"

namespace warpfiber::test {

std::uintptr_t probe_bare() {
  const volatile std::uintptr_t address = caller_address();
  return address;
}

}  // namespace warpfiber::test

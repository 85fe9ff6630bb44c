// SPDX-License-Identifier: Apache-2.0
//
// None: a function has its own address for the host.
#ifndef __x86_64__

#include "base/arch/function_entries.hpp"

namespace warpfiber::base {

FunctionEntries function_entries() {
  return {};
}

}  // namespace warpfiber::base

#endif

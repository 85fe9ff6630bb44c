// SPDX-License-Identifier: Apache-2.0
// Without the instructions, callers use the C library and computations in integers, and a function has its own address
// for the host.
#ifndef __x86_64__

#include "base/arch/processor.hpp"

namespace warpfiber::base {

detail::HostInstructions find_host_instructions() {
  return {};
}

unsigned find_processor_level() {
  return 1;
}

FunctionEntries function_entries() {
  return {};
}

}  // namespace warpfiber::base

#endif

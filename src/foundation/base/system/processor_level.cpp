// SPDX-License-Identifier: Apache-2.0
// Asked once in the process.
#include "base/system/processor_level.hpp"

#include "base/arch/processor.hpp"

namespace warpfiber::base {

unsigned processor_level() {
  static const unsigned level = find_processor_level();
  return level;
}

}  // namespace warpfiber::base

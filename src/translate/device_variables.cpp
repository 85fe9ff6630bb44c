// SPDX-License-Identifier: Apache-2.0
#include "translate/passes.hpp"

namespace warpfiber::translate {

void rewrite_device_variables(Program&) {}

}  // namespace warpfiber::translate

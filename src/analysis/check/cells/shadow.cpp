// SPDX-License-Identifier: Apache-2.0
//
// Constant initialisation: static objects of the program may access device memory before main().
#include "check/cells/shadow.hpp"

namespace warpfiber::check {

constinit memory::Shadow shadow;

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
//
// The one Runtime of the process, which constant initialisation makes.
#include "runtime/process/runtime.hpp"

#include <type_traits>

namespace warpfiber::runtime {

static_assert(std::is_trivially_destructible_v<Runtime>, "services outlive the static objects of the program");

constinit Runtime Runtime::the_process_;

}  // namespace warpfiber::runtime

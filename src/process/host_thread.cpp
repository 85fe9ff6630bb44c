// SPDX-License-Identifier: Apache-2.0
//
// The one object of each OS thread, which constant initialisation makes.
#include "process/host_thread.hpp"

#include <type_traits>

namespace warpfiber::runtime {

static_assert(std::is_trivially_destructible_v<HostThreadState>, "static objects outlive those of the main thread");

constinit thread_local HostThreadState HostThreadState::the_callers_;

}  // namespace warpfiber::runtime

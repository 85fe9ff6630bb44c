// SPDX-License-Identifier: Apache-2.0
// What the processor has. One of the folders x86_64 and portable defines it; what is compiled for one kind of processor
// stands there and nowhere else.
#pragma once

#include <warpfiber/detail/host_instructions.hpp>

namespace warpfiber::base {

/// For warpfiber::detail::host_instructions.
detail::HostInstructions find_host_instructions();

/// The level of the x86-64 ABI, 1 to 4; 1 on other processors.
unsigned find_processor_level();

}  // namespace warpfiber::base

// SPDX-License-Identifier: Apache-2.0
// Single instructions of the host that detail/host_instructions.hpp chooses between and what needs none.
#pragma once

#include <warpfiber/detail/arch/processor.hpp>

#ifdef WARPFIBER_ARCH_X86_64
#include <warpfiber/detail/arch/x86_64/host_instructions.hpp>
#else
#include <warpfiber/detail/arch/portable/host_instructions.hpp>
#endif

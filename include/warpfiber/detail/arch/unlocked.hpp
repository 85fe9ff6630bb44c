// SPDX-License-Identifier: Apache-2.0
// Updates of memory in one instruction that does not lock the bus: no other instruction of the OS thread comes in
// between, and those of others may.
#pragma once

#include <warpfiber/detail/arch/processor.hpp>

#ifdef WARPFIBER_ARCH_X86_64
#include <warpfiber/detail/arch/x86_64/unlocked.hpp>
#else
#include <warpfiber/detail/arch/portable/unlocked.hpp>
#endif

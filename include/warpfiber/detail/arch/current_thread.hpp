// SPDX-License-Identifier: Apache-2.0
// Accesses to current_thread (detail/current_thread.hpp) that compilers would make in more instructions.
#pragma once

#include <warpfiber/detail/arch/processor.hpp>

#ifdef WARPFIBER_ARCH_X86_64
#include <warpfiber/detail/arch/x86_64/current_thread.hpp>
#else
#include <warpfiber/detail/arch/portable/current_thread.hpp>
#endif

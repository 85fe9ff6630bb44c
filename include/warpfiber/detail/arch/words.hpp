// SPDX-License-Identifier: Apache-2.0
// Accesses to a variable for which compilers call no hook, and what places code.
#pragma once

#include <warpfiber/detail/arch/processor.hpp>

#ifdef WARPFIBER_ARCH_X86_64
#include <warpfiber/detail/arch/x86_64/words.hpp>
#else
#include <warpfiber/detail/arch/portable/words.hpp>
#endif

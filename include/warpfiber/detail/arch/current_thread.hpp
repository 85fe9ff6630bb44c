// SPDX-License-Identifier: Apache-2.0
// Accesses to current_thread (detail/current_thread.hpp) that compilers would make in more instructions, where the
// place of current_thread from the thread pointer is known or in a table.
#pragma once

#include <warpfiber/detail/arch/processor.hpp>

#if defined(WARPFIBER_ARCH_X86_64) && !defined(WARPFIBER_OF_LOADED_LIBRARY)
#include <warpfiber/detail/arch/x86_64/current_thread.hpp>
#else
#include <warpfiber/detail/arch/portable/current_thread.hpp>
#endif

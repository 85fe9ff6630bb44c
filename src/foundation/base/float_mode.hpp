// SPDX-License-Identifier: Apache-2.0
// The floating-point controls of the calling OS thread: rounding, traps and subnormal numbers. A device has one mode;
// the host has whatever the program has set, which new OS threads inherit and signal handlers start without.
// Invariant: code between two changes must compute nothing itself, because compilers move arithmetic across them.
#pragma once

#include "base/arch/portable/float_mode.hpp"
#include "base/arch/x86_64/float_mode.hpp"

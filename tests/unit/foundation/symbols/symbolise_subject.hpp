// SPDX-License-Identifier: Apache-2.0
//
// Functions whose addresses the symboliser's test looks up. symbolise_subject.cpp is always compiled with debug
// information and symbolise_bare.cpp never, whatever the build.
#pragma once

#include <cstdint>

namespace warpfiber::test {

/// An address inside its caller.
[[gnu::noinline]] std::uintptr_t caller_address();

struct Probe {
  std::uintptr_t address = 0;
  unsigned inner_line = 0;  // of the call of caller_address
  unsigned outer_line = 0;  // of the inlined call around it
};

/// Fills the probe from a function that is inlined into this one.
Probe probe_inlined();

/// Fills the address and the inner line from a lambda that is not inlined.
Probe probe_lambda();

/// An address in a loop that declares an array `weights`, in a function with a reference `pool`; needs a limit above 0.
Probe probe_locals(int limit);

/// An address in a function without debug information.
std::uintptr_t probe_bare();

/// A variable of nested types, and a place in it: of shelf.boxes[1].sides[2].
struct ProbeVariable {
  const void* start = nullptr;
  std::int64_t offset = 0;
};
ProbeVariable probe_variable();

/// An array that fills pages of its own with zeros.
const void* probe_zeros();

/// A variable that points to such a type.
const void* probe_pointer();

}  // namespace warpfiber::test

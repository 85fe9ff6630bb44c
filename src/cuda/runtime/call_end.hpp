// SPDX-License-Identifier: Apache-2.0
// The end of a call of CUDA's runtime. In a checked program an error becomes a finding (refused_calls.hpp); in
// others its sentence is printed if WARPFIBER_VERBOSE is set. A program that never asks for an error gets the first one
// at its end (host/asked.hpp).
#pragma once

#include <warpfiber/error.hpp>

#include "record/reason.hpp"

namespace warpfiber::runtime {

/// The end of a call of `function`: reports, prints or keeps the reason that fail() has left, and remembers the error.
/// For a call that succeeds without a reason or a warning this is one comparison.
Error finish_call(const char* function, Error error);

/// A call of a library's that has failed.
struct FailedLibraryCall {
  const char* function;
  const char* status;  // its name
  bool is_limit;       // what the library does not have, or there is no memory for
  const record::Reason& why;
  const record::Reason& fix;
};

/// The end of such a call: a finding of a checked program, else a line. What a device's earlier failure led to is the
/// line alone.
void finish_failed_library_call(const FailedLibraryCall& call);

/// Prints once in the process that `function` exists but is not modelled; the error for it.
Error unmodelled(const char* function);

/// The same of a library's function, which returns `status`. `page`: where it is said what is modelled.
void print_unmodelled(const char* function, const char* status, const char* page);

}  // namespace warpfiber::runtime

// SPDX-License-Identifier: Apache-2.0
// Calls of CUDA's runtime that return an error, as findings of a checked program (docs/findings/refused-call.md). What
// an error means depends on the call: a copy that is refused is a mistake of the program, a question that is answered
// by an error is none, and a limit that is reached is one unless the program handles it.
#pragma once

#include <warpfiber/error.hpp>

#include <string_view>

#include "record/reason.hpp"

namespace warpfiber::runtime {

enum class Refusal {
  none,     // the error says how things are, or what went wrong earlier: not_ready, an error of a kernel
  answer,   // a program may ask to learn it: an occupancy, peer access that is enabled already
  limit,    // the program may have tried: a device, an attribute, memory. A finding unless it is handled
  mistake,  // no program that is correct makes the call: a finding in any case
};

/// What it means that `function` returns `error`, which earlier operations have not caused.
Refusal refusal_of(std::string_view function, Error error);

/// A call that has failed, why, and what mends it; empty: not known. `unwritten`: where it should
/// have written; null: not known.
struct FailedCall {
  const char* function;
  Error error;
  const record::Reason& why;
  const record::Reason& fix;
  const void* unwritten;
};

/// Reports the call in progress of a checked program. Returns whether it is reported, or may be at the end. Not inside
/// a kernel.
bool report_refused_call(const FailedCall& call);

/// The same of a function of a library, which returns `status`.
struct RefusedLibraryCall {
  const char* function;
  const char* status;
  const record::Reason& why;
  const record::Reason& fix;
  const void* unwritten;
};

/// `is_limit`: a finding unless the program handles it.
bool report_refused_library_call(const RefusedLibraryCall& call, bool is_limit);

}  // namespace warpfiber::runtime

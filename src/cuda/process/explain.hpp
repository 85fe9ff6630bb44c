// SPDX-License-Identifier: Apache-2.0
// Why a call of CUDA's runtime failed. The function that finds the reason calls fail(). What becomes of the reason is
// decided at the end of the call (call_end.hpp).
// A call that succeeds as on hardware, though it looks like a mistake, calls warn_verbose(). Any thread may call.
#pragma once

#include <warpfiber/error.hpp>

#include "record/reason.hpp"

namespace warpfiber::process {

using record::ReasonKind;

/// Keeps `why` for the call that is in progress on this OS thread; returns `error`. `fix`: what mends the
/// call, where that is known.
Error fail(Error error, record::Reason why, record::Reason fix = {});

/// The call in progress on this OS thread fails, and should have written to the object at `address`: who reads there
/// before anybody has written it reads the consequence (checking/same_defect.hpp).
void leaves_unwritten(const void* address);

/// Keeps `what` for the call that is in progress on this OS thread and that goes well though its arguments contradict
/// each other: printed where WARPFIBER_VERBOSE asks for it.
void warn_verbose(record::Reason what);

/// The call in progress on this OS thread fails, and a finding of its own says so already: it makes no other. Called
/// within functions that end with finish_call().
void finding_is_made();

/// `error` is what an operation that was asked for earlier has left; the call that returns it is not at fault.
Error from_earlier(Error error);

/// The reason of the call in progress concerns who started the program, whatever the program makes of the error: it is
/// printed at once, the first time.
void concerns_user();

/// Drops the reason that a call left which does not end with finish_call().
void forget_explanation();

/// What was said in the call that is in progress on this OS thread.
struct Explanation {
  record::Reason why{};
  record::Reason fix{};
  record::Reason aside{};
  const void* unwritten = nullptr;
  bool has_finding = false;
  bool is_earlier = false;
  bool concerns_user = false;
};

/// Whether anything was said. Most calls say nothing, and look no further than this.
bool is_explained();

/// What was said, which is forgotten. For the end of a call.
Explanation take_explanation();

/// The reason that fail() has left in the call that is in progress on this OS thread; empty if there is none.
record::Reason reason_of_call();

}  // namespace warpfiber::process

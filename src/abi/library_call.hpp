// SPDX-License-Identifier: Apache-2.0
// What every function of a library of CUDA's has around it: it is for host threads, and a call that fails says why on
// standard error. A library declares library_statuses() for its type of status, whose 0 is a success.
#pragma once

#include <cstdio>
#include <exception>
#include <new>
#include <utility>

#include "base/forking.hpp"
#include "engine/run.hpp"
#include "process/explain.hpp"
#include "process/host/forked_child.hpp"
#include "process/session.hpp"
#include "process/user_call.hpp"
#include "report/reasons/reasons.hpp"
#include "runtime/call_end.hpp"

namespace warpfiber::abi {

using record::ReasonKind;

/// How a call ends. `why` is empty where the status says it all.
template <class Status>
struct LibraryResult {
  Status status{};
  record::Reason why{};

  bool failed() const { return status != Status{}; }
};

/// What a library returns where every library has something to say: `in_kernel`, `in_forked_child`, `no_memory`,
/// `not_supported`, the page that says what is modelled, and the name of each status by `name`. A function
/// library_statuses(Status) has it as its result.
template <class Status>
using StatusesOf = decltype(library_statuses(Status{}));

template <class Status>
Status end_of_library_call(const char* function, const LibraryResult<Status>& result) {
  process::forget_explanation();
  if (!result.failed() || process::session().quiet) return result.status;
  const char* const name = StatusesOf<Status>::name(result.status);
  const record::Reason line = result.why.empty()
                                  ? record::Reason(ReasonKind::call_failed, function, name)
                                  : record::Reason(ReasonKind::call_failed_for_reason, function, name, result.why);
  std::fprintf(stderr, "warpfiber: %s\n", report::reason_text(line).c_str());
  return result.status;
}

/// What `work` returns, which is a LibraryResult. `returns_to` is left to its default, which is computed in the
/// function that calls this one.
template <class Status, class Work>
Status library_call(const char* function, Work&& work, const void* returns_to = __builtin_return_address(0)) {
  using Statuses = StatusesOf<Status>;
  if (engine::inside_kernel()) return Statuses::in_kernel;
  if (!base::begin_use()) {
    process::refuse_in_forked_child(function);
    return Statuses::in_forked_child;
  }
  const process::InUserCall of_program(process::UserCall{function, returns_to});
  try {
    return end_of_library_call(function, LibraryResult<Status>(work()));
  } catch (const std::bad_alloc&) {
    return end_of_library_call(function, LibraryResult<Status>{Statuses::no_memory});
  }
}

/// Of a function that exists in CUDA and not here.
template <class Status>
Status library_not_modelled(const char* function) {
  using Statuses = StatusesOf<Status>;
  if (engine::inside_kernel()) return Statuses::in_kernel;
  runtime::print_unmodelled(function, Statuses::name(Statuses::not_supported), Statuses::page);
  return Statuses::not_supported;
}

/// What an operation of the runtime has left: `status` and its reason unless it is a success.
template <class Status>
LibraryResult<Status> library_result(Error error, Status status) {
  if (error == Error::success) return {};
  const record::Reason why = process::reason_of_call();
  return {status, why.empty() ? record::stated(error_name(error)) : why};
}

}  // namespace warpfiber::abi

// SPDX-License-Identifier: Apache-2.0
// What every function of a library of CUDA's has around it: it is for host threads, and a call that fails is a finding
// of a checked program and says why on standard error in others. A library declares library_statuses() for its type of
// status, whose 0 is a success.
#pragma once

#include <exception>
#include <new>
#include <utility>

#include "process/errors.hpp"
#include "process/explain.hpp"
#include "process/user_call.hpp"
#include "record/reason.hpp"
#include "runtime/call_end.hpp"
#include "runtime/door.hpp"

namespace warpfiber::cuda_libraries {

using record::ReasonKind;

/// How a call ends. `why` is empty where the status says it all, and `fix` where nothing is known that mends the call.
template <class Status>
struct LibraryResult {
  Status status{};
  record::Reason why{};
  record::Reason fix{};
  bool is_answer = false;  // to what the program asks with the call, which is no failure

  bool failed() const { return status != Status{}; }
};

/// What a library returns where every library has something to say: `in_kernel`, `in_forked_child`, `no_memory`,
/// `not_supported`, the page that says what is modelled, and the name of each status by `name`. A function
/// library_statuses(Status) has it as its result.
template <class Status>
using StatusesOf = decltype(library_statuses(Status{}));

template <class Status>
Status end_of_library_call(const char* function, const LibraryResult<Status>& result) {
  using Statuses = StatusesOf<Status>;
  if (!result.failed() || result.is_answer) {
    process::forget_explanation();
    return result.status;
  }
  const bool is_limit = result.status == Statuses::not_supported || result.status == Statuses::no_memory;
  runtime::finish_failed_library_call({function, Statuses::name(result.status), is_limit, result.why, result.fix});
  return result.status;
}

/// What `work` returns, which is a LibraryResult. `returns_to` is left to its default, which is computed in the
/// function that calls this one.
template <class Status, class Work>
Status library_call(const char* function, Work&& work, const void* returns_to = __builtin_return_address(0)) {
  using Statuses = StatusesOf<Status>;
  const runtime::Caller caller = runtime::caller();
  if (caller == runtime::Caller::kernel) return Statuses::in_kernel;
  if (caller == runtime::Caller::forked_child) {
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
Status library_not_modelled(const char* function, const void* returns_to = __builtin_return_address(0)) {
  using Statuses = StatusesOf<Status>;
  if (runtime::is_called_by_kernel()) return Statuses::in_kernel;
  const process::InUserCall of_program(process::UserCall{function, returns_to});
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

}  // namespace warpfiber::cuda_libraries

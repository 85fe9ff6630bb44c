// SPDX-License-Identifier: Apache-2.0
// What every function of cuRAND has around it: it is for host threads, and a call that fails says why on standard
// error.
#pragma once

#include <warpfiber/cuda/curand/host_api.h>

#include <cstdio>
#include <exception>
#include <new>

#include "base/forking.hpp"
#include "engine/run.hpp"
#include "process/explain.hpp"
#include "process/host/forked_child.hpp"
#include "process/session.hpp"
#include "process/user_call.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber::abi {

using record::ReasonKind;

/// How a call ends. `why` is empty where the status says it all.
struct CurandResult {
  curandStatus_t status = CURAND_STATUS_SUCCESS;
  record::Reason why{};

  bool failed() const { return status != CURAND_STATUS_SUCCESS; }
};

/// "CURAND_STATUS_OUT_OF_RANGE".
const char* curand_status_name(curandStatus_t status);

inline curandStatus_t end_of_curand_call(const char* function, const CurandResult& result) {
  process::forget_explanation();
  if (!result.failed() || process::session().quiet) return result.status;
  const char* const name = curand_status_name(result.status);
  const record::Reason line = result.why.empty()
                                  ? record::Reason(ReasonKind::call_failed, function, name)
                                  : record::Reason(ReasonKind::call_failed_for_reason, function, name, result.why);
  std::fprintf(stderr, "warpfiber: %s\n", report::reason_text(line).c_str());
  return result.status;
}

/// What `work` returns, which is a CurandResult. `returns_to` is left to its default, which is computed in the function
/// that calls this one.
template <class Work>
curandStatus_t curand_call(const char* function, Work&& work, const void* returns_to = __builtin_return_address(0)) {
  if (engine::inside_kernel()) return CURAND_STATUS_INTERNAL_ERROR;
  if (!base::begin_use()) {
    process::refuse_in_forked_child(function);
    return CURAND_STATUS_INITIALIZATION_FAILED;
  }
  const process::InUserCall of_program(process::UserCall{function, returns_to});
  try {
    return end_of_curand_call(function, work());
  } catch (const std::bad_alloc&) {
    return end_of_curand_call(function, {CURAND_STATUS_ALLOCATION_FAILED});
  }
}

/// What an operation of the runtime has left: `status` and its reason unless it is a success.
inline CurandResult result_of(Error error, curandStatus_t status) {
  if (error == Error::success) return {};
  const record::Reason why = process::reason_of_call();
  return {status, why.empty() ? record::stated(error_name(error)) : why};
}

}  // namespace warpfiber::abi

// SPDX-License-Identifier: Apache-2.0
//
// Two members of the host thread: the outermost call in progress, and whether an access is being looked at.
#include "process/user_call.hpp"

#include "engine/run.hpp"
#include "process/findings/host_findings.hpp"
#include "process/host/host_calls.hpp"
#include "process/host_thread.hpp"

namespace warpfiber::process {

const UserCall& user_call() {
  return HostThreadState::of_caller().call;
}

InUserCall::InUserCall(const UserCall& call) : outermost_(user_call().returns_to == nullptr) {
  if (!outermost_) return;
  UserCall& mine = HostThreadState::of_caller().call;
  mine = call;
  // Findings name the program's own line.
  if (host_is_checked() && !engine::inside_kernel()) mine.returns_to = call_of_own_code(call.returns_to);
}

InUserCall::~InUserCall() {
  if (outermost_) HostThreadState::of_caller().call = UserCall{};
}

Look::Look() : allowed_(!HostThreadState::of_caller().is_looking && user_call().returns_to == nullptr) {
  if (allowed_) HostThreadState::of_caller().is_looking = true;
}

Look::~Look() {
  if (allowed_) HostThreadState::of_caller().is_looking = false;
}

}  // namespace warpfiber::process

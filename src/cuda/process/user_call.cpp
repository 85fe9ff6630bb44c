// SPDX-License-Identifier: Apache-2.0
//
// Two members of the host thread: the outermost call in progress, and whether an access is being looked at.
#include "process/user_call.hpp"

#include "engine/run.hpp"
#include "process/host_thread.hpp"

namespace warpfiber::process {

const UserCall& user_call() {
  return HostThreadState::of_caller().call;
}

InUserCall::InUserCall(const UserCall& call) : outermost_(user_call().returns_to == nullptr) {
  if (outermost_) HostThreadState::of_caller().call = call;
}

InUserCall::~InUserCall() {
  if (outermost_) HostThreadState::of_caller().call = UserCall{};
}

Look::Look()
    : allowed_(!HostThreadState::of_caller().is_looking && user_call().returns_to == nullptr &&
               !engine::inside_kernel()) {
  if (allowed_) HostThreadState::of_caller().is_looking = true;
}

Look::~Look() {
  if (allowed_) HostThreadState::of_caller().is_looking = false;
}

}  // namespace warpfiber::process

// SPDX-License-Identifier: Apache-2.0
//
// Two thread-local variables: the outermost call in progress, and whether an access is being looked at.
#include "process/host/user_call.hpp"

namespace warpfiber::runtime {
namespace {

constinit thread_local UserCall current;
constinit thread_local bool is_looking = false;

}  // namespace

const UserCall& user_call() {
  return current;
}

InUserCall::InUserCall(const UserCall& call) : outermost_(current.returns_to == nullptr) {
  if (outermost_) current = call;
}

InUserCall::~InUserCall() {
  if (outermost_) current = UserCall{};
}

Look::Look() : allowed_(!is_looking && current.returns_to == nullptr) {
  if (allowed_) is_looking = true;
}

Look::~Look() {
  if (allowed_) is_looking = false;
}

}  // namespace warpfiber::runtime

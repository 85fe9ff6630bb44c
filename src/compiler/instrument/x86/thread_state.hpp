// SPDX-License-Identifier: Apache-2.0
// What this folder keeps for each OS thread. Read between any two instructions of a kernel, so that it is not made when
// it is first used.
#pragma once

#include <warpfiber/detail/config.hpp>

#include "instrument/x86/code_area.hpp"
#include "instrument/x86/steps.hpp"

namespace warpfiber::instrument::x86 {

struct LeavingState {
  Leaving leaving{};
  CodeArea* area = nullptr;
  bool is_refused = false;  // memory for code
};
extern constinit thread_local LeavingState of_thread WARPFIBER_TLS_MODEL;

}  // namespace warpfiber::instrument::x86

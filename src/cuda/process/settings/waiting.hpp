// SPDX-License-Identifier: Apache-2.0
// When work of streams starts, and how long is waited, as the environment says (session.cpp).
#pragma once

namespace warpfiber::process {

struct WaitSettings {
  unsigned watchdog_seconds = 30;
  bool late = false;      // work of streams starts when the host synchronises with it
  bool standing = false;  // SIGXCPU asks where the program stands
};

const WaitSettings& wait_settings();

}  // namespace warpfiber::process

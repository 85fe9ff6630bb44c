// SPDX-License-Identifier: Apache-2.0
// What is checked, as the environment says (session.cpp).
#pragma once

namespace warpfiber::process {

/// What programs with access hooks have checked.
enum class Check {
  off,
  on,
  strict,  // also what is right and not portable
};

struct CheckSettings {
  Check check = Check::on;
  bool check_is_asked = false;  // WARPFIBER_CHECK is set
  bool leak_check = false;      // memory that is never freed is reported
  bool stop_at_first = false;   // access that a device refuses, as a device does
};

const CheckSettings& check_settings();

}  // namespace warpfiber::process

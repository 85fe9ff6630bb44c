// SPDX-License-Identifier: Apache-2.0
// The controls of base/thread_modes.hpp as the C library has them: changed all at once, and not known one by one.
#pragma once

#ifndef __x86_64__

#include <cfenv>

namespace warpfiber::base {

struct FloatMode {
  bool operator==(const FloatMode&) const = default;
};
inline FloatMode float_mode() {
  return {};
}
inline void set_float_mode(const FloatMode&) {}

class DeviceFloats {
 public:
  DeviceFloats() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DeviceFloats() { std::fesetenv(&before_); }
  DeviceFloats(const DeviceFloats&) = delete;
  DeviceFloats& operator=(const DeviceFloats&) = delete;

 private:
  std::fenv_t before_{};
};

}  // namespace warpfiber::base

#endif

// SPDX-License-Identifier: Apache-2.0
// The controls of base/thread_modes.hpp on x86-64: MXCSR, and the x87's for long double.
#pragma once

#ifdef __x86_64__

#include <cstdint>

namespace warpfiber::base {

struct FloatMode {
  std::uint32_t mxcsr = 0x1f80;  // to nearest, subnormal numbers kept, no traps; without its flags
  std::uint16_t x87 = 0x37f;     // likewise, 64 bits of precision
  bool operator==(const FloatMode&) const = default;
};

inline constexpr std::uint32_t kMxcsrFlags = 0x3f;
inline constexpr std::uint16_t kX87Flags = 0x3f;

inline std::uint32_t mxcsr() {
  std::uint32_t value;
  asm volatile("stmxcsr %0" : "=m"(value));
  return value;
}

inline std::uint16_t x87_control() {
  std::uint16_t value;
  asm volatile("fnstcw %0" : "=m"(value));
  return value;
}

inline FloatMode float_mode() {
  return {mxcsr() & ~kMxcsrFlags, x87_control()};
}

/// Clears the flags of MXCSR.
inline void set_float_mode(const FloatMode& mode) {
  asm volatile("ldmxcsr %0" : : "m"(mode.mxcsr) : "memory");
  asm volatile("fldcw %0" : : "m"(mode.x87) : "memory");
}

/// For as long as this lives, the calling OS thread computes as a device does. Then it has its own controls and flags
/// back.
class DeviceFloats {
 public:
  DeviceFloats() : mxcsr_(mxcsr()), x87_(x87_control()), x87_flags_(x87_flags()) { set_float_mode({}); }
  ~DeviceFloats() {
    if (x87_flags() != x87_flags_) restore_x87_flags();  // rare, and slow
    set_float_mode({mxcsr_, x87_});
  }
  DeviceFloats(const DeviceFloats&) = delete;
  DeviceFloats& operator=(const DeviceFloats&) = delete;

 private:
  static std::uint16_t x87_flags() {
    std::uint16_t status;
    asm volatile("fnstsw %0" : "=a"(status));
    return status & kX87Flags;
  }
  void restore_x87_flags() const {
    struct {
      std::uint16_t control, reserved, status, more[11];
    } environment;
    asm volatile("fnstenv %0" : "=m"(environment));
    environment.status = static_cast<std::uint16_t>((environment.status & ~kX87Flags) | x87_flags_);
    asm volatile("fldenv %0" : : "m"(environment) : "memory");
  }

  std::uint32_t mxcsr_;
  std::uint16_t x87_;
  std::uint16_t x87_flags_;
};

}  // namespace warpfiber::base

#endif

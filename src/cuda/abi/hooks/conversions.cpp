// SPDX-License-Identifier: Apache-2.0
// What -fsanitize=float-cast-overflow makes g++ and clang++ call before a conversion whose result the language leaves
// open, and -fsanitize=bool before the use of a byte that is no bool. Only those in kernels are reported: what the host
// computes is the same with and without this library.
// The layout of the arguments is that of compiler-rt's ubsan_handlers.h.
#include <cstdint>
#include <cstring>
#include <string>

#include "abi/hooks/busy.hpp"
#include "abi/hooks/type_descriptor.hpp"
#include "base/text.hpp"
#include "check/launch/launch_checker.hpp"

namespace {

using warpfiber::abi::SourceLocation;
using warpfiber::abi::TypeDescriptor;

struct CastData {
  SourceLocation place;
  const TypeDescriptor* from;
  const TypeDescriptor* to;
};

/// A number of up to 64 bits is the argument itself; a wider one is pointed to.
double value_of(const TypeDescriptor& type, std::uintptr_t bits) {
  if (type.info == 32) {
    float narrow = 0;
    std::memcpy(&narrow, &bits, sizeof narrow);
    return static_cast<double>(narrow);
  }
  if (type.info == 64) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  long double wide = 0;
  std::memcpy(&wide, reinterpret_cast<const void*>(bits), sizeof wide);
  return static_cast<double>(wide);
}

/// Devices and hosts convert to integers of fewer than 32 bits by way of one of 32, whose lowest bits they keep.
bool has_same_result(const TypeDescriptor& to, double value) {
  constexpr unsigned kLogOf32 = 5;
  constexpr double kEnd = 0x1p31;
  return to.log_of_bits() < kLogOf32 && value < kEnd && value >= (to.has_sign() ? -kEnd : 0);
}

std::string name_of(const TypeDescriptor& type) {
  const std::string quoted(type.name);
  return quoted.size() > 2 ? quoted.substr(1, quoted.size() - 2) : quoted;
}

void report_conversion(const CastData& cast, std::uintptr_t bits, const void* instruction) {
  if (warpfiber::check::active_checker == nullptr) return;
  const double value = value_of(*cast.from, bits);
  if (has_same_result(*cast.to, value)) return;
  const warpfiber::abi::Busy busy;
  constexpr int kDigits = 10;
  const std::string detail =
      warpfiber::base::general(value, kDigits) + " from " + name_of(*cast.from) + " to " + name_of(*cast.to);
  warpfiber::check::active_checker->calls().conversion(detail, instruction);
}

/// Of the types whose loads are looked at only bool has values that it cannot hold.
void report_load(std::uintptr_t value, const void* instruction) {
  if (warpfiber::check::active_checker == nullptr) return;
  const warpfiber::abi::Busy busy;
  warpfiber::check::active_checker->calls().odd_bool(static_cast<unsigned char>(value), instruction);
}

}  // namespace

extern "C" void __ubsan_handle_load_invalid_value(void*, std::uintptr_t value) {
  report_load(value, __builtin_return_address(0));
}
extern "C" void __ubsan_handle_load_invalid_value_abort(void*, std::uintptr_t value) {
  report_load(value, __builtin_return_address(0));
}
extern "C" void __ubsan_handle_float_cast_overflow(void* data, std::uintptr_t value) {
  report_conversion(*static_cast<const CastData*>(data), value, __builtin_return_address(0));
}
extern "C" void __ubsan_handle_float_cast_overflow_abort(void* data, std::uintptr_t value) {
  report_conversion(*static_cast<const CastData*>(data), value, __builtin_return_address(0));
}

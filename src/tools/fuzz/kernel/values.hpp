// SPDX-License-Identifier: Apache-2.0
//
// Values of each type from the bits of a register and back. Integers are small enough for the sum of a block not to
// overflow where that is undefined; floating-point values are finite, never -0 or NaN, and of sizes that make every
// order of addition round differently.
#pragma once

#include <cstring>

#include "tools/fuzz/kernel/program.hpp"

namespace warpfiber::tools::fuzz {

template <class To, class From>
FUZZ_BOTH To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "bits of the same number");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

template <class T>
struct ValueOf;

template <>
struct ValueOf<int> {
  static FUZZ_BOTH int of(std::uint64_t bits) { return int(bits & 0x1fffff) - (1 << 20); }
  static FUZZ_BOTH std::uint64_t bits(int value) { return std::uint32_t(value); }
};
template <>
struct ValueOf<unsigned> {
  static FUZZ_BOTH unsigned of(std::uint64_t bits) { return unsigned(bits); }
  static FUZZ_BOTH std::uint64_t bits(unsigned value) { return value; }
};
template <>
struct ValueOf<long long> {
  static FUZZ_BOTH long long of(std::uint64_t bits) { return (long long)(bits >> 13) - (1ll << 50); }
  static FUZZ_BOTH std::uint64_t bits(long long value) { return std::uint64_t(value); }
};
template <>
struct ValueOf<unsigned long long> {
  static FUZZ_BOTH unsigned long long of(std::uint64_t bits) { return bits; }
  static FUZZ_BOTH std::uint64_t bits(unsigned long long value) { return value; }
};
template <>
struct ValueOf<float> {
  static FUZZ_BOTH float of(std::uint64_t bits) {
    const auto exponent = std::uint32_t(127 - 12 + (bits >> 40) % 25);
    return same_bits<float>(std::uint32_t(bits >> 63) << 31 | exponent << 23 | (std::uint32_t(bits) & 0x7fffffu));
  }
  static FUZZ_BOTH std::uint64_t bits(float value) { return same_bits<std::uint32_t>(value); }
};
template <>
struct ValueOf<double> {
  static FUZZ_BOTH double of(std::uint64_t bits) {
    const std::uint64_t exponent = 1023 - 25 + (bits >> 52) % 51;
    return same_bits<double>((bits >> 63) << 63 | exponent << 52 | (bits & 0xfffffffffffffull));
  }
  static FUZZ_BOTH std::uint64_t bits(double value) { return same_bits<std::uint64_t>(value); }
};

/// What is matched: `mask` leaves some of the bits, so that threads have values in common. Never a NaN or -0.
template <class T>
FUZZ_BOTH T matched(std::uint64_t bits, std::uint32_t mask) {
  return ValueOf<T>::of(scramble(bits & mask));
}

constexpr std::uint32_t kLabelSalt = 7;

/// Labels of 64 bits differ in their upper halves only.
FUZZ_BOTH long long label_of(Label how, std::uint64_t bits, std::uint32_t mask) {
  const std::uint64_t drawn = scramble((bits & mask) + kLabelSalt);
  switch (how) {
    case Label::boolean: return (long long)(drawn & 1);
    case Label::int32: return (long long)(int)drawn;
    default: return (long long)(drawn >> 32 << 32 | kLabelSalt);
  }
}

}  // namespace warpfiber::tools::fuzz

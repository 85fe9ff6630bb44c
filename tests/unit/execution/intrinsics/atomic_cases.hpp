// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the atomics share: a sequential reference of every operation, written from the guide's formulas in
// 128-bit arithmetic, an ear for what atomics tell the engine, and a sweep that compares all three over many inputs.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <warpfiber/intrinsics/atomics.hpp>

#include "unit/execution/intrinsics/sample_inputs.hpp"

namespace warpfiber::test {

namespace reference {

__extension__ typedef __int128 Exact;

/// The low bits of a number, as T.
template <class T>
T wrapped(Exact number) {
  return static_cast<T>(static_cast<unsigned long long>(number));
}

template <class T>
T add(T old, T value) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(static_cast<double>(old) + static_cast<double>(value));  // exact, then rounded once
  } else if constexpr (std::is_same_v<T, double>) {
    const volatile double sum = old + value;
    return sum;
  } else {
    return wrapped<T>(Exact{old} + Exact{value});
  }
}

template <class T>
T subtract(T old, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    const T negative = value == 0 ? T(0) : -value;  // the device has -0 less 0 as +0: tests/conformance/golden
    return add(old, negative);
  } else {
    return wrapped<T>(Exact{old} - Exact{value});
  }
}

template <class T>
T exchange(T, T value) {
  return value;
}

template <class T>
T smaller(T old, T value) {
  return Exact{old} - Exact{value} < 0 ? old : value;
}

template <class T>
T larger(T old, T value) {
  return Exact{old} - Exact{value} > 0 ? old : value;
}

/// Bit n of the result is bit (old bit + 2 * value bit) of `table`.
template <class T>
T bitwise(T old, T value, unsigned table) {
  unsigned long long result = 0;
  for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) {
    const unsigned row = static_cast<unsigned>(((old >> bit) & 1) + 2 * ((value >> bit) & 1));
    result |= static_cast<unsigned long long>((table >> row) & 1) << bit;
  }
  return static_cast<T>(result);
}

template <class T>
T both(T old, T value) {
  return bitwise(old, value, 0b1000);
}
template <class T>
T either(T old, T value) {
  return bitwise(old, value, 0b1110);
}
template <class T>
T one_of(T old, T value) {
  return bitwise(old, value, 0b0110);
}

template <class T>
T increment(T old, T value) {
  return ((old >= value) ? 0 : (old + 1));
}
template <class T>
T decrement(T old, T value) {
  return (((old == 0) || (old > value)) ? value : (old - 1));
}

}  // namespace reference

/// The same bits, or NaN both: which NaN a sum gives is the machine's choice.
template <class T>
bool same_value(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return identical(a, b);
  } else {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
  }
}

/// Stands in for the engine on this OS thread: counts writes and polls, and never switches.
class EngineEar {
 public:
  EngineEar() : saved_(detail::current_thread) {
    detail::current_thread.block = &block_;
    detail::current_thread.written = written_.data();
    clear();
  }
  ~EngineEar() { detail::current_thread = saved_; }
  EngineEar(const EngineEar&) = delete;
  EngineEar& operator=(const EngineEar&) = delete;

  void clear() {
    detail::current_thread.progress = 0;
    detail::current_thread.polls_left = kMany;
  }

  std::uint64_t writes() const { return detail::current_thread.progress; }
  /// Since the last write.
  int polls() const {
    const int full = writes() != 0 ? detail::kPollsBeforeYield : kMany;
    return full - detail::current_thread.polls_left;
  }
  /// The place of the last write to `address`; line 0 if there was none.
  Site last_write(const void* address) const {
    for (const detail::WrittenWord& word : written_) {
      if (word.address == address) return word.site;
    }
    return {};
  }

 private:
  static constexpr int kMany = 1000;
  detail::CurrentThread saved_;
  detail::Block block_;
  std::vector<detail::WrittenWord> written_ = std::vector<detail::WrittenWord>(detail::kWrittenWords);
};

/// An atomic of one operand, and what it has to leave in memory.
template <class T>
struct Atomic {
  const char* name;
  T (*call)(T*, T);
  T (*expected)(T old, T value);
};

/// Where an atomic first returns, stores or tells the engine something wrong, in words; empty where it never does.
template <class T>
std::string first_fault(const Atomic<T>& atomic, const std::vector<T>& inputs) {
  EngineEar ear;
  for (const T old : inputs) {
    for (const T value : inputs) {
      const T wanted = atomic.expected(old, value);
      T cell = old;
      ear.clear();
      const T returned = atomic.call(&cell, value);
      if (std::memcmp(&returned, &old, sizeof(T)) != 0) return "returned: " + difference(returned, old, old, value);
      if (!same_value(cell, wanted)) return "stored: " + difference(cell, wanted, old, value);
      const bool changed = std::memcmp(&cell, &old, sizeof(T)) != 0;
      if (ear.writes() != changed || ear.polls() != !changed) return "told: " + difference(cell, wanted, old, value);
    }
  }
  return {};
}

}  // namespace warpfiber::test

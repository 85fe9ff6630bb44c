// SPDX-License-Identifier: Apache-2.0
//
// CUDA's __nv_atomic_* functions against a sequential reference: every operation, type, size and order; which types are
// refused; and messages passed between host threads by release and acquire.
#include <cmath>
#include <thread>

#include <warpfiber/intrinsics/nv_atomics.hpp>

#include "support/catch.hpp"
#include "unit/execution/intrinsics/atomic_cases.hpp"

namespace {

namespace reference = warpfiber::test::reference;
using warpfiber::test::Atomic;
using warpfiber::test::corners_and;
using warpfiber::test::EngineEar;
using warpfiber::test::first_fault;

// Every order in turn, each with another scope; the form that returns nothing is run on a copy.
#define CASE(name, T, expected, order, scope)                                                                       \
  Atomic<T> {                                                                                                       \
#name " " #order,                                                                                               \
        [](T * address,                                                                                             \
           T value) { return __nv_atomic_fetch_##name(address, value, __NV_ATOMIC_##order, scope); }, expected < T> \
  }
#define QUIET_CASE(name, T, expected, order)                   \
  Atomic<T> {                                                  \
#name " without result", [](T* address, T value) {           \
      const T old = *address;                                    \
      __nv_atomic_##name(address, value, __NV_ATOMIC_##order);   \
      return old;                                                \
    },                                                           \
        expected<T> \
  }
#define CASES(name, T, expected)                                                                          \
  CASE(name, T, expected, RELAXED, __NV_THREAD_SCOPE_THREAD),                                             \
      CASE(name, T, expected, CONSUME, __NV_THREAD_SCOPE_BLOCK),                                          \
      CASE(name, T, expected, ACQUIRE, __NV_THREAD_SCOPE_CLUSTER),                                        \
      CASE(name, T, expected, RELEASE, __NV_THREAD_SCOPE_DEVICE),                                         \
      CASE(name, T, expected, ACQ_REL, __NV_THREAD_SCOPE_SYSTEM),                                         \
      CASE(name, T, expected, SEQ_CST, __NV_THREAD_SCOPE_DEVICE), QUIET_CASE(name, T, expected, RELAXED), \
      QUIET_CASE(name, T, expected, RELEASE)

template <class T>
std::vector<Atomic<T>> sums() {
  return {CASES(add, T, reference::add), CASES(sub, T, reference::subtract)};
}
template <class T>
std::vector<Atomic<T>> comparing_and_bitwise() {
  return {CASES(min, T, reference::smaller), CASES(max, T, reference::larger), CASES(and, T, reference::both),
          CASES(or, T, reference::either), CASES(xor, T, reference::one_of)};
}

template <class T>
void check_all(const std::vector<Atomic<T>>& atomics) {
  // Corners come in groups of six: every fifth takes all of a group's places in turn.
  const std::vector<T> all = corners_and<T>(50);
  std::vector<T> inputs;
  for (std::size_t i = 0; i < all.size(); i += 5) inputs.push_back(all[i]);
  for (const Atomic<T>& atomic : atomics) {
    INFO(atomic.name);
    CHECK(first_fault(atomic, inputs) == "");
  }
}

}  // namespace

TEMPLATE_TEST_CASE("ordered sums return the old value, store the new one and notify the engine of a change", "", int,
                   unsigned, unsigned long, unsigned long long, float, double) {
  check_all(sums<TestType>());
}

TEMPLATE_TEST_CASE("ordered comparisons and bit operations do the same", "", int, unsigned, long, unsigned long,
                   long long, unsigned long long) {
  check_all(comparing_and_bitwise<TestType>());
}

namespace {

__extension__ typedef __int128 SignedWide;

struct Pair {
  int first, second;
};

/// An object whose bytes all differ from those of another `seed`.
template <class T>
T filled(unsigned seed) {
  unsigned char bytes[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes[i] = std::is_same_v<T, bool> ? seed % 2 : static_cast<unsigned char>(16 * seed + i);
  }
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T>
bool same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Faults of a store of `value` over `old`, in both forms where there are two.
template <class T>
int store_faults(EngineEar& ear, T old, T value) {
  const bool changed = !same(old, value);
  alignas(sizeof(T)) T cell = old;
  ear.clear();
  __nv_atomic_store(&cell, &value, __NV_ATOMIC_RELEASE);
  int faults = !same(cell, value) + (ear.writes() != changed) + (ear.polls() != !changed);
  if constexpr (requires { __nv_atomic_store_n(&cell, value, __NV_ATOMIC_RELAXED); }) {
    cell = old;
    __nv_atomic_store_n(&cell, value, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_BLOCK);
    faults += !same(cell, value);
  }
  return faults;
}

template <class T>
int load_faults(EngineEar& ear, T old) {
  alignas(sizeof(T)) T cell = old;
  T loaded = filled<T>(9);
  ear.clear();
  __nv_atomic_load(&cell, &loaded, __NV_ATOMIC_ACQUIRE);
  int faults = !same(loaded, old) + !same(cell, old) + (ear.polls() != 1) + (ear.writes() != 0);
  if constexpr (requires { __nv_atomic_load_n(&cell, __NV_ATOMIC_RELAXED); }) {
    faults += !same(__nv_atomic_load_n(&cell, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE), old);
    faults += !same(__nv_atomic_load_n(&cell, __NV_ATOMIC_CONSUME), old);
  }
  return faults;
}

template <class T>
int exchange_faults(EngineEar& ear, T old, T value) {
  const bool changed = !same(old, value);
  alignas(sizeof(T)) T cell = old;
  T returned = filled<T>(9);
  ear.clear();
  __nv_atomic_exchange(&cell, &value, &returned, __NV_ATOMIC_ACQ_REL);
  int faults = !same(cell, value) + !same(returned, old) + (ear.writes() != changed) + (ear.polls() != !changed);
  if constexpr (requires { __nv_atomic_exchange_n(&cell, value, __NV_ATOMIC_RELAXED); }) {
    cell = old;
    faults += !same(__nv_atomic_exchange_n(&cell, value, __NV_ATOMIC_RELAXED), old) + !same(cell, value);
  }
  return faults;
}

template <class T>
int swap_faults(EngineEar& ear, T old, T compare, T value) {
  const bool equal = same(old, compare);
  const bool changed = equal && !same(old, value);
  alignas(sizeof(T)) T cell = old;
  T expected = compare;
  ear.clear();
  int faults = equal != __nv_atomic_compare_exchange(&cell, &expected, &value, true, __NV_ATOMIC_RELEASE,
                                                     __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_SYSTEM);
  faults += !same(cell, equal ? value : old) + !same(expected, equal ? compare : old);
  faults += (ear.writes() != changed) + (ear.polls() != !changed);
  if constexpr (requires { __nv_atomic_exchange_n(&cell, value, __NV_ATOMIC_RELAXED); }) {
    cell = old;
    expected = compare;
    faults += equal !=
              __nv_atomic_compare_exchange_n(&cell, &expected, value, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
    faults += !same(cell, equal ? value : old) + !same(expected, equal ? compare : old);
  }
  return faults;
}

}  // namespace

TEMPLATE_TEST_CASE("loads and stores of every size move the whole object and nothing beside it", "", bool, char,
                   unsigned char, short, char16_t, int, unsigned, long, unsigned long long, float, double, int*, Pair,
                   float2, int4, SignedWide) {
  EngineEar ear;
  int faults = 0;
  for (const unsigned old : {0U, 1U, 2U}) {
    for (const unsigned value : {0U, 1U, 2U}) {
      faults += store_faults(ear, filled<TestType>(old), filled<TestType>(value));
    }
    faults += load_faults(ear, filled<TestType>(old));
  }
  CHECK(faults == 0);
}

TEMPLATE_TEST_CASE("exchanges of 4, 8 and 16 bytes hand back what was there", "", int, unsigned, long,
                   unsigned long long, float, double, int*, Pair, float2, int4, SignedWide) {
  EngineEar ear;
  int faults = 0;
  for (const unsigned old : {0U, 1U, 2U}) {
    for (const unsigned value : {0U, 1U, 2U}) {
      faults += exchange_faults(ear, filled<TestType>(old), filled<TestType>(value));
    }
  }
  CHECK(faults == 0);
}

TEMPLATE_TEST_CASE("compare-and-exchange of 2, 4, 8 and 16 bytes stores or says what is there", "", short,
                   unsigned short, int, unsigned long long, float, double, int*, Pair, float2, int4, SignedWide) {
  EngineEar ear;
  int faults = 0;
  for (unsigned inputs = 0; inputs < 27; ++inputs) {
    faults +=
        swap_faults(ear, filled<TestType>(inputs % 3), filled<TestType>(inputs / 3 % 3), filled<TestType>(inputs / 9));
  }
  CHECK(faults == 0);
}

TEST_CASE("compare-and-exchange compares bits") {
  float cell = 0.0F;
  float expected = -0.0F;
  const float one = 1;
  CHECK_FALSE(__nv_atomic_compare_exchange(&cell, &expected, &one, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED));
  CHECK_FALSE(std::signbit(expected));
}

namespace {

template <class T>
concept Added = requires(T* p, T v) {
  __nv_atomic_fetch_add(p, v, 0), __nv_atomic_sub(p, v, 0);
};
template <class T>
concept Ordered = requires(T* p, T v) {
  __nv_atomic_fetch_min(p, v, 0), __nv_atomic_max(p, v, 0);
};
template <class T>
concept Masked = requires(T* p, T v) {
  __nv_atomic_fetch_and(p, v, 0), __nv_atomic_xor(p, v, 0);
};
template <class T>
concept Moved = requires(T* p, T* q) {
  __nv_atomic_load(p, q, 0), __nv_atomic_store(p, q, 0);
};
template <class T>
concept MovedByValue = requires(T* p, T v) {
  __nv_atomic_load_n(p, 0), __nv_atomic_store_n(p, v, 0);
};
template <class T>
concept Exchanged = requires(T* p, T* q) {
  __nv_atomic_exchange(p, q, q, 0);
};
template <class T>
concept Compared = requires(T* p, T* q) {
  __nv_atomic_compare_exchange(p, q, q, false, 0, 0);
};

/// One digit for every operation that takes the type: add, min, and, load, load_n, exchange, compare_exchange.
template <class T>
constexpr int accepted() {
  int digits = 0;
  for (const bool taken : {Added<T>, Ordered<T>, Masked<T>, Moved<T>, MovedByValue<T>, Exchanged<T>, Compared<T>}) {
    digits = 2 * digits + (taken ? 1 : 0);
  }
  return digits;
}

}  // namespace

TEST_CASE("the types taken are those nvcc takes") {
  STATIC_REQUIRE(accepted<int>() == 0b1111111);
  STATIC_REQUIRE(accepted<unsigned long>() == 0b1111111);
  STATIC_REQUIRE(accepted<long long>() == 0b0111111);
  STATIC_REQUIRE(accepted<float>() == 0b1001011);
  STATIC_REQUIRE(accepted<double>() == 0b1001011);
  STATIC_REQUIRE(accepted<SignedWide>() == 0b0001111);
  STATIC_REQUIRE(accepted<float4>() == 0b0001011);
  STATIC_REQUIRE(accepted<int*>() == 0b0001011);
  STATIC_REQUIRE(accepted<short>() == 0b0001101);
  STATIC_REQUIRE(accepted<bool>() == 0b0001100);
  STATIC_REQUIRE(accepted<int3>() == 0);
  STATIC_REQUIRE(accepted<const int>() == 0);
  STATIC_REQUIRE(accepted<volatile int>() == 0);
}

TEST_CASE("operands convert to the type in memory, and those read may be constant") {
  float real = 1.5F;
  CHECK(__nv_atomic_fetch_add(&real, 1, __NV_ATOMIC_RELAXED) == 1.5F);
  const float constant = 4;
  __nv_atomic_store(&real, &constant, __NV_ATOMIC_RELAXED);
  CHECK(real == 4);
}

TEST_CASE("release and acquire pass messages between host threads, and no ordered sum is lost") {
  constexpr unsigned kRounds = 4000;
  std::vector<unsigned> message(kRounds);
  unsigned written = 0;
  double sum = 0;
  int faults = 0;
  std::thread reader([&] {
    for (unsigned seen = 0; seen < kRounds;) {
      const unsigned now = __nv_atomic_load_n(&written, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
      for (; seen < now; ++seen) {
        faults += message[seen] != seen + 1;
        __nv_atomic_sub(&sum, 1, __NV_ATOMIC_ACQ_REL);
      }
    }
  });
  for (unsigned i = 0; i < kRounds; ++i) {
    message[i] = i + 1;
    __nv_atomic_store_n(&written, i + 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_add(&sum, 3, __NV_ATOMIC_SEQ_CST);
  }
  reader.join();
  CHECK(faults == 0);
  CHECK(sum == 2.0 * kRounds);
}

TEST_CASE("a fence of any scope counts as a poll") {
  EngineEar ear;
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST);
  __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  CHECK(ear.polls() == 2);
  CHECK(ear.writes() == 0);
}

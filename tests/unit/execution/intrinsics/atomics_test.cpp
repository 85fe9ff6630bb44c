// SPDX-License-Identifier: Apache-2.0
//
// CUDA's atomics against a sequential reference: the value returned, the value stored and whether the engine is told of
// a write, for every function, type and scope; and which types are refused.
#include <limits>

#include "support/catch.hpp"
#include "unit/execution/intrinsics/atomic_cases.hpp"

namespace {

namespace reference = warpfiber::test::reference;
using warpfiber::test::Atomic;
using warpfiber::test::corners_and;
using warpfiber::test::EngineEar;
using warpfiber::test::first_fault;

#define CASE(function, T, expected)                                                         \
  Atomic<T> {                                                                               \
#function, [](T * address, T value) { return function(address, value); }, expected < T> \
  }
#define SCOPES(function, T, expected) \
  CASE(function, T, expected), CASE(function##_block, T, expected), CASE(function##_system, T, expected)
#define COMPARING_AND_BITWISE(T)                                                     \
  SCOPES(atomicMin, T, reference::smaller), SCOPES(atomicMax, T, reference::larger), \
      SCOPES(atomicAnd, T, reference::both), SCOPES(atomicOr, T, reference::either), \
      SCOPES(atomicXor, T, reference::one_of)

template <class T>
const std::vector<Atomic<T>> kAtomics;
template <>
const std::vector<Atomic<int>> kAtomics<int>{SCOPES(atomicAdd, int, reference::add),
                                             SCOPES(atomicSub, int, reference::subtract),
                                             SCOPES(atomicExch, int, reference::exchange), COMPARING_AND_BITWISE(int)};
template <>
const std::vector<Atomic<unsigned>> kAtomics<unsigned>{
    SCOPES(atomicAdd, unsigned, reference::add),       SCOPES(atomicSub, unsigned, reference::subtract),
    SCOPES(atomicExch, unsigned, reference::exchange), SCOPES(atomicInc, unsigned, reference::increment),
    SCOPES(atomicDec, unsigned, reference::decrement), COMPARING_AND_BITWISE(unsigned)};
template <>
const std::vector<Atomic<long long>> kAtomics<long long>{COMPARING_AND_BITWISE(long long)};
template <>
const std::vector<Atomic<unsigned long long>> kAtomics<unsigned long long>{
    SCOPES(atomicAdd, unsigned long long, reference::add), SCOPES(atomicExch, unsigned long long, reference::exchange),
    COMPARING_AND_BITWISE(unsigned long long)};
template <>
const std::vector<Atomic<float>> kAtomics<float>{SCOPES(atomicAdd, float, reference::add),
                                                 SCOPES(atomicExch, float, reference::exchange)};
template <>
const std::vector<Atomic<double>> kAtomics<double>{SCOPES(atomicAdd, double, reference::add)};

}  // namespace

TEMPLATE_TEST_CASE("an atomic returns the old value, stores the new one and notifies the engine of a change", "", int,
                   unsigned, long long, unsigned long long, float, double) {
  const std::vector<TestType> inputs = corners_and<TestType>(40);
  for (const Atomic<TestType>& atomic : kAtomics<TestType>) {
    INFO(atomic.name);
    CHECK(first_fault(atomic, inputs) == "");
  }
}

namespace {

template <class T>
struct Swap {
  const char* name;
  T (*call)(T*, T, T);
};

#define SWAP(function, T)                                                                        \
  Swap<T> {                                                                                      \
#function, [](T * address, T compare, T value) { return function(address, compare, value); } \
  }
#define SWAP_SCOPES(T) SWAP(atomicCAS, T), SWAP(atomicCAS_block, T), SWAP(atomicCAS_system, T)

template <class T>
const std::vector<Swap<T>> kSwaps{SWAP_SCOPES(T)};
template <>
const std::vector<Swap<unsigned short>> kSwaps<unsigned short>{SWAP(atomicCAS, unsigned short)};

/// The corners and what differs from a corner in one bit only, so that compares of part of a word show.
template <class T>
std::vector<T> near_misses() {
  std::vector<T> values{T{0}, static_cast<T>(~T{0}), static_cast<T>(1)};
  for (unsigned bit = 0; bit < 8 * sizeof(T); bit += 5) values.push_back(static_cast<T>(T{1} << bit));
  return values;
}

}  // namespace

TEMPLATE_TEST_CASE("compare-and-swap stores only where the whole word compares equal", "", int, unsigned,
                   unsigned long long, unsigned short) {
  const std::vector<TestType> inputs = near_misses<TestType>();
  EngineEar ear;
  int faults = 0;
  for (const Swap<TestType>& swap : kSwaps<TestType>) {
    for (const TestType old : inputs) {
      for (const TestType compare : inputs) {
        for (const TestType value : inputs) {
          TestType cells[3] = {TestType{77}, old, TestType{78}};
          ear.clear();
          const TestType returned = swap.call(&cells[1], compare, value);
          const TestType wanted = old == compare ? value : old;
          const bool told = ear.writes() == (wanted != old) && ear.polls() == (wanted == old);
          const bool neighbours = cells[0] == TestType{77} && cells[2] == TestType{78};
          faults += returned != old || cells[1] != wanted || !told || !neighbours;
        }
      }
    }
    INFO(swap.name);
    CHECK(faults == 0);
  }
}

TEST_CASE("atomicInc counts 0 to its bound and over, atomicDec back") {
  const unsigned bound = GENERATE(0U, 1U, 6U);
  unsigned up = 0;
  unsigned down = 0;
  for (unsigned step = 0; step < 3 * (bound + 1); ++step) {
    CHECK(atomicInc(&up, bound) == step % (bound + 1));
    CHECK(atomicDec(&down, bound) == (bound + 1 - step % (bound + 1)) % (bound + 1));
  }
  CHECK(up == 0);
  CHECK(down == 0);
}

TEST_CASE("vectors add element by element") {
  const auto inputs = corners_and<float>(10);
  int faults = 0;
  for (std::size_t i = 0; i + 7 < inputs.size(); ++i) {
    const float* in = &inputs[i];
    float2 two{in[0], in[1]};
    const float2 old_two = (i % 3 == 0   ? atomicAdd(&two, {in[4], in[5]})
                            : i % 3 == 1 ? atomicAdd_block(&two, {in[4], in[5]})
                                         : atomicAdd_system(&two, {in[4], in[5]}));
    float4 four{in[0], in[1], in[2], in[3]};
    const float4 old_four = (i % 3 == 0   ? atomicAdd(&four, {in[4], in[5], in[6], in[7]})
                             : i % 3 == 1 ? atomicAdd_block(&four, {in[4], in[5], in[6], in[7]})
                                          : atomicAdd_system(&four, {in[4], in[5], in[6], in[7]}));
    faults += std::memcmp(&old_two, in, sizeof old_two) != 0;
    faults += std::memcmp(&old_four, in, sizeof old_four) != 0;
    const float stored[6] = {two.x, two.y, four.x, four.y, four.z, four.w};
    for (int element = 0; element < 6; ++element) {
      const int lane = element < 2 ? element : element - 2;
      faults += !warpfiber::test::same_value(stored[element], reference::add(in[lane], in[lane + 4]));
    }
  }
  CHECK(faults == 0);
}

namespace {

/// 16 bytes without a default constructor, which CUDA does not ask for.
struct alignas(16) Wide {
  Wide(unsigned long long l, unsigned long long h) : low(l), high(h) {}
  friend bool operator==(const Wide&, const Wide&) = default;
  unsigned long long low, high;
};

struct WideScope {
  Wide (*swap)(Wide*, Wide, Wide);
  Wide (*exchange)(Wide*, Wide);
};

#define WIDE_SCOPE(scope)                                              \
  WideScope {                                                          \
    [](Wide* p, Wide c, Wide v) { return atomicCAS##scope(p, c, v); }, \
        [](Wide* p, Wide v) { return atomicExch##scope(p, v); }        \
  }

const std::vector<WideScope> kWideScopes{WIDE_SCOPE(), WIDE_SCOPE(_block), WIDE_SCOPE(_system)};

}  // namespace

TEST_CASE("16-byte words are compared and exchanged whole") {
  std::vector<Wide> inputs;
  for (const unsigned long long low : {0ULL, 1ULL, 1ULL << 63, ~0ULL}) {
    for (const unsigned long long high : {0ULL, 1ULL, 1ULL << 63, ~0ULL}) inputs.emplace_back(low, high);
  }
  EngineEar ear;
  int faults = 0;
  for (const WideScope& scope : kWideScopes) {
    for (const Wide& old : inputs) {
      for (const Wide& value : inputs) {
        for (const Wide& compare : inputs) {
          Wide cell = old;
          ear.clear();
          const Wide wanted = old == compare ? value : old;
          faults += !(scope.swap(&cell, compare, value) == old) || !(cell == wanted);
          faults += ear.writes() != !(wanted == old) || ear.polls() != (wanted == old);
        }
        Wide cell = old;
        ear.clear();
        faults += !(scope.exchange(&cell, value) == old) || !(cell == value);
        faults += ear.writes() != !(value == old) || ear.polls() != (value == old);
      }
    }
  }
  CHECK(faults == 0);
}

TEST_CASE("16-byte vectors compare by their bits") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  float4 cell{nan, 0, 1, 2};
  CHECK(atomicCAS(&cell, float4{nan, -0.0F, 1, 2}, float4{}).z == 1);
  CHECK(cell.w == 2);
  atomicCAS(&cell, float4{nan, 0, 1, 2}, float4{5, 6, 7, 8});
  CHECK(cell.x == 5);
  CHECK(atomicExch(&cell, float4{}).w == 8);
}

namespace {

template <class T>
concept Added = requires(T* p, T v) {
  atomicAdd(p, v), atomicAdd_block(p, v), atomicAdd_system(p, v);
};
template <class T>
concept Subtracted = requires(T* p, T v) {
  atomicSub(p, v), atomicSub_block(p, v), atomicSub_system(p, v);
};
template <class T>
concept Exchanged = requires(T* p, T v) {
  atomicExch(p, v), atomicExch_block(p, v), atomicExch_system(p, v);
};
template <class T>
concept Ordered = requires(T* p, T v) {
  atomicMin(p, v), atomicMax_block(p, v), atomicMin_system(p, v);
};
template <class T>
concept Counted = requires(T* p, T v) {
  atomicInc(p, v), atomicDec_block(p, v), atomicInc_system(p, v);
};
template <class T>
concept Masked = requires(T* p, T v) {
  atomicAnd(p, v), atomicOr_block(p, v), atomicXor_system(p, v);
};
template <class T>
concept Compared = requires(T* p, T v) {
  atomicCAS(p, v, v);
};
template <class T>
concept ComparedInScopes = requires(T* p, T v) {
  atomicCAS_block(p, v, v), atomicCAS_system(p, v, v);
};

/// One digit for every function that takes the type: add, sub, exch, min, inc, and, CAS, CAS in scopes.
template <class T>
constexpr int accepted() {
  int digits = 0;
  for (const bool taken :
       {Added<T>, Subtracted<T>, Exchanged<T>, Ordered<T>, Counted<T>, Masked<T>, Compared<T>, ComparedInScopes<T>}) {
    digits = 2 * digits + (taken ? 1 : 0);
  }
  return digits;
}

}  // namespace

TEST_CASE("the types taken are those of CUDA's headers") {
  STATIC_REQUIRE(accepted<int>() == 0b11110111);
  STATIC_REQUIRE(accepted<unsigned>() == 0b11111111);
  STATIC_REQUIRE(accepted<unsigned long long>() == 0b10110111);
  STATIC_REQUIRE(accepted<long long>() == 0b00010100);
  STATIC_REQUIRE(accepted<float>() == 0b10100000);
  STATIC_REQUIRE(accepted<double>() == 0b10000000);
  STATIC_REQUIRE(accepted<unsigned short>() == 0b00000010);
  STATIC_REQUIRE(accepted<float2>() == 0b10000000);
  STATIC_REQUIRE(accepted<float4>() == 0b10100011);
  STATIC_REQUIRE(accepted<int4>() == 0b00100011);
  STATIC_REQUIRE(accepted<Wide>() == 0b00100011);
  STATIC_REQUIRE(accepted<int2>() == 0);
  STATIC_REQUIRE(accepted<long>() == 0);
  STATIC_REQUIRE(accepted<unsigned long>() == 0);
  STATIC_REQUIRE(accepted<short>() == 0);
  STATIC_REQUIRE(accepted<char>() == 0);
  STATIC_REQUIRE(accepted<volatile int>() == 0);
  STATIC_REQUIRE(accepted<const int>() == 0);
}

TEST_CASE("operands convert to the type in memory") {
  float real = 1.5F;
  CHECK(atomicAdd(&real, 1) == 1.5F);
  CHECK(real == 2.5F);
  int word = 1;
  CHECK(atomicAdd(&word, 2U) == 1);
  CHECK(word == 3);
}

TEST_CASE("a write is noted with the line of the call") {
  EngineEar ear;
  int cell = 0;
  atomicAdd(&cell, 1);
  CHECK(ear.last_write(&cell).line == __LINE__ - 1);
  CHECK(std::string(ear.last_write(&cell).file) == __FILE__);
}

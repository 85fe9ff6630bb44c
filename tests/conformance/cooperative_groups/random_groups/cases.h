// SPDX-License-Identifier: Apache-2.0
//
// What a case is: the shape of a block, how its threads are cut into groups, and what the groups then do. The kernel
// and the model read the same case, and draw the values that threads bring by the same functions; nothing else is
// shared.
#pragma once

#include <cstdint>
#include <cstring>

namespace random_groups {

#define RANDOM_GROUPS_BOTH __host__ __device__ inline

constexpr int kMaxThreads = 1024;
constexpr int kDepth = 4;  // partitions below the block
constexpr int kLevels = kDepth + 1;
constexpr int kMaxActions = 6;
constexpr int kSlots = kLevels + kMaxActions;  // results of a thread: where it is in each group, then one an action

enum class Cut : unsigned char {
  none,        // the group at hand is the last
  tile,        // tiled_partition<size>
  dynamic,     // tiled_partition(group, size)
  binary,      // binary_partition
  label_bool,  // labeled_partition with labels of that type
  label_int,
  label_long,
  label_pointer,
  mask,  // a branch, and coalesced_threads() on both sides
};

enum class Call : unsigned char {
  sync,
  invoke_one,
  invoke_one_broadcast,
  shfl,
  any,
  all,
  reduce,
  inclusive_scan,
  exclusive_scan,
  reduce_update_async,
  inclusive_scan_update,
  exclusive_scan_update,
  shfl_up,
  shfl_down,
  ballot,
  match_any,
  match_all,
  shfl_xor,
};

enum class Element : unsigned char { int32, uint32, int64, float32, float64, triple };

enum class Functor : unsigned char { plus, less, greater, bit_and, bit_or, bit_xor, mix };

/// A value of 12 bytes that is no arithmetic type.
struct Triple {
  int x, y, z;
};

/// A user's operator that is neither commutative nor associative, so that its result tells the order of evaluation.
struct Mix {
  RANDOM_GROUPS_BOTH unsigned operator()(unsigned a, unsigned b) const { return a * 31u + (b ^ (a >> 7)); }
};

struct Step {
  Cut cut;
  unsigned char distinct;  // how many different labels are drawn; 0: any number
  unsigned short size;
  std::uint64_t seed;
};

struct Action {
  Call call;
  Element element;
  Functor functor;
  unsigned char distinct;  // as in Step, of values
  unsigned argument;       // rank or distance of shuffles
  std::uint64_t seed;
};

struct Actions {
  int count;
  Action list[kMaxActions];
};

/// What half of the groups of the first partition do: groups of even meta rank of the last partition do actions[0].
struct Plan {
  Step steps[kDepth - 1];
  Actions actions[2];
};

struct Case {
  std::uint64_t seed;
  Step root;
  Plan plans[2];  // of groups of even and odd meta rank; with a mask, of the two sides of the branch
};

struct Shape {
  unsigned x, y, z;
  unsigned threads() const { return x * y * z; }
};

/// Steele, Lea and Flood's SplitMix64: a number that depends on every bit of `x`.
RANDOM_GROUPS_BOTH std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// What thread `thread` of the block draws: one of `distinct` numbers, or its own.
RANDOM_GROUPS_BOTH std::uint64_t draw(std::uint64_t seed, unsigned char distinct, unsigned thread) {
  const std::uint64_t own = scramble(seed ^ (thread + 1) * 0xd1342543de82ef95ull);
  return distinct == 0 ? own : scramble(seed + own % distinct);
}

template <class To, class From>
RANDOM_GROUPS_BOTH To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "bits of the same number");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

// Values of a type from drawn bits. Sums of 1,024 integers do not overflow where that is undefined; floating-point
// values are normal, never zero, and far enough apart in size that every order of addition rounds differently.

template <class T>
struct Values;

template <>
struct Values<int> {
  static RANDOM_GROUPS_BOTH int from(std::uint64_t bits) { return int(bits >> 43) - (1 << 20); }
  static RANDOM_GROUPS_BOTH std::uint64_t told(int value) { return std::uint32_t(value); }
};
template <>
struct Values<unsigned> {
  static RANDOM_GROUPS_BOTH unsigned from(std::uint64_t bits) { return unsigned(bits >> 32); }
  static RANDOM_GROUPS_BOTH std::uint64_t told(unsigned value) { return value; }
};
template <>
struct Values<long long> {
  static RANDOM_GROUPS_BOTH long long from(std::uint64_t bits) { return (long long)(bits >> 13) - (1ll << 50); }
  static RANDOM_GROUPS_BOTH std::uint64_t told(long long value) { return std::uint64_t(value); }
};
template <>
struct Values<float> {
  static RANDOM_GROUPS_BOTH float from(std::uint64_t bits) {
    const auto exponent = std::uint32_t(127 - 12 + (bits >> 40) % 25);
    return same_bits<float>(std::uint32_t(bits >> 63) << 31 | exponent << 23 | (std::uint32_t(bits) & 0x7fffffu));
  }
  static RANDOM_GROUPS_BOTH std::uint64_t told(float value) { return same_bits<std::uint32_t>(value); }
};
template <>
struct Values<double> {
  static RANDOM_GROUPS_BOTH double from(std::uint64_t bits) {
    const std::uint64_t exponent = 1023 - 25 + (bits >> 52) % 51;
    return same_bits<double>((bits >> 63) << 63 | exponent << 52 | (bits & 0xfffffffffffffull));
  }
  static RANDOM_GROUPS_BOTH std::uint64_t told(double value) { return same_bits<std::uint64_t>(value); }
};
template <>
struct Values<Triple> {
  static RANDOM_GROUPS_BOTH Triple from(std::uint64_t bits) {
    return {int(bits), int(bits >> 32), int(scramble(bits))};
  }
  static RANDOM_GROUPS_BOTH std::uint64_t told(const Triple& value) {
    const std::uint64_t first = std::uint64_t(std::uint32_t(value.y)) << 32 | std::uint32_t(value.x);
    return scramble(first) ^ std::uint32_t(value.z);
  }
};

RANDOM_GROUPS_BOTH bool is_update(Call call) {
  return call == Call::reduce_update_async || call == Call::inclusive_scan_update ||
         call == Call::exclusive_scan_update;
}

RANDOM_GROUPS_BOTH bool is_fold(Call call) {
  return call == Call::reduce || call == Call::inclusive_scan || call == Call::exclusive_scan || is_update(call);
}

/// What the atomic of an update holds before.
RANDOM_GROUPS_BOTH unsigned draw_base(const Action& action) {
  return unsigned(scramble(~action.seed));
}

/// The rank that a thread takes a value from by shfl(): the same for all of a group where `limit` is 0.
RANDOM_GROUPS_BOTH unsigned draw_source(const Action& action, unsigned thread, unsigned limit) {
  if (limit == 0) return action.argument;
  return unsigned((action.argument + (draw(action.seed + 1, action.distinct, thread) >> 40)) % limit);
}

// How results are told in 64 bits.

RANDOM_GROUPS_BOTH std::uint64_t tell_place(std::uint64_t size, std::uint64_t rank, unsigned meta_rank,
                                            unsigned meta_size) {
  return std::uint64_t(1) << 63 | size << 48 | rank << 32 | std::uint64_t(meta_rank) << 16 | meta_size;
}

/// Of a group that a device need not make as large as it could: `first` is the block's rank of its first thread.
RANDOM_GROUPS_BOTH std::uint64_t tell_found(std::uint64_t size, std::uint64_t rank, unsigned first) {
  return tell_place(size, rank, first, 1);
}

/// The first thread of the group that a thread told with tell_found().
RANDOM_GROUPS_BOTH unsigned first_found(std::uint64_t told) {
  return unsigned(told >> 16 & 0xffff);
}

RANDOM_GROUPS_BOTH std::uint64_t tell_update(unsigned result, unsigned after) {
  return std::uint64_t(after) << 32 | result;
}

RANDOM_GROUPS_BOTH std::uint64_t tell_match(unsigned ranks, int predicate) {
  return std::uint64_t(std::uint32_t(predicate)) << 32 | ranks;
}

// What is drawn as a label.
RANDOM_GROUPS_BOTH bool label_bool(std::uint64_t bits) {
  return bits & 1;
}
RANDOM_GROUPS_BOTH int label_int(std::uint64_t bits) {
  return int(bits);
}
/// Different labels differ in their upper halves only.
RANDOM_GROUPS_BOTH long long label_long(std::uint64_t bits) {
  return (long long)(bits >> 32 << 32 | 7);
}

}  // namespace random_groups

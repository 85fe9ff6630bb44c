// SPDX-License-Identifier: Apache-2.0
//
// A random program as data: a tree of nodes in the order in which it is written down, which a kernel walks. Whatever
// knows programs (generator, kernel, printer, shrinker) includes this file and nothing else of the others. Builds for
// the simulator and under nvcc.
// Every thread has kRegisters words of 64 bits. A node of a group is executed by all threads of that group.
#pragma once

#include <cstdint>
#include <type_traits>

#define FUZZ_BOTH __host__ __device__ inline

#if !defined(__CUDACC__) || defined(__WARPFIBER__)
#include <warpfiber/warpfiber.hpp>
#endif

namespace warpfiber::tools::fuzz {

constexpr unsigned kRegisters = 4;
constexpr unsigned kMaxNodes = 80;
constexpr unsigned kMaxThreads = 1024;  // of a block
constexpr unsigned kMaxEvents = 256;    // that a thread notes down

/// What executes a node: `lanes` are threads of one warp, named by a mask; the others are groups.
enum class Context : std::uint8_t { grid, cluster, block, large_tile, tile, coalesced, dynamic, lanes };

enum class Op : std::uint8_t {
  // of each thread
  arithmetic,  // how: Arithmetic, on a and b
  // of all threads of a context; the result is mixed into register `to`
  place,      // size, rank, meta size, meta rank
  exchange,   // register a of the thread whose rank is in register b; by memory and barriers
  atomic,     // register b on the word of the thread whose rank is in a; how: Atomic
  shuffle,    // how: Shuffle; of register a
  vote,       // how: Vote; on a bit of register a
  match,      // how: 0 any, 1 all; of register a
  reduce,     // how: Functor; of register a
  scan,       // the same; option 1: exclusive
  aggregate,  // of lanes that find each other: a sum by their leaders' atomics
  // which hold further nodes
  narrow,   // clusters of a grid, blocks of a cluster: whether to do the first or the second part is drawn for each
  when,     // the first or the second part, by a bit of register a of one thread
  repeat,   // the first part, by register a of one thread, or `immediate` times
  branch,   // lanes: the first or the second part, by a bit of their own register a
  loop,     // lanes: the first part as often as each one's own register a says
  tile,     // tiled_partition<immediate>; groups of odd meta rank do the second part, if there is one
  dynamic,  // tiled_partition(group, immediate)
  binary,   // binary_partition by a bit of register a
  label,    // labeled_partition by register a; how: Label
  lanes,    // the lanes of the group, or those of each warp of a block
};
constexpr unsigned kOps = unsigned(Op::lanes) + 1;

FUZZ_BOTH bool holds_nodes(Op op) {
  return op >= Op::narrow;
}

enum class ValueType : std::uint8_t { int32, uint32, int64, uint64, float32, float64 };
constexpr unsigned kTypes = 6;

enum class Arithmetic : std::uint8_t {
  add,
  multiply,
  rotate,
  select,
  population,
  leading_zeroes,
  reverse,
  permute_bytes,
  funnel_shift,
  high_product,
  wide_high_product,
  absolute_differences,
  dot_product,
  packed_sum,
};
constexpr unsigned kArithmetics = unsigned(Arithmetic::packed_sum) + 1;

enum class Shuffle : std::uint8_t { index, up, down, exclusive_or };
enum class Vote : std::uint8_t { any, all, ballot, count };
enum class Functor : std::uint8_t { plus, less, greater, bit_and, bit_or, bit_xor };
enum class Label : std::uint8_t { boolean, int32, int64, pointer };
enum class Atomic : std::uint8_t { add, min, max, bit_and, bit_or, bit_xor, increment, decrement, compare_and_swap };
constexpr unsigned kAtomics = unsigned(Atomic::compare_and_swap) + 1;

/// Node::option of an exchange or atomic.
constexpr std::uint8_t kGlobal = 1;  // through global memory; else shared, of the cluster's blocks where it is one
constexpr std::uint8_t kSplit = 2;   // barriers as arrival and wait
/// Node::option of `scan`.
constexpr std::uint8_t kExclusive = 1;
/// Node::option of `repeat`: the count is drawn from register a.
constexpr std::uint8_t kCounted = 1;

struct alignas(16) Node {
  Op op;
  std::uint8_t how;
  ValueType type;
  std::uint8_t option;
  std::uint8_t to, a, b;  // registers
  std::uint8_t bit;       // of a register, for predicates; log2 of the width for shuffles of lanes
  std::uint16_t first;    // how many nodes the first part has
  std::uint16_t second;   // and the second, which follows it
  std::uint32_t immediate;
};
static_assert(sizeof(Node) == 16, "one load, and no padding, because programs are hashed");

struct ProgramShape {
  std::uint16_t x, y, z;  // threads of a block
  std::uint16_t grid_x, grid_y;
  std::uint16_t cluster;      // blocks, along x; divides grid_x
  std::uint16_t cooperative;  // whether the grid can synchronise

  FUZZ_BOTH unsigned threads() const { return unsigned(x) * y * z; }
  FUZZ_BOTH unsigned blocks() const { return unsigned(grid_x) * grid_y; }
};

/// What the kernel gets.
struct Flat {
  std::uint64_t seed;
  ProgramShape shape;
  std::uint16_t count;
  Node nodes[kMaxNodes];
};

/// What all threads of a program are in when it begins.
FUZZ_BOTH Context root_of(const ProgramShape& shape) {
  if (shape.cooperative != 0) return Context::grid;
  return shape.cluster > 1 ? Context::cluster : Context::block;
}

/// Steele, Lea and Flood's SplitMix64: a number that depends on every bit of `x`.
FUZZ_BOTH std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

FUZZ_BOTH std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  return scramble(a * 0xd1342543de82ef95ull + b);
}

/// Whether a cluster of a grid, or a block of a cluster, does the first part of a `narrow` node.
FUZZ_BOTH bool does_first(std::uint64_t seed, unsigned index, unsigned rank) {
  return (mix(seed + index, rank) & 1) != 0;
}

FUZZ_BOTH constexpr bool is_float(ValueType type) {
  return type == ValueType::float32 || type == ValueType::float64;
}

/// The reductions and scans that the kernel has for a context: all in the groups that programs use most, and one of
/// each kind of arithmetic elsewhere, because each is an instantiation. `size` is a tile's.
FUZZ_BOTH constexpr bool has_fold(Context context, unsigned size, ValueType type, Functor functor) {
  if (is_float(type) && functor >= Functor::bit_and) return false;
  if (context == Context::coalesced || (context == Context::tile && size == 32)) return true;
  if (context == Context::lanes)
    return type == ValueType::uint32 || (type == ValueType::int32 && functor < Functor::bit_and);
  if (context != Context::tile && context != Context::large_tile) return false;
  switch (type) {
    case ValueType::int32: return functor == Functor::less || functor == Functor::plus;
    case ValueType::uint32: return functor == Functor::bit_xor || functor == Functor::bit_or;
    case ValueType::int64: return functor == Functor::greater;
    case ValueType::uint64: return functor == Functor::bit_and || functor == Functor::plus;
    case ValueType::float32: return functor == Functor::plus;
    default: return functor == Functor::plus || functor == Functor::less;
  }
}

}  // namespace warpfiber::tools::fuzz

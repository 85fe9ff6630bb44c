// SPDX-License-Identifier: Apache-2.0
// What threads do together: a row for each operation, and the formulas that say what each thread gets. A formula is a
// function of the operands by lane and of the set of lanes; it can be evaluated at compile time and knows nothing of
// how kernels run. Executors (lanes/) bring the operands to it and the results to the threads. Used by the engine's
// side (src/models/machine), by the compiler's plugin for regions, by the fuzzer's reference and by tests.
// Source: CUDA C++ Programming Guide, "Synchronization Functions" to "Warp Shuffle Functions"; PTX ISA, "shfl.sync",
// "vote.sync", "match.sync", "redux.sync", "barrier.red".
#pragma once

#include <cstdint>
#include <type_traits>

namespace warpfiber::detail {

/// Lanes of the widest warp.
inline constexpr unsigned kMaxWarpSize = 64;

/// How the result follows from the operands.
enum class Formula : unsigned char {
  nothing,  // there is none: a barrier
  // The operand of another lane, which each names: by its number, or as so many lanes below, above, or by bits.
  index,
  up,
  down,
  exclusive_or,
  // Of predicates: 1 or 0; the lanes whose predicate holds; the number of threads whose does.
  all,
  any,
  uniform,
  ballot,
  count,
  // The lanes with the same operand; all lanes, if all have the same, else none.
  match_any,
  match_all,
  // One number for all.
  add,
  bit_and,
  bit_or,
  bit_xor,
  min_unsigned,
  min_signed,
  max_unsigned,
  max_signed,
  // Of matrices that the lanes have parts of (matrix.hpp): a product, or the same matrix with its parts elsewhere.
  matrix_product,
  matrix_move,
  matrix_access,  // whether the lanes say the same of memory
  // Of groups: lanes with the same label, and the rank of theirs among all; whether all bring the same number; the
  // lane that acts for the others.
  labels,
  agreement,
  election,
  of_call,  // what the code of the call says
};

/// Which threads meet, and what a call says of them. Operations of lanes take calls at any sites together; so do those
/// of groups, whose calls say where the group was made as well, but for static tiles, of which the engine knows.
/// Block barriers want one site, but for split ones (machine::SiteRule).
enum class CalledBy : unsigned char { mask, tile, group, block };

/// Whether accesses to memory that threads make before they meet happen before those that they make afterwards.
enum class Orders : unsigned char { nothing, memory };

/// Operands or results of which the type of the call says how many words they have.
inline constexpr unsigned char kAnyWords = 0;

// Columns: name, what reports call it, formula, words of 32 bits of an operand and of a result, who meets, what is
// ordered.
// clang-format off
#define WARPFIBER_OPERATIONS(row)                                                                                     \
  row(syncwarp, "__syncwarp()", nothing, 0, 0, mask, memory)                                                          \
  row(shuffle, "__shfl_sync()", index, kAnyWords, kAnyWords, mask, nothing)                                           \
  row(shuffle_up, "__shfl_up_sync()", up, kAnyWords, kAnyWords, mask, nothing)                                        \
  row(shuffle_down, "__shfl_down_sync()", down, kAnyWords, kAnyWords, mask, nothing)                                  \
  row(shuffle_xor, "__shfl_xor_sync()", exclusive_or, kAnyWords, kAnyWords, mask, nothing)                            \
  row(vote_all, "__all_sync()", all, 1, 1, mask, nothing)                                                             \
  row(vote_any, "__any_sync()", any, 1, 1, mask, nothing)                                                             \
  row(vote_uniform, "__uni_sync()", uniform, 1, 1, mask, nothing)                                                     \
  row(ballot, "__ballot_sync()", ballot, 1, 1, mask, nothing)                                                         \
  row(match_any, "__match_any_sync()", match_any, 2, 2, mask, nothing)                                                \
  row(match_all, "__match_all_sync()", match_all, 2, 2, mask, nothing)                                                \
  row(reduce_add, "__reduce_add_sync()", add, 1, 1, mask, nothing)                                                    \
  row(reduce_and, "__reduce_and_sync()", bit_and, 1, 1, mask, nothing)                                                \
  row(reduce_or, "__reduce_or_sync()", bit_or, 1, 1, mask, nothing)                                                   \
  row(reduce_xor, "__reduce_xor_sync()", bit_xor, 1, 1, mask, nothing)                                                \
  row(reduce_min_unsigned, "__reduce_min_sync()", min_unsigned, 1, 1, mask, nothing)                                  \
  row(reduce_min_signed, "__reduce_min_sync()", min_signed, 1, 1, mask, nothing)                                      \
  row(reduce_max_unsigned, "__reduce_max_sync()", max_unsigned, 1, 1, mask, nothing)                                  \
  row(reduce_max_signed, "__reduce_max_sync()", max_signed, 1, 1, mask, nothing)                                      \
  /* Matrices. */                                                                                                     \
  row(multiply, "mma.sync", matrix_product, kAnyWords, kAnyWords, mask, nothing)                                      \
  row(load_matrix, "ldmatrix", matrix_move, kAnyWords, kAnyWords, mask, nothing)                                      \
  row(store_matrix, "stmatrix", matrix_move, kAnyWords, kAnyWords, mask, nothing)                                     \
  row(transpose_matrix, "movmatrix", matrix_move, kAnyWords, kAnyWords, mask, nothing)                                \
  row(wmma_multiply, "wmma::mma_sync()", matrix_product, kAnyWords, kAnyWords, mask, nothing)                         \
  row(wmma_load, "wmma::load_matrix_sync()", matrix_access, kAnyWords, kAnyWords, mask, nothing)                                            \
  row(wmma_store, "wmma::store_matrix_sync()", matrix_access, kAnyWords, kAnyWords, mask, nothing)                                          \
  /* A warp that comes to a barrier of its block that has a number (named_barrier.hpp). */                            \
  row(named_sync, "bar.sync", ballot, 1, 1, mask, memory)                                                             \
  row(named_arrive, "bar.arrive", ballot, 1, 1, mask, memory)                                                         \
  row(named_reduce, "bar.red", ballot, 1, 1, mask, memory)                                                            \
  /* Members of cooperative groups that fit a warp, and functions that take such a group. */                          \
  row(tile_sync, "group.sync()", nothing, 0, 0, tile, memory)                                                         \
  row(group_sync, "group.sync()", nothing, 0, 0, group, memory)                                                       \
  row(group_shuffle, "group.shfl()", index, kAnyWords, kAnyWords, group, nothing)                                     \
  row(group_shuffle_up, "group.shfl_up()", up, kAnyWords, kAnyWords, group, nothing)                                  \
  row(group_shuffle_down, "group.shfl_down()", down, kAnyWords, kAnyWords, group, nothing)                            \
  row(group_shuffle_xor, "group.shfl_xor()", exclusive_or, kAnyWords, kAnyWords, group, nothing)                      \
  /* The same of values that stay in memory, out of which the library copies. */                                      \
  row(group_copy, "group.shfl()", of_call, kAnyWords, kAnyWords, group, nothing)                                      \
  row(group_copy_up, "group.shfl_up()", of_call, kAnyWords, kAnyWords, group, nothing)                                \
  row(group_copy_down, "group.shfl_down()", of_call, kAnyWords, kAnyWords, group, nothing)                            \
  row(group_copy_xor, "group.shfl_xor()", of_call, kAnyWords, kAnyWords, group, nothing)                              \
  row(group_all, "group.all()", ballot, 1, 1, group, nothing)                                                         \
  row(group_any, "group.any()", ballot, 1, 1, group, nothing)                                                         \
  row(group_ballot, "group.ballot()", ballot, 1, 1, group, nothing)                                                   \
  row(group_match_any, "group.match_any()", match_any, 2, 2, group, nothing)                                          \
  row(group_match_all, "group.match_all()", match_all, 2, 2, group, nothing)                                          \
  row(group_reduce, "cg::reduce()", of_call, kAnyWords, kAnyWords, group, nothing)                                    \
  row(group_inclusive_scan, "cg::inclusive_scan()", of_call, kAnyWords, kAnyWords, group, nothing)                    \
  row(group_exclusive_scan, "cg::exclusive_scan()", of_call, kAnyWords, kAnyWords, group, nothing)                    \
  row(group_scan_update, "cg::scan_update()", of_call, kAnyWords, kAnyWords, group, nothing)                          \
  row(binary_partition, "binary_partition()", ballot, 1, 1, group, nothing)                                           \
  row(labeled_partition, "labeled_partition()", labels, 2, 4, group, nothing)                                         \
  row(tiled_partition, "tiled_partition()", agreement, 2, 1, group, nothing)                                          \
  row(stride_partition, "stride_partition()", agreement, 2, 1, group, nothing)                                        \
  row(invoke_one, "invoke_one()", election, 0, 1, group, nothing)                                                     \
  /* All threads of the block. */                                                                                     \
  row(block_barrier, "__syncthreads()", nothing, 0, 0, block, memory)                                                 \
  row(block_count, "__syncthreads_count()", count, 1, 1, block, memory)                                               \
  row(block_all, "__syncthreads_and()", all, 1, 1, block, memory)                                                     \
  row(block_any, "__syncthreads_or()", any, 1, 1, block, memory)                                                      \
  /* They arrive, and wait later. */                                                                                  \
  row(split_barrier, "block.barrier_wait()", nothing, 0, 0, block, memory)
// clang-format on

/// Numbers of the rows.
enum class Operation : unsigned char {
#define WARPFIBER_OPERATION(id, ...) id,
  WARPFIBER_OPERATIONS(WARPFIBER_OPERATION)
#undef WARPFIBER_OPERATION
};

struct OperationRow {
  const char* name;
  Formula formula;
  unsigned char operand_words;
  unsigned char result_words;
  CalledBy called_by;
  Orders orders;
};

inline constexpr OperationRow kOperations[] = {
#define WARPFIBER_OPERATION(id, name, formula, operand_words, result_words, called_by, orders) \
  {name, Formula::formula, operand_words, result_words, CalledBy::called_by, Orders::orders},
    WARPFIBER_OPERATIONS(WARPFIBER_OPERATION)
#undef WARPFIBER_OPERATION
};
inline constexpr unsigned kOperationCount = sizeof kOperations / sizeof kOperations[0];

constexpr const OperationRow& row_of(Operation operation) {
  return kOperations[static_cast<unsigned>(operation)];
}

constexpr bool is_shuffle(Formula formula) {
  return formula >= Formula::index && formula <= Formula::exclusive_or;
}
constexpr bool is_vote(Formula formula) {
  return formula >= Formula::all && formula <= Formula::count;
}
constexpr bool is_match(Formula formula) {
  return formula == Formula::match_any || formula == Formula::match_all;
}
constexpr bool is_of_matrices(Formula formula) {
  return formula >= Formula::matrix_product && formula <= Formula::matrix_access;
}
constexpr bool is_reduction(Formula formula) {
  return formula >= Formula::add && formula <= Formula::max_signed;
}
/// Whether all who meet get the same.
constexpr bool gives_one_result(Formula formula) {
  return is_vote(formula) || is_reduction(formula) || formula == Formula::match_all;
}

/// The shuffle by `formula` among those that begin with `first`.
constexpr Operation shuffle_by(Formula formula, Operation first) {
  return static_cast<Operation>(static_cast<unsigned>(first) + static_cast<unsigned>(formula) -
                                static_cast<unsigned>(Formula::index));
}

// Formulas. Lanes are bits of a word: bit n stands for lane n.

/// Calls visit(lane) for each of `lanes`, ascending.
template <class Visit>
__attribute__((always_inline)) constexpr void each_lane(std::uint64_t lanes, const Visit& visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(__builtin_ctzll(lanes)));
}

/// The width of a shuffle that names none; the formula below says the same of it.
inline constexpr int kWholeWarp = 0;

/// Which lane `lane` takes its value from, as the PTX ISA defines shfl.sync: a segment mask cuts the warp into groups,
/// and a source outside the group means that the lane keeps its own value. Operands count modulo the warp size.
/// `top` is the highest lane number that can be named.
template <Formula kFormula>
__attribute__((always_inline)) constexpr unsigned shuffle_source(unsigned lane, int operand, int width, int warp_size,
                                                                 unsigned top) {
  static_assert(is_shuffle(kFormula));
  const bool whole = width == kWholeWarp || width == warp_size;
  const unsigned segment = whole ? 0 : (top + 1 - static_cast<unsigned>(width)) & top;
  const unsigned by = static_cast<unsigned>(operand) & top;
  if constexpr (kFormula == Formula::up) {
    return static_cast<int>(lane - by) >= static_cast<int>(lane & segment) ? lane - by : lane;
  }
  unsigned source = (lane & segment) | (by & ~segment);
  if constexpr (kFormula == Formula::down) source = lane + by;
  if constexpr (kFormula == Formula::exclusive_or) source = lane ^ by;
  return source <= ((lane & segment) | (top & ~segment)) ? source : lane;
}

/// What a vote returns. `hold` and `all` are sets of lanes, or numbers of threads: those whose predicate holds, and
/// all who take part.
constexpr std::uint64_t vote_result(Formula formula, std::uint64_t hold, std::uint64_t all) {
  switch (formula) {
    case Formula::all: return hold == all ? 1 : 0;
    case Formula::any: return hold != 0 ? 1 : 0;
    case Formula::uniform: return hold == 0 || hold == all ? 1 : 0;
    default: return hold;
  }
}

/// Two words of a reduction become one.
template <class Word>
constexpr Word combined(Formula formula, Word a, Word b) {
  static_assert(std::is_unsigned_v<Word>);
  using Signed = std::make_signed_t<Word>;
  const bool is_less = static_cast<Signed>(a) < static_cast<Signed>(b);
  switch (formula) {
    case Formula::add: return a + b;
    case Formula::bit_and: return a & b;
    case Formula::bit_or: return a | b;
    case Formula::bit_xor: return a ^ b;
    case Formula::min_unsigned: return a < b ? a : b;
    case Formula::max_unsigned: return a > b ? a : b;
    case Formula::min_signed: return is_less ? a : b;
    default: return is_less ? b : a;
  }
}

/// What lane `lane` of those that match gets; `operand_of` gives the operand of a lane.
template <class OperandOf>
constexpr std::uint64_t match_result(Formula formula, std::uint64_t lanes, unsigned lane, const OperandOf& operand_of) {
  const auto own = operand_of(lane);
  std::uint64_t equal = 0;
  each_lane(lanes, [&](unsigned other) {
    if (operand_of(other) == own) equal |= std::uint64_t{1} << other;
  });
  return formula == Formula::match_any || equal == lanes ? equal : 0;
}

/// Gives every lane of `lanes`, of which there is one at least, its result of a vote, a match or a reduction:
/// `give(lane, result)`. All operands are read before the first result is given.
template <class Word, class OperandOf, class Give>
__attribute__((always_inline)) constexpr void evaluate(Formula formula, std::uint64_t lanes,
                                                       const OperandOf& operand_of, const Give& give) {
  if (is_match(formula)) {
    Word operands[kMaxWarpSize] = {};
    each_lane(lanes, [&](unsigned lane) { operands[lane] = operand_of(lane); });
    each_lane(lanes, [&](unsigned lane) {
      give(lane, match_result(formula, lanes, lane, [&](unsigned at) { return operands[at]; }));
    });
    return;
  }
  std::uint64_t result = 0;
  if (is_vote(formula)) {
    std::uint64_t hold = 0;
    each_lane(lanes, [&](unsigned lane) {
      if (operand_of(lane) != 0) hold |= std::uint64_t{1} << lane;
    });
    result = vote_result(formula, hold, lanes);
  } else {
    Word total = operand_of(static_cast<unsigned>(__builtin_ctzll(lanes)));
    each_lane(lanes & (lanes - 1), [&](unsigned lane) { total = combined<Word>(formula, total, operand_of(lane)); });
    result = total;
  }
  each_lane(lanes, [&](unsigned lane) { give(lane, result); });
}

}  // namespace warpfiber::detail

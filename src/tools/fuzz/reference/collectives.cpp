// SPDX-License-Identifier: Apache-2.0
//
// Each function takes the values of all threads of a group and returns the result of each thread. It shares
// kernel/values.hpp and the formulas of the operations' table with the simulator's side, and nothing else.
#include "tools/fuzz/reference/party.hpp"

#include <warpfiber/detail/operations.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <type_traits>

#include "tools/fuzz/kernel/values.hpp"

namespace warpfiber::tools::fuzz::reference {
namespace {

using detail::Formula;

constexpr unsigned kWarp = 32;

// Functions of one thread.

std::uint64_t reversed(std::uint64_t bits, unsigned count) {
  std::uint64_t to = 0;
  for (unsigned i = 0; i < count; ++i) to |= (bits >> i & 1) << (count - 1 - i);
  return to;
}

std::uint8_t byte_of(std::uint64_t word, unsigned index) {
  return std::uint8_t(word >> 8 * index);
}

std::uint64_t permuted(std::uint32_t low, std::uint32_t high, std::uint32_t selector) {
  const std::uint64_t bytes = std::uint64_t(high) << 32 | low;
  std::uint64_t to = 0;
  for (unsigned i = 0; i < 4; ++i) {
    to |= std::uint64_t(byte_of(bytes, selector >> 4 * i & 7)) << 8 * i;
  }
  return to;
}

std::uint64_t dot_product(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
  for (unsigned i = 0; i < 4; ++i) sum += std::uint32_t(byte_of(a, i)) * byte_of(b, i);
  return sum;
}

std::uint64_t packed_sum(std::uint32_t a, std::uint32_t b) {
  std::uint64_t to = 0;
  for (unsigned i = 0; i < 4; ++i) to |= std::uint64_t(std::uint8_t(byte_of(a, i) + byte_of(b, i))) << 8 * i;
  return to;
}

/// The upper half of a product of 128 bits, from products of halves.
std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a_low = std::uint32_t(a);
  const std::uint64_t b_low = std::uint32_t(b);
  const std::uint64_t middle = (a >> 32) * b_low + (a_low * b_low >> 32);
  return (a >> 32) * (b >> 32) + (middle >> 32) + ((std::uint32_t(middle) + a_low * (b >> 32)) >> 32);
}

// Values of one type.

template <class T>
std::vector<T> values_of(const ReferenceGroup& party, const Node& node) {
  std::vector<T> values;
  for (const ReferenceThread* thread : party.threads) values.push_back(ValueOf<T>::of(thread->registers[node.a]));
  return values;
}

template <class T>
constexpr Formula formula_of(Functor functor) {
  switch (functor) {
    case Functor::plus: return Formula::add;
    case Functor::less: return std::is_signed_v<T> ? Formula::min_signed : Formula::min_unsigned;
    case Functor::greater: return std::is_signed_v<T> ? Formula::max_signed : Formula::max_unsigned;
    case Functor::bit_and: return Formula::bit_and;
    default: return functor == Functor::bit_or ? Formula::bit_or : Formula::bit_xor;
  }
}

template <class T>
T combined(Functor functor, T a, T b) {
  if constexpr (std::integral<T>) {
    using Word = std::make_unsigned_t<T>;
    return static_cast<T>(detail::combined<Word>(formula_of<T>(functor), static_cast<Word>(a), static_cast<Word>(b)));
  } else {
    if (functor == Functor::plus) return a + b;
    return functor == Functor::less ? std::min(a, b) : std::max(a, b);
  }
}

/// The place of the thread whose value one gets by a shuffle of a tile or coalesced group.
unsigned source_in_group(const ReferenceGroup& party, const Node& node, unsigned rank) {
  const unsigned size = party.size();
  const unsigned distance = node.immediate;
  if (party.context == Context::large_tile) return distance % size;
  switch (Shuffle(node.how)) {
    case Shuffle::up: return rank >= distance ? rank - distance : rank;
    case Shuffle::down: return rank + distance < size ? rank + distance : rank;
    case Shuffle::exclusive_or: return rank ^ distance;
    default: return unsigned(party.threads[rank]->registers[node.b] >> 32) % size;
  }
}

/// The lane that an operand leads to within a part of `width` lanes.
unsigned source_lane(Shuffle how, unsigned lane, unsigned operand, unsigned width) {
  const int by = static_cast<int>(operand);
  const int size = static_cast<int>(width);
  switch (how) {
    case Shuffle::index: return detail::shuffle_source<Formula::index>(lane, by, size, kWarp, kWarp - 1);
    case Shuffle::up: return detail::shuffle_source<Formula::up>(lane, by, size, kWarp, kWarp - 1);
    case Shuffle::down: return detail::shuffle_source<Formula::down>(lane, by, size, kWarp, kWarp - 1);
    default: return detail::shuffle_source<Formula::exclusive_or>(lane, by, size, kWarp, kWarp - 1);
  }
}

/// The same among lanes, whose programs go on with the operand until it leads to one of them.
unsigned source_among_lanes(const ReferenceGroup& party, const Node& node, unsigned rank) {
  const ReferenceThread& thread = *party.threads[rank];
  const auto how = Shuffle(node.how);
  const unsigned width = 1u << node.bit;
  const unsigned mask = lanes_of(party.threads);
  unsigned operand = (how == Shuffle::index ? unsigned(thread.registers[node.b] >> 32) : node.immediate) % width;
  while ((mask >> source_lane(how, thread.lane(), operand, width) & 1) == 0) operand = (operand + 1) % width;
  const unsigned source = source_lane(how, thread.lane(), operand, width);
  return unsigned(std::popcount(mask & ((1u << source) - 1)));
}

template <class T>
ThreadResults shuffled(const ReferenceGroup& party, const Node& node) {
  const std::vector<T> values = values_of<T>(party, node);
  ThreadResults results;
  for (unsigned rank = 0; rank < party.size(); ++rank) {
    const unsigned source =
        party.context == Context::lanes ? source_among_lanes(party, node, rank) : source_in_group(party, node, rank);
    results.push_back(ValueOf<T>::bits(values[source]));
  }
  return results;
}

/// The bit that stands for a thread in what matches and ballots return.
unsigned bit_of(const ReferenceGroup& party, unsigned rank) {
  return 1u << (party.context == Context::lanes ? party.threads[rank]->lane() : rank);
}

template <class T>
ThreadResults matched_in(const ReferenceGroup& party, const Node& node) {
  std::vector<T> values;
  for (const ReferenceThread* thread : party.threads)
    values.push_back(matched<T>(thread->registers[node.a], node.immediate));
  const Formula formula = node.how == 0 ? Formula::match_any : Formula::match_all;
  const std::uint64_t ranks = ~std::uint64_t(0) >> (64 - party.size());
  ThreadResults results;
  for (unsigned rank = 0; rank < party.size(); ++rank) {
    const std::uint64_t equal =
        detail::match_result(formula, ranks, rank, [&](unsigned other) { return values[other]; });
    std::uint64_t lanes = equal != 0 && node.how != 0 ? std::uint64_t(1) << 32 : 0;
    for (std::uint64_t rest = equal; rest != 0; rest &= rest - 1)
      lanes |= bit_of(party, unsigned(std::countr_zero(rest)));
    results.push_back(lanes);
  }
  return results;
}

ThreadResults voted(const ReferenceGroup& party, const Node& node) {
  std::uint64_t ballot = 0;
  std::uint64_t count = 0;
  for (unsigned rank = 0; rank < party.size(); ++rank) {
    if (!predicate_of(*party.threads[rank], node)) continue;
    ++count;
    if (party.size() <= kWarp) ballot |= bit_of(party, rank);
  }
  switch (Vote(node.how)) {
    case Vote::any: return ThreadResults(party.size(), detail::vote_result(Formula::any, count, party.size()));
    case Vote::all: return ThreadResults(party.size(), detail::vote_result(Formula::all, count, party.size()));
    default: return ThreadResults(party.size(), party.context == Context::block ? count : ballot);
  }
}

// Reductions and scans, in the order that cooperative groups have.

/// In steps that double: each gets what the one so many ranks below has.
template <class T>
void scan(std::vector<T>& values, Functor functor) {
  for (std::size_t step = 1; step < values.size(); step *= 2) {
    const std::vector<T> before = values;
    for (std::size_t i = step; i < values.size(); ++i) values[i] = combined(functor, before[i], before[i - step]);
  }
}

/// Halves that meet, from the largest down.
template <class T>
T butterfly(std::vector<T> values, Functor functor) {
  for (std::size_t half = values.size() / 2; half != 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) values[i] = combined(functor, values[i], values[i + half]);
  }
  return values[0];
}

template <class T>
T reduction(std::vector<T> values, Functor functor, bool is_whole) {
  if (is_whole) return butterfly(std::move(values), functor);
  scan(values, functor);
  return values.back();
}

template <class T>
std::vector<T> part_of(const std::vector<T>& values, std::size_t first) {
  return {values.begin() + std::ptrdiff_t(first), values.begin() + std::ptrdiff_t(first + kWarp)};
}

/// Tiles above 32: every 32 threads, then these among each other.
template <class T>
std::vector<T> folded_in_parts(const std::vector<T>& values, const Node& node) {
  const auto functor = Functor(node.how);
  std::vector<std::vector<T>> parts;
  std::vector<T> brought;
  for (std::size_t first = 0; first < values.size(); first += kWarp) {
    parts.push_back(part_of(values, first));
    if (node.op == Op::reduce) parts.back().assign(kWarp, butterfly(parts.back(), functor));
    if (node.op == Op::scan) scan(parts.back(), functor);
    brought.push_back(parts.back().back());
  }
  if (node.op == Op::reduce) return std::vector<T>(values.size(), butterfly(brought, functor));
  const bool exclusive = (node.option & kExclusive) != 0;
  std::vector<T> below = brought;
  scan(below, functor);
  std::vector<T> all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t rank = 0; rank < kWarp; ++rank) {
      const bool is_first = exclusive && rank == 0;
      const T own = parts[i][exclusive && rank != 0 ? rank - 1 : rank];
      const T nothing = is_first ? T{} : own;
      all.push_back(i == 0 ? nothing : is_first ? below[i - 1] : combined(functor, own, below[i - 1]));
    }
  }
  return all;
}

template <class T>
std::vector<T> folded_at_once(const ReferenceGroup& party, std::vector<T> values, const Node& node) {
  const auto functor = Functor(node.how);
  const bool is_tile = party.context == Context::tile;
  if (node.op == Op::reduce) {
    const T all = reduction(values, functor, is_tile || values.size() == kWarp);
    return std::vector<T>(values.size(), all);
  }
  scan(values, functor);
  if ((node.option & kExclusive) != 0) {
    std::rotate(values.begin(), values.end() - 1, values.end());
    values[0] = T{};
  }
  return values;
}

template <class T>
ThreadResults folded(const ReferenceGroup& party, const Node& node) {
  std::vector<T> values = values_of<T>(party, node);
  values = party.context == Context::large_tile ? folded_in_parts(values, node)
                                                : folded_at_once(party, std::move(values), node);
  ThreadResults results;
  for (const T& value : values) results.push_back(ValueOf<T>::bits(value));
  return results;
}

template <class T>
ThreadResults collected_as(const ReferenceGroup& party, const Node& node) {
  if (node.op == Op::shuffle) return shuffled<T>(party, node);
  return node.op == Op::match ? matched_in<T>(party, node) : folded<T>(party, node);
}

}  // namespace

std::uint64_t computed(Arithmetic how, std::uint64_t a, std::uint64_t b) {
  const auto low = std::uint32_t(a);
  const auto other = std::uint32_t(b);
  const auto a_above = std::uint32_t(a >> 32);
  const auto b_above = std::uint32_t(b >> 32);
  switch (how) {
    case Arithmetic::add: return a + b;
    case Arithmetic::multiply: return a * b;
    case Arithmetic::rotate: return std::rotl(a, int(b & 63));
    case Arithmetic::select: return a < b ? ~a : b;
    case Arithmetic::population: return std::uint64_t(std::popcount(a)) << 8 | unsigned(std::popcount(other));
    case Arithmetic::leading_zeroes:
      return std::uint64_t(std::countl_zero(a)) << 8 | (other == 0 ? 0u : unsigned(std::countr_zero(other)) + 1);
    case Arithmetic::reverse: return reversed(a, 64) ^ reversed(other, 32);
    case Arithmetic::permute_bytes: return permuted(low, other, a_above);
    case Arithmetic::funnel_shift: return std::uint32_t((std::uint64_t(other) << 32 | low) << (b_above & 31) >> 32);
    case Arithmetic::high_product: return std::uint64_t(low) * other >> 32;
    case Arithmetic::wide_high_product: return high_product(a, b);
    case Arithmetic::absolute_differences: return std::uint32_t(std::max(low, other) - std::min(low, other) + a_above);
    case Arithmetic::dot_product: return dot_product(low, other, b_above);
    default: return packed_sum(low, other);
  }
}

ThreadResults collected(const ReferenceGroup& party, const Node& node) {
  if (node.op == Op::vote) return voted(party, node);
  switch (node.type) {
    case ValueType::int32: return collected_as<int>(party, node);
    case ValueType::uint32: return collected_as<unsigned>(party, node);
    case ValueType::int64: return collected_as<long long>(party, node);
    case ValueType::uint64: return collected_as<unsigned long long>(party, node);
    case ValueType::float32: return collected_as<float>(party, node);
    default: return collected_as<double>(party, node);
  }
}

}  // namespace warpfiber::tools::fuzz::reference

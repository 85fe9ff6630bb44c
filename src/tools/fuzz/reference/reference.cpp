// SPDX-License-Identifier: Apache-2.0
//
// Walks over the tree of nodes with groups of threads as lists. It performs each operation for the whole group before
// the next one.
#include "tools/fuzz/reference/reference.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "tools/fuzz/reference/party.hpp"

namespace warpfiber::tools::fuzz {
namespace reference {
namespace {

constexpr unsigned kWarp = 32;

/// A node that holds others, and where it stands.
struct ParentOperation {
  const Node& node;
  unsigned index;
};

/// What a word of memory is after one of the atomics.
template <class T>
T changed(T before, Atomic how, T value) {
  constexpr T kLast = 0xfff;
  switch (how) {
    case Atomic::min: return std::min(before, value);
    case Atomic::max: return std::max(before, value);
    case Atomic::bit_and: return before & value;
    case Atomic::bit_or: return before | value;
    case Atomic::bit_xor: return before ^ value;
    case Atomic::increment: return before >= kLast ? 0 : before + 1;
    case Atomic::decrement: return before == 0 || before > kLast ? kLast : before - 1;
    default: return before + value;
  }
}

template <class T>
ThreadResults changed_words(const ReferenceGroup& party, const Node& node) {
  std::vector<T> words;
  for (const ReferenceThread* thread : party.threads) words.push_back(T(thread->registers[node.to]));
  for (const ReferenceThread* thread : party.threads) {
    T& word = words[thread->registers[node.a] % party.size()];
    word = changed(word, Atomic(node.how), T(thread->registers[node.b]));
  }
  return {words.begin(), words.end()};
}

class ReferenceRun {
 public:
  ReferenceRun(const Flat& program, Wanted wanted) : program_(program), wanted_(wanted) {
    const ProgramShape& shape = program.shape;
    threads_.resize(std::size_t(shape.threads()) * shape.blocks());
    for (unsigned rank = 0; rank < threads_.size(); ++rank) {
      ReferenceThread& thread = threads_[rank];
      thread.rank = rank;
      thread.self = rank % shape.threads();
      for (unsigned i = 0; i < kRegisters; ++i) thread.registers[i] = mix(program.seed + i, rank);
    }
    if (wanted == Wanted::sums) sums_.resize(program.count);
    if (wanted == Wanted::events) outcome_.threads.resize(threads_.size());
  }

  Outcome outcome() {
    ReferenceGroup grid{Context::grid, program_.shape.blocks(), clusters(), {}};
    for (ReferenceThread& thread : threads_) grid.threads.push_back(&thread);
    const Context root = root_of(program_.shape);
    if (root == Context::grid) run(grid, 0, program_.count);
    if (root != Context::grid) {
      for (const ReferenceGroup& part : narrowed(grid, root)) run(part, 0, program_.count);
    }
    for (ReferenceThread& thread : threads_) {
      for (const std::uint64_t word : thread.registers) thread.hash = mix(thread.hash, word);
      outcome_.digest = mix(outcome_.digest, thread.hash);
    }
    for (const std::uint64_t sum : sums_) outcome_.nodes.push_back(std::uint16_t(sum >> 48));
    return std::move(outcome_);
  }

 private:
  unsigned clusters() const { return program_.shape.blocks() / program_.shape.cluster; }

  /// The thread sees a value at a node.
  void note(ReferenceThread& thread, unsigned index, std::uint64_t value) {
    thread.hash = mix(thread.hash + index, value);
    if (wanted_ == Wanted::sums) sums_[index] += mix(std::uint64_t(thread.rank) * kMaxEvents + thread.events, value);
    if (wanted_ == Wanted::events) outcome_.threads[thread.rank].push_back({value, index});
    ++thread.events;
  }

  void run(const ReferenceGroup& party, unsigned first, unsigned end) {
    for (unsigned i = first; i < end; i += 1 + program_.nodes[i].first + program_.nodes[i].second) {
      const Node& node = program_.nodes[i];
      if (holds_nodes(node.op)) {
        hold(party, {node, i});
        continue;
      }
      const ThreadResults results = performed(party, node);
      for (unsigned rank = 0; rank < party.size(); ++rank) {
        ReferenceThread& thread = *party.threads[rank];
        note(thread, i, results[rank]);
        thread.registers[node.to] = mix(thread.registers[node.to], results[rank]);
      }
    }
  }

  void run_first(const ReferenceGroup& party, const ParentOperation& holder) {
    run(party, holder.index + 1, holder.index + 1 + holder.node.first);
  }

  void run_second(const ReferenceGroup& party, const ParentOperation& holder) {
    const unsigned first = holder.index + 1 + holder.node.first;
    run(party, first, first + holder.node.second);
  }

  // What holds no nodes.

  std::uint64_t place_of(const ReferenceGroup& party, unsigned rank) const {
    const unsigned meta_rank = party.context == Context::cluster ? rank / program_.shape.threads() : party.meta_rank;
    return std::uint64_t(party.size()) << 48 | std::uint64_t(rank) << 32 | party.meta_size << 16 | meta_rank;
  }

  ThreadResults performed(const ReferenceGroup& party, const Node& node) const {
    switch (node.op) {
      case Op::atomic:
        return node.type == ValueType::uint32 ? changed_words<std::uint32_t>(party, node)
                                              : changed_words<std::uint64_t>(party, node);
      case Op::aggregate: return aggregated(party, node);
      case Op::arithmetic:
      case Op::place:
      case Op::exchange: break;
      default: return collected(party, node);
    }
    ThreadResults results;
    for (unsigned rank = 0; rank < party.size(); ++rank) {
      const auto& registers = party.threads[rank]->registers;
      if (node.op == Op::arithmetic) {
        results.push_back(computed(Arithmetic(node.how), registers[node.a], registers[node.b]));
      } else if (node.op == Op::place) {
        results.push_back(place_of(party, rank));
      } else {
        results.push_back(party.threads[registers[node.b] % party.size()]->registers[node.a]);
      }
    }
    return results;
  }

  static ThreadResults aggregated(const ReferenceGroup& party, const Node& node) {
    std::uint32_t sum = 0;
    for (const ReferenceThread* thread : party.threads) sum += std::uint32_t(thread->registers[node.a]);
    return ThreadResults(party.size(), sum);
  }

  // What holds nodes.

  void hold(const ReferenceGroup& party, const ParentOperation& holder) {
    switch (holder.node.op) {
      case Op::when: return choose(party, holder);
      case Op::repeat: return repeat(party, holder);
      case Op::branch: return branch(party, holder);
      case Op::loop: return loop(party, holder);
      case Op::narrow: return narrow(party, holder);
      case Op::tile: return cut(party, holder, holder.node.immediate > kWarp ? Context::large_tile : Context::tile);
      case Op::dynamic:
        return cut(party, holder, party.context == Context::coalesced ? Context::coalesced : Context::dynamic);
      case Op::lanes: return enter_lanes(party, holder);
      default: return split(party, holder);
    }
  }

  void enter(const ReferenceGroup& party, const ParentOperation& holder, bool odd) {
    for (unsigned rank = 0; rank < party.size(); ++rank) {
      note(*party.threads[rank], holder.index, place_of(party, rank));
    }
    if (odd && holder.node.second != 0) return run_second(party, holder);
    run_first(party, holder);
  }

  void note_all(const ReferenceGroup& party, const ParentOperation& holder, std::uint64_t value) {
    for (ReferenceThread* thread : party.threads) note(*thread, holder.index, value);
  }

  static std::uint64_t asked(const ReferenceGroup& party, const ParentOperation& holder) {
    return party.threads[holder.node.immediate % party.size()]->registers[holder.node.a] >> holder.node.bit;
  }

  void choose(const ReferenceGroup& party, const ParentOperation& holder) {
    const bool yes = (asked(party, holder) & 1) != 0;
    note_all(party, holder, yes);
    if (yes) return run_first(party, holder);
    run_second(party, holder);
  }

  void repeat(const ReferenceGroup& party, const ParentOperation& holder) {
    unsigned count = holder.node.immediate;
    if ((holder.node.option & kCounted) != 0) {
      count = unsigned(asked(party, holder)) % 4;
      note_all(party, holder, count);
    }
    for (unsigned i = 0; i < count; ++i) run_first(party, holder);
  }

  void branch(const ReferenceGroup& party, const ParentOperation& holder) {
    ReferenceGroup yes = party;
    ReferenceGroup no = party;
    std::erase_if(yes.threads, [&](const ReferenceThread* thread) { return !predicate_of(*thread, holder.node); });
    std::erase_if(no.threads, [&](const ReferenceThread* thread) { return predicate_of(*thread, holder.node); });
    const unsigned ayes = lanes_of(yes.threads);
    if (yes.size() != 0) run_first(yes, holder);
    if (no.size() != 0) run_second(no, holder);
    note_all(party, holder, ayes);
  }

  void loop(const ReferenceGroup& party, const ParentOperation& holder) {
    std::map<const ReferenceThread*, unsigned> counts;
    for (const ReferenceThread* thread : party.threads) {
      counts[thread] = unsigned(thread->registers[holder.node.a] >> holder.node.bit & 3);
    }
    ReferenceGroup left = party;
    for (unsigned i = 0; left.size() != 0; ++i) {
      for (ReferenceThread* thread : left.threads) {
        if (counts[thread] == i) note(*thread, holder.index, i);
      }
      std::erase_if(left.threads, [&](const ReferenceThread* thread) { return counts[thread] == i; });
      if (left.size() != 0) run_first(left, holder);
    }
  }

  /// Clusters or blocks of the grid of which threads are in the group.
  std::vector<ReferenceGroup> narrowed(const ReferenceGroup& party, Context to) const {
    const ProgramShape& shape = program_.shape;
    const unsigned threads = shape.threads() * (to == Context::cluster ? shape.cluster : 1);
    std::vector<ReferenceGroup> parts;
    for (unsigned first = 0; first < party.size(); first += threads) {
      const unsigned block = party.threads[first]->rank / shape.threads();
      ReferenceGroup part{to, shape.blocks(), block, {}};
      if (to == Context::cluster) part.meta_size = shape.cluster;
      const auto begin = party.threads.begin() + std::ptrdiff_t(first);
      part.threads.assign(begin, begin + std::ptrdiff_t(threads));
      parts.push_back(std::move(part));
    }
    return parts;
  }

  void narrow(const ReferenceGroup& party, const ParentOperation& holder) {
    const auto to = Context(holder.node.how);
    for (const ReferenceGroup& part : narrowed(party, to)) {
      const unsigned block = part.threads[0]->rank / program_.shape.threads();
      const unsigned rank = to == Context::cluster ? block / program_.shape.cluster : block;
      if (does_first(program_.seed, holder.index, rank)) {
        run_first(part, holder);
      } else {
        run_second(part, holder);
      }
    }
  }

  /// Pieces of neighbours, the last of which may be smaller.
  void cut(const ReferenceGroup& party, const ParentOperation& holder, Context to) {
    const unsigned threads = holder.node.immediate;
    const unsigned pieces = (party.size() + threads - 1) / threads;
    for (unsigned i = 0; i < pieces; ++i) {
      ReferenceGroup piece{to, pieces, i, {}};
      if (to == Context::coalesced && pieces == 1) piece = party;
      if (to == Context::dynamic) piece.meta_size = piece.meta_rank = 0;
      const auto begin = party.threads.begin() + std::ptrdiff_t(i * threads);
      piece.threads.assign(begin, begin + std::ptrdiff_t(std::min(threads, party.size() - i * threads)));
      enter(piece, holder, i % 2 != 0);
    }
  }

  void enter_lanes(const ReferenceGroup& party, const ParentOperation& holder) {
    std::map<unsigned, ReferenceGroup> warps;
    for (ReferenceThread* thread : party.threads) warps[thread->rank - thread->lane()].threads.push_back(thread);
    for (auto& [first, lanes] : warps) {
      lanes.context = Context::lanes;
      enter(lanes, holder, false);
    }
  }

  /// Threads of one label each, ranked by their first thread; two labels that are predicates by their value.
  void split(const ReferenceGroup& party, const ParentOperation& holder) {
    const Node& node = holder.node;
    const bool predicates = node.op == Op::binary || Label(node.how) == Label::boolean;
    std::vector<std::pair<long long, ReferenceGroup>> parts;
    for (ReferenceThread* thread : party.threads) {
      const std::uint64_t bits = thread->registers[node.a];
      const long long label =
          node.op == Op::binary ? (long long)(bits >> node.bit & 1) : label_of(Label(node.how), bits, node.immediate);
      const auto known = std::ranges::find(parts, label, [](const auto& part) { return part.first; });
      ReferenceGroup& part = known != parts.end() ? known->second : parts.emplace_back(label, ReferenceGroup{}).second;
      part.threads.push_back(thread);
    }
    if (predicates) std::ranges::sort(parts, {}, [](const auto& part) { return part.first; });
    for (unsigned i = 0; i < parts.size(); ++i) {
      ReferenceGroup& part = parts[i].second;
      part.context = Context::coalesced;
      part.meta_size = unsigned(parts.size());
      part.meta_rank = i;
      enter(part, holder, i % 2 != 0);
    }
  }

  const Flat& program_;
  Wanted wanted_;
  std::vector<ReferenceThread> threads_;
  std::vector<std::uint64_t> sums_;
  Outcome outcome_;
};

}  // namespace
}  // namespace reference

Outcome run_sequentially(const Flat& program, Wanted wanted) {
  return reference::ReferenceRun(program, wanted).outcome();
}

}  // namespace warpfiber::tools::fuzz

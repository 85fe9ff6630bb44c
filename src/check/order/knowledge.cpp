// SPDX-License-Identifier: Apache-2.0
#include "check/order/knowledge.hpp"

#include <algorithm>
#include <iterator>

namespace warpfiber::check {
namespace {

bool covers(const Members& all, const Members& some) {
  if (all.block != some.block) return false;
  if (all.warp == Members::kWholeBlock) return true;
  return all.warp == some.warp && (some.lanes & ~all.lanes) == 0;
}

/// Removes from the entries of one block those that others of them contain.
void keep_strongest(std::vector<Entry>& entries, std::size_t first) {
  for (std::size_t i = first; i < entries.size();) {
    const bool contained =
        std::any_of(entries.begin() + static_cast<std::ptrdiff_t>(first), entries.end(), [&, i](const Entry& other) {
          const Entry& mine = entries[i];
          return &other != &mine && other.clock >= mine.clock && covers(other.members, mine.members) &&
                 (other.members != mine.members || other.clock > mine.clock || &other < &mine);
        });
    if (contained) {
      entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

std::vector<Entry> strongest(std::vector<Entry> sorted) {
  std::vector<Entry> kept;
  kept.reserve(sorted.size());
  for (std::size_t at = 0; at < sorted.size();) {
    const std::size_t first = kept.size();
    const std::uint64_t block = sorted[at].members.block;
    for (; at < sorted.size() && sorted[at].members.block == block; ++at) kept.push_back(sorted[at]);
    if (kept.size() - first > 1) keep_strongest(kept, first);
  }
  return kept;
}

bool by_members(const Entry& one, const Entry& other) {
  return one.members < other.members;
}

}  // namespace

Knowledge::Knowledge(std::vector<Entry> entries, std::uint32_t everything) : everything_(everything) {
  std::ranges::sort(entries, by_members);
  entries_ = strongest(std::move(entries));
  if (entries_.empty() || (entries_.size() <= kMostEntries && everything == 0)) return;
  everything_ = std::max(everything, std::ranges::max_element(entries_, {}, &Entry::clock)->clock);
  entries_.clear();
}

bool Knowledge::knows(const Who& who, std::uint32_t clock) const {
  if (clock <= everything_) return true;
  const auto block_of = [](const Entry& entry) { return entry.members.block; };
  const auto of_block = std::ranges::equal_range(entries_, who.block, {}, block_of);
  const Members one{who.block, who.warp, std::uint64_t{1} << who.lane};
  return std::ranges::any_of(of_block,
                             [&](const Entry& entry) { return clock <= entry.clock && covers(entry.members, one); });
}

KnowledgeRef join(const KnowledgeRef& one, const KnowledgeRef& other) {
  if (!one || one == other) return other;
  if (!other) return one;
  std::vector<Entry> all(one->entries().begin(), one->entries().end());
  all.insert(all.end(), other->entries().begin(), other->entries().end());
  return KnowledgeRef(new Knowledge(std::move(all), std::max(one->everything(), other->everything())));
}

KnowledgeRef join(const KnowledgeRef& known, std::span<const Entry> more) {
  if (more.empty()) return known;
  return join(known, KnowledgeRef(new Knowledge({more.begin(), more.end()})));
}

KnowledgeRef only(const KnowledgeRef& known, std::uint64_t block) {
  if (!known || known->everything() != 0) return known;
  std::vector<Entry> of_block;
  std::ranges::copy_if(known->entries(), std::back_inserter(of_block),
                       [&](const Entry& entry) { return entry.members.block == block; });
  return of_block.empty() ? KnowledgeRef() : KnowledgeRef(new Knowledge(std::move(of_block)));
}

KnowledgeRef without(const KnowledgeRef& known, std::uint64_t block, std::uint32_t clock) {
  if (!known || known->everything() != 0) return known;
  std::vector<Entry> rest;
  std::ranges::copy_if(known->entries(), std::back_inserter(rest),
                       [&](const Entry& entry) { return entry.members.block != block || entry.clock > clock; });
  if (rest.size() == known->entries().size()) return known;
  return rest.empty() ? KnowledgeRef() : KnowledgeRef(new Knowledge(std::move(rest)));
}

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
// What a block keeps of its threads: sets that meet, where tiles were made, and where threads have returned, as kernels
// of checked programs say. Neighbours that return at one place are kept as one.
#include "engine/state/block.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace warpfiber::engine {

void NamedBarriers::reset() {
  std::ranges::fill(all_, NamedBarrier{});
}

SetRendezvous& OpenSets::open(const detail::ThreadSet& members) {
  unsigned first = 0;
  while (!members.has(first)) ++first;
  SetRendezvous*& row = rows[row_of(first)];
  for (SetRendezvous* open = row; open != nullptr; open = open->next) {
    if (open->first == first && open->members == members) return *open;
  }
  if (unused == nullptr) unused = storage.emplace_back(std::make_unique<SetRendezvous>()).get();
  SetRendezvous& fresh = *std::exchange(unused, unused->next);
  fresh.first = first;
  fresh.members = members;
  fresh.next = std::exchange(row, &fresh);
  return fresh;
}

void OpenSets::close(SetRendezvous& set) {
  SetRendezvous** link = &rows[row_of(set.first)];
  while (*link != &set) link = &(*link)->next;
  *link = set.next;
  set.next = std::exchange(unused, &set);
}

void OpenSets::close_all() {
  for (SetRendezvous* row : rows) {
    while (row != nullptr) {
      SetRendezvous& set = *std::exchange(row, row->next);
      set.rendezvous.arrived = 0;
      set.waiting.clear();
      close(set);
    }
  }
}

void note_tile(ResidentBlock& block, unsigned size, Site site) {
  detail::TilesMade& made = block.tiles_made[size];
  std::vector<TilePlace>& places = block.tile_places[size];
  if (!made.elsewhere) {
    made.elsewhere = true;
    places.assign(block.threads, {});
    for (unsigned rank = 0; rank < block.threads; ++rank) {
      if ((made.threads[rank / 64] >> rank % 64 & 1) != 0) places[rank].site = made.site;
    }
  }
  TilePlace& mine = places[detail::thread_rank()];
  mine.elsewhere = mine.elsewhere || (mine.site.line != 0 && !(mine.site == site));
  mine.site = site;
}

TilePlace place_of_tile(const ResidentBlock& block, unsigned size, unsigned rank) {
  const detail::TilesMade& made = block.tiles_made[size];
  if (made.serial != block.serial) return {};
  if (made.elsewhere) return block.tile_places[size][rank];
  return (made.threads[rank / 64] >> rank % 64 & 1) != 0 ? TilePlace{made.site, false} : TilePlace{};
}

void note_return(ResidentBlock& block, Site site) {
  const unsigned rank = detail::thread_rank();
  ++block.noted_returns;
  if (!block.returns.empty() && block.returns.back().last + 1 == rank && block.returns.back().site == site) {
    block.returns.back().last = rank;
    return;
  }
  block.returns.push_back(Return{site, rank, rank});
}

Site place_of_return(const ResidentBlock& block, unsigned rank) {
  const auto found =
      std::ranges::find_if(block.returns, [rank](const Return& one) { return one.first <= rank && rank <= one.last; });
  return found == block.returns.end() ? Site{} : found->site;
}

Site place_of_all_returns(const ResidentBlock& block) {
  unsigned threads = 0;
  for (const Return& one : block.returns) {
    if (!(one.site == block.returns.front().site)) return {};
    threads += one.last - one.first + 1;
  }
  return threads != 0 && threads == block.threads ? block.returns.front().site : Site{};
}

}  // namespace warpfiber::engine

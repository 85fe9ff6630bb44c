// SPDX-License-Identifier: Apache-2.0
// Where threads have returned, as kernels of checked programs say. Neighbours that return at one place are kept as one.
#include <algorithm>

#include "engine/block.hpp"

namespace warpfiber::engine {

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

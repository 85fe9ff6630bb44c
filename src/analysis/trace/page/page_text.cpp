// SPDX-License-Identifier: Apache-2.0
// Pieces are large enough that writing them costs nothing next to making them.
#include "trace/page/page_text.hpp"

#include <algorithm>
#include <ostream>

namespace warpfiber::trace {

PageText& PageText::operator+=(std::string_view text) {
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  kept_ += text;
  if (kept_.size() >= kPiece) flush();
  return *this;
}

void PageText::flush() {
  written_ += kept_.size();
  for (std::size_t at = 0; at < kept_.size();) {
    const std::size_t end = std::min(kept_.find('<', at), kept_.size());
    to_.write(kept_.data() + at, static_cast<std::streamsize>(end - at));
    if (end < kept_.size()) to_ << "\\u003c";
    at = end + 1;
  }
  kept_.clear();
}

}  // namespace warpfiber::trace

// SPDX-License-Identifier: Apache-2.0
//
// Sorts the changes by offset and layer, and copies the text between them.
#include "translate/text/edits.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace warpfiber::translate {

void Edits::insert(std::size_t offset, std::string text, int layer) {
  edits_.push_back({offset, offset, layer, std::move(text)});
}

void Edits::replace(std::size_t begin, std::size_t end, std::string text) {
  edits_.push_back({begin, end, 0, std::move(text)});
}

std::string Edits::apply(std::string_view source, std::size_t begin, std::size_t end) const {
  std::vector<const Edit*> order;
  order.reserve(edits_.size());
  for (const Edit& edit : edits_) order.push_back(&edit);
  // Insertions before the replacement that starts there; of replacements the longest first.
  std::stable_sort(order.begin(), order.end(), [](const Edit* a, const Edit* b) {
    const bool a_replaces = a->end != a->begin;
    const bool b_replaces = b->end != b->begin;
    return std::tuple(a->begin, a_replaces, a_replaces ? 0 : a->layer, b->end) <
           std::tuple(b->begin, b_replaces, b_replaces ? 0 : b->layer, a->end);
  });
  std::string result;
  result.reserve((end - begin) + (end - begin) / 8);
  std::size_t at = begin;
  for (const Edit* edit : order) {
    if (edit->begin < at) continue;
    result += source.substr(at, edit->begin - at);
    result += edit->text;
    at = edit->end;
  }
  result += source.substr(at, end - at);
  return result;
}

}  // namespace warpfiber::translate

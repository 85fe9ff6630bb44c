// SPDX-License-Identifier: Apache-2.0
// Which of a thread's next accesses a bad index is for, and what findings say of it.
#include "check/violations/bad_indices.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "check/calls/places.hpp"
#include "record/type_layout.hpp"

namespace warpfiber::check {
namespace {

/// The type itself: what a compiler says that a name stands for, without quotes, and "float[33]" for "float [33]".
std::string plain_type(std::string_view quoted) {
  constexpr std::string_view kAka = "(aka '";
  if (const std::size_t aka = quoted.find(kAka); aka != std::string_view::npos) quoted.remove_prefix(aka + kAka.size());
  if (quoted.starts_with('\'')) quoted.remove_prefix(1);
  quoted = quoted.substr(0, quoted.find('\''));
  std::string plain;
  for (const char c : record::usual_spelling(std::string(quoted))) {
    if (c == '[' && plain.ends_with(' ')) plain.pop_back();
    plain += c;
  }
  return plain;
}

/// The dimensions of a type's text, outermost first, without those of a template's arguments.
std::vector<std::uint64_t> bounds_of(std::string_view type) {
  std::vector<std::uint64_t> dimensions;
  int depth = 0;
  for (std::size_t i = 0; i < type.size(); ++i) {
    depth += type[i] == '<' ? 1 : type[i] == '>' ? -1 : 0;
    if (type[i] != '[' || depth != 0) continue;
    const std::size_t end = std::min(type.find(']', i), type.size());
    dimensions.push_back(base::parse_number(std::string(type.substr(i + 1, end - i - 1))).value_or(0));
    i = end;
  }
  return dimensions;
}

std::string_view element_of(std::string_view type) {
  return type.substr(0, type.find('['));
}

}  // namespace

std::optional<record::OutsideIndex> bad_index(std::string_view array_type, std::uint64_t index, unsigned bits,
                                              bool has_sign) {
  record::OutsideIndex bad;
  bad.array = plain_type(array_type);
  const std::vector<std::uint64_t> dimensions = bounds_of(bad.array);
  if (dimensions.empty() || dimensions.front() < 2) return std::nullopt;
  bad.elements = dimensions.front();
  bad.elements_are_arrays = dimensions.size() > 1;
  bad.has_sign = has_sign;
  constexpr unsigned kBits = 64;
  const unsigned unused = bits == 0 || bits > kBits ? 0 : kBits - bits;
  bad.as_passed = index << unused >> unused;
  bad.index = static_cast<std::int64_t>(index << unused) >> unused;
  return bad;
}

std::string number_of(const record::OutsideIndex& bad) {
  return bad.has_sign ? std::to_string(bad.index) : std::to_string(bad.as_passed);
}

bool is_in_object(const record::OutsideIndex& bad, const MemoryPlace& place) {
  const std::string object = plain_type(place.type);
  if (element_of(object) != element_of(bad.array)) return false;
  const std::vector<std::uint64_t> all = bounds_of(object);
  const std::vector<std::uint64_t> part = bounds_of(bad.array);
  if (part.size() > all.size() || !std::equal(part.rbegin(), part.rend(), all.rbegin())) return false;
  std::uint64_t elements = 1;
  for (const std::uint64_t dimension : all) elements *= dimension;
  if (elements == 0 || place.extent < elements) return false;
  std::uint64_t bytes = place.extent / elements;  // of an element of the array with the index
  for (std::size_t i = 1; i < part.size(); ++i) bytes *= part[i];
  const auto offset = static_cast<std::int64_t>(place.offset);
  const auto size = static_cast<std::int64_t>(bytes);
  const std::int64_t at = offset / size - (offset % size < 0 ? 1 : 0);
  return part.size() == all.size() ? at == bad.index : (at - bad.index) % static_cast<std::int64_t>(bad.elements) == 0;
}

IndexSite* BadIndices::begin(unsigned site, std::uint64_t thread) {
  thread_ = thread;
  site_ = site;
  left_ = kNext;
  const auto [entry, fresh] = sites_.try_emplace(site);
  return fresh ? &entry->second : nullptr;
}

std::optional<unsigned> BadIndices::follow(unsigned site, std::uint64_t thread) {
  left_ = thread == thread_ ? left_ - 1 : 0;
  if (thread != thread_) return std::nullopt;
  if (followers_.size() < kMostFollowers) followers_.insert_or_assign(key(thread, site), site_);
  std::vector<unsigned>& next = sites_.at(site_).next;
  if (next.size() < 2 * kNext && std::ranges::find(next, site) == next.end()) next.push_back(site);
  return site_;
}

void BadIndices::describe(unsigned site, record::Finding& made) const {
  const IndexSite& of = sites_.at(site);
  const record::OutsideIndex& bad = of.bad;
  made.verdict = record::Verdict::oob_index;
  made.diagnosis = bad;
  // The language allows the address past the last element, and programs take that of a row as &tile[rows][0].
  if (!bad.elements_are_arrays || bad.index != static_cast<std::int64_t>(bad.elements)) return;
  made.needs_access_at.emplace();
  for (const unsigned next : of.next) {
    record::Party party;
    put_site(next, party);
    made.needs_access_at->push_back(party.place);
  }
}

void BadIndices::explain(unsigned site, const MemoryPlace& place, record::Finding& made) const {
  const auto found = sites_.find(site);
  if (site == 0 || found == sites_.end()) return;
  const record::OutsideIndex& bad = found->second.bad;
  // Far from all objects, which is the nearest says nothing. Of an array of one dimension all is said.
  constexpr std::uint64_t kFar = std::uint64_t{1} << 24;
  const bool is_near = place.extent != 0 && place.offset + kFar < place.extent + 2 * kFar;
  if (is_near && (bounds_of(plain_type(place.type)).size() < 2 || !is_in_object(bad, place))) return;
  made.diagnosis = bad;
}

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
// Names are made from the outside to the inside, for as long as the access lies within one part.
#include "record/type_layout.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

#include "base/text.hpp"

namespace warpfiber::record {
namespace {

/// Of members that share their bytes no more are named.
constexpr std::size_t kMostNames = 3;

struct TouchedBytes {
  std::uint64_t offset = 0;
  std::uint64_t size = 1;

  std::uint64_t end() const { return offset + size; }
};

PartName inside(const TypeLayout& type, TouchedBytes access);

bool is_touched(const MemberLayout& member, TouchedBytes access) {
  const std::uint64_t end = member.offset + member.bytes;
  if (member.is_bit_field) return access.offset < end && member.offset < access.end();
  return access.offset >= member.offset && access.end() <= end;
}

PartName within(const MemberLayout& member, TouchedBytes access) {
  PartName part;
  if (!member.is_bit_field && member.type != nullptr)
    part = inside(*member.type, {access.offset - member.offset, access.size});
  if (!member.name.empty()) part.text.insert(0, "." + member.name);
  return part;
}

/// Of members that share bytes those that are numbers of the access's size are meant, if there are any.
PartName one_of(const std::vector<PartName>& parts) {
  std::vector<PartName> meant;
  for (const PartName& part : parts) {
    const auto same = [&part](const PartName& other) { return other.text == part.text; };
    if (!part.text.empty() && std::ranges::none_of(meant, same)) meant.push_back(part);
  }
  if (meant.empty() || meant.size() > kMostNames) return {};
  const bool joined = meant.size() > 1;
  if (joined && std::ranges::any_of(meant, [](const PartName& part) { return part.text.front() != '.'; })) return {};
  PartName all = meant.front();
  for (std::size_t i = 1; i < meant.size(); ++i) {
    all.text += "|" + meant[i].text.substr(1);
    all.number = nullptr;
  }
  return all;
}

PartName member_at(const TypeLayout& type, TouchedBytes access) {
  std::vector<PartName> parts;
  std::vector<PartName> numbers;
  for (const MemberLayout& member : type.members) {
    if (!is_touched(member, access)) continue;
    parts.push_back(within(member, access));
    if (parts.back().is_all) numbers.push_back(parts.back());
  }
  const auto is_apart = [access](const MemberLayout& member) {
    return member.bytes != 0 && (access.end() <= member.offset || access.offset >= member.offset + member.bytes);
  };
  if (!type.members.empty() && std::ranges::all_of(type.members, is_apart)) return {.is_padding = true};
  if (parts.size() == 1 && parts.front().is_padding) return parts.front();
  return one_of(numbers.empty() ? parts : numbers);
}

PartName element_at(const TypeLayout& element, std::int64_t offset, std::uint64_t size) {
  const auto bytes = static_cast<std::int64_t>(element.bytes);
  if (bytes == 0) return {};
  const std::int64_t index = offset / bytes - (offset % bytes < 0 ? 1 : 0);
  PartName part = inside(element, {static_cast<std::uint64_t>(offset - index * bytes), size});
  part.text.insert(0, "[" + std::to_string(index) + "]");
  return part;
}

PartName inside(const TypeLayout& type, TouchedBytes access) {
  switch (type.form) {
    case LayoutForm::opaque: return {};
    case LayoutForm::number:
    case LayoutForm::pointer:
      return {.number = &type, .offset = access.offset, .is_all = access.offset == 0 && access.size == type.bytes};
    case LayoutForm::array:
      if (type.element == nullptr) return {};
      return element_at(*type.element, static_cast<std::int64_t>(access.offset), access.size);
    case LayoutForm::record: return member_at(type, access);
  }
  __builtin_unreachable();
}

}  // namespace

PartName part_at(const TypeLayout& type, std::int64_t offset, std::uint64_t size) {
  const std::uint64_t at_least_one = std::max<std::uint64_t>(size, 1);
  if (type.form == LayoutForm::array && type.element != nullptr) return element_at(*type.element, offset, at_least_one);
  const bool is_inside = offset >= 0 && static_cast<std::uint64_t>(offset) < type.bytes;
  return is_inside ? inside(type, {static_cast<std::uint64_t>(offset), at_least_one}) : PartName{};
}

PartName part_from(const TypeLayout& type, std::int64_t offset, std::uint64_t size) {
  return element_at(type, offset, std::max<std::uint64_t>(size, 1));
}

// Spelling: spaces first, then the names of integer types. Arrays: the dimensions of a text are read.

namespace {

struct Spelling {
  std::string_view of_compiler;
  std::string_view usual;
};

// Longer ones first.
constexpr Spelling kIntegers[] = {
    {"long long unsigned int", "unsigned long long"},
    {"short unsigned int", "unsigned short"},
    {"long unsigned int", "unsigned long"},
    {"long long int", "long long"},
    {"short int", "short"},
    {"long int", "long"},
};

bool is_of_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

void replace_words(std::string& type, const Spelling& spelling) {
  const std::string_view from = spelling.of_compiler;
  for (std::size_t at = type.find(from); at != std::string::npos; at = type.find(from, at + 1)) {
    const std::size_t end = at + from.size();
    const bool is_whole = (at == 0 || !is_of_word(type[at - 1])) && (end == type.size() || !is_of_word(type[end]));
    if (is_whole) type.replace(at, from.size(), spelling.usual);
  }
}

}  // namespace

std::string usual_spelling(const std::string& type) {
  std::string spelt;
  for (const char letter : type) {
    const char before = spelt.empty() ? ' ' : spelt.back();
    if (letter == '*' && before == ' ') spelt.pop_back();
    if (letter == '[' && before != ' ' && before != ']' && before != ')') spelt += ' ';
    if (before == '*' && std::isalpha(static_cast<unsigned char>(letter)) != 0) spelt += ' ';
    spelt += letter;
  }
  for (const Spelling& spelling : kIntegers) replace_words(spelt, spelling);
  return spelt;
}

std::vector<std::uint64_t> dimensions_of(const std::string& type) {
  std::vector<std::uint64_t> dimensions;
  for (std::size_t at = type.find('['); at != std::string::npos; at = type.find('[', at + 1)) {
    const auto dimension = base::parse_number(type.substr(at + 1, type.find(']', at) - at - 1));
    if (!dimension.has_value() || *dimension == 0) return {};
    dimensions.push_back(*dimension);
  }
  return dimensions;
}

std::string element_at(std::uint64_t offset, std::uint64_t extent, const std::string& type) {
  const std::vector<std::uint64_t> dimensions = dimensions_of(type);
  std::uint64_t elements = 1;
  for (const std::uint64_t dimension : dimensions) elements *= dimension;
  if (dimensions.empty() || extent < elements || extent % elements != 0) return {};
  const auto floor = [](std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); };
  std::int64_t index = floor(static_cast<std::int64_t>(offset), static_cast<std::int64_t>(extent / elements));
  std::string text;
  for (std::size_t i = dimensions.size(); i-- > 1;) {
    const auto dimension = static_cast<std::int64_t>(dimensions[i]);
    text.insert(0, "[" + std::to_string(index - floor(index, dimension) * dimension) + "]");
    index = floor(index, dimension);
  }
  return "[" + std::to_string(index) + "]" + text;
}

}  // namespace warpfiber::record

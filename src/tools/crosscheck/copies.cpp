// SPDX-License-Identifier: Apache-2.0
//
// Reads the file from front to back. A field that is no number ends the reading with an error that names the record.
#include "tools/crosscheck/copies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/text.hpp"

namespace warpfiber::tools::crosscheck {
namespace {

constexpr std::string_view kWriter = "writer ";

/// Takes words and bytes off the front of a text.
class CopyReader {
 public:
  explicit CopyReader(std::string_view text) : left_(text) {}

  bool at_end() const { return left_.empty(); }
  std::string_view word() { return take(left_.find(' ')); }
  std::string_view line() { return take(left_.find('\n')); }
  bool starts_with(std::string_view text) const { return left_.starts_with(text); }

  /// A word that is a number; anything else is an error.
  std::uint64_t number(int radix = 10) {
    const auto value = base::parse_number(word(), radix);
    failed_ |= !value.has_value();
    return value.value_or(0);
  }

  std::string bytes(std::size_t count) {
    failed_ |= count >= left_.size() || left_[count] != '\n';
    return std::string(failed_ ? std::string_view() : take(count));
  }

  bool failed() const { return failed_; }

 private:
  /// What is in front of a separator, which goes too.
  std::string_view take(std::size_t size) {
    failed_ |= size == std::string_view::npos;
    if (failed_) return {};
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size + 1);
    return taken;
  }

  std::string_view left_;
  bool failed_ = false;
};

std::string known(std::string_view word) {
  return std::string(word == "-" ? std::string_view() : word);
}

std::optional<Copy> read_copy(CopyReader& from) {
  Copy copy;
  const std::string_view kind = from.word();
  copy.managed = kind == "managed";
  if (!copy.managed && kind != "copy") return std::nullopt;
  copy.ordinal = from.number();
  copy.function = from.word();
  copy.width = from.number();
  copy.rows = from.number();
  copy.slices = from.number();
  const std::size_t stored = from.number();
  copy.hash = from.number(16);
  copy.type = known(from.word());
  copy.place = known(from.line());
  if (from.failed() || stored > copy.extent()) return std::nullopt;
  copy.bytes = from.bytes(stored);
  if (!from.failed() && from.starts_with(kWriter)) {
    const std::string_view note = from.line();
    copy.writer = note.substr(std::min(kWriter.size(), note.size()));
  }
  if (from.failed()) return std::nullopt;
  return copy;
}

}  // namespace

base::Result<std::vector<Copy>> parse_copies(std::string_view text) {
  CopyReader reader(text);
  std::vector<Copy> copies;
  while (!reader.at_end()) {
    std::optional<Copy> copy = read_copy(reader);
    if (!copy) return base::Failure{fmt::format("the data after copy {} cannot be read", copies.size())};
    copies.push_back(std::move(*copy));
  }
  std::ranges::sort(copies, {}, [](const Copy& copy) { return std::tuple(copy.managed, copy.ordinal); });
  return copies;
}

std::string name_of(const Copy& copy) {
  const std::string size = base::bytes_text(copy.extent());
  const std::string place = copy.place.empty() ? std::string() : " at " + copy.place;
  const char* const kind = copy.managed ? "managed memory" : "copy";
  return fmt::format("{} {} ({}{}, {})", kind, copy.ordinal, copy.function, place, size);
}

}  // namespace warpfiber::tools::crosscheck

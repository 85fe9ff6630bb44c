// SPDX-License-Identifier: Apache-2.0
//
// Parses records of a JSON line and the bytes behind it. A record that was cut short ends the list.
#include "tools/check/documents/outcome.hpp"

#include <algorithm>
#include <fstream>
#include <istream>
#include <utility>

#include "tools/check/documents/document.hpp"

namespace warpfiber::tools::check {
namespace {

/// The place at `key`; null where it is not known.
Json place_at(const Json& record, const char* key) {
  const auto found = record.find(key);
  return found != record.end() && is_place(*found) ? *found : Json();
}

/// The object at `key` as the file describes it; null where it is not known.
Json object_at(const Json& record, const char* key) {
  const auto found = record.find(key);
  if (found == record.end() || !found->is_object()) return nullptr;
  return {{"name", text_at(*found, "name")},
          {"type", text_at(*found, "type")},
          {"offset", number_at(*found, "offset")},
          {"extent", number_at(*found, "extent")},
          {"declared", place_at(*found, "declared")}};
}

/// False where fewer than `count` bytes are left. Takes no more memory than there are bytes.
bool read_bytes(std::istream& file, std::uint64_t count, std::string& to) {
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
  while (to.size() < count) {
    const std::size_t begin = to.size();
    to.resize(begin + std::min<std::uint64_t>(count - begin, kPiece));
    if (!file.read(to.data() + begin, static_cast<std::streamsize>(to.size() - begin))) return false;
  }
  return true;
}

}  // namespace

bool RunOutcome::is_same(const RunOutcome& other) const {
  return status == other.status && output == other.output &&
         std::ranges::equal(results, other.results,
                            [](const CopyResult& one, const CopyResult& two) { return one.is_same(two); });
}

std::vector<CopyResult> parse_results(std::istream& file) {
  std::vector<CopyResult> found;
  for (std::string line; std::getline(file, line);) {
    const Json record = parse_json(line);
    if (!record.is_object()) break;
    CopyResult result{.number = number_at(record, "number"),
                      .call = text_at(record, "call"),
                      .place = place_at(record, "place"),
                      .object = object_at(record, "object"),
                      .bytes = number_at(record, "bytes"),
                      .hash = number_at(record, "hash")};
    if (!read_bytes(file, number_at(record, "kept"), result.kept) || file.get() != '\n') break;
    found.push_back(std::move(result));
  }
  std::ranges::stable_sort(found, {}, &CopyResult::number);
  return found;
}

std::vector<CopyResult> read_results(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return parse_results(file);
}

}  // namespace warpfiber::tools::check

// SPDX-License-Identifier: Apache-2.0
#include "tools/check/outcome.hpp"

#include <algorithm>
#include <fstream>
#include <utility>

namespace warpfiber::tools::check {
namespace {

using Json = nlohmann::ordered_json;

Json part(const Json& record, const char* key) {
  return record.contains(key) ? record[key] : Json();
}

}  // namespace

bool Outcome::is_same(const Outcome& other) const {
  return status == other.status && output == other.output &&
         std::ranges::equal(results, other.results,
                            [](const Result& one, const Result& two) { return one.is_same(two); });
}

std::vector<Result> read_results(const std::string& path) {
  std::vector<Result> found;
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    const Json record = Json::parse(line, nullptr, false);
    if (!record.is_object()) break;
    Result result{.number = record.value("number", std::uint64_t{0}),
                  .call = record.value("call", ""),
                  .place = part(record, "place"),
                  .object = part(record, "object"),
                  .bytes = record.value("bytes", std::uint64_t{0}),
                  .hash = record.value("hash", std::uint64_t{0})};
    result.kept.resize(record.value("kept", std::size_t{0}));
    if (!file.read(result.kept.data(), static_cast<std::streamsize>(result.kept.size())) || file.get() != '\n') break;
    found.push_back(std::move(result));
  }
  std::ranges::stable_sort(found, {}, &Result::number);
  return found;
}

}  // namespace warpfiber::tools::check

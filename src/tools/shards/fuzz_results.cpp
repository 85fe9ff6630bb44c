// SPDX-License-Identifier: Apache-2.0
//
// Registers, groups and operands of a random program are numbered, so numbers are what differs between two programs
// that show one mistake.
#include "tools/shards/fuzz_results.hpp"

#include <algorithm>
#include <cctype>

namespace warpfiber::tools::shards {
namespace {

bool is_number(const ShardJson& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned();
}

bool is_text(const ShardJson& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string();
}

std::optional<FuzzDifference> difference_of(const ShardJson& value) {
  const bool is_whole = value.is_object() && is_number(value, "seed") && is_text(value, "operation") &&
                        is_text(value, "text") && is_number(value, "programs");
  if (!is_whole) return std::nullopt;
  return FuzzDifference{value["seed"].get<std::uint64_t>(), value["operation"].get<std::string>(),
                        value["text"].get<std::string>(), value["programs"].get<std::uint64_t>()};
}

}  // namespace

void FuzzResults::count(const std::string& label, std::uint64_t by) {
  const auto known = std::ranges::find(counts, label, &std::pair<std::string, std::uint64_t>::first);
  if (known == counts.end()) {
    counts.emplace_back(label, by);
  } else {
    known->second += by;
  }
}

std::uint64_t FuzzResults::counted(const std::string& label) const {
  const auto known = std::ranges::find(counts, label, &std::pair<std::string, std::uint64_t>::first);
  return known == counts.end() ? 0 : known->second;
}

void FuzzResults::add(FuzzDifference difference) {
  const auto known = std::ranges::find(differences, difference.operation, &FuzzDifference::operation);
  if (known == differences.end()) return differences.push_back(std::move(difference));
  difference.programs += known->programs;
  if (difference.seed > known->seed) {
    known->programs = difference.programs;
  } else {
    *known = std::move(difference);
  }
}

void FuzzResults::add(const FuzzResults& other) {
  programs += other.programs;
  for (const auto& [label, by] : other.counts) count(label, by);
  for (const FuzzDifference& difference : other.differences) add(difference);
  unexplained.insert(unexplained.end(), other.unexplained.begin(), other.unexplained.end());
}

std::uint64_t FuzzResults::differing() const {
  std::uint64_t sum = unexplained.size();
  for (const FuzzDifference& difference : differences) sum += difference.programs;
  return sum;
}

ShardJson document_of(const FuzzResults& results) {
  ShardJson document = {{"schema", kFuzzSchema}, {"tool", "warpfiber-dev"}, {"programs", results.programs}};
  document["counts"] = ShardJson::object();
  for (const auto& [label, by] : results.counts) document["counts"][label] = by;
  document["unexplained"] = results.unexplained;
  document["differences"] = ShardJson::array();
  for (const auto& [seed, operation, text, programs] : results.differences) {
    document["differences"].push_back(
        {{"seed", seed}, {"operation", operation}, {"text", text}, {"programs", programs}});
  }
  return document;
}

std::optional<FuzzResults> results_of(const ShardJson& document) {
  const auto is_list = [&document](const char* key) { return document.contains(key) && document[key].is_array(); };
  const bool is_known = document.is_object() && document.value("schema", ShardJson()) == kFuzzSchema;
  if (!is_known || !is_number(document, "programs") || !is_list("unexplained") || !is_list("differences")) return {};
  if (!document.contains("counts") || !document["counts"].is_object()) return std::nullopt;
  FuzzResults results;
  results.programs = document["programs"].get<std::uint64_t>();
  for (const auto& [label, by] : document["counts"].items()) {
    if (!by.is_number_unsigned()) return std::nullopt;
    results.count(label, by.get<std::uint64_t>());
  }
  for (const ShardJson& seed : document["unexplained"]) {
    if (!seed.is_number_unsigned()) return std::nullopt;
    results.unexplained.push_back(seed.get<std::uint64_t>());
  }
  for (const ShardJson& value : document["differences"]) {
    const auto difference = difference_of(value);
    if (!difference) return std::nullopt;
    results.differences.push_back(*difference);
  }
  return results;
}

ShardJson read_fuzz_document(const std::string& text) {
  ShardJson document = ShardJson::parse(text, nullptr, false);
  const bool is_whole =
      !document.is_discarded() && results_of(document) && campaign_of(document) && !shards_of(document).empty();
  return is_whole ? document : ShardJson(ShardJson::value_t::discarded);
}

std::string operation_of(std::string_view line) {
  std::string text;
  for (const char c : line) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!is_digit) text += c;
    if (is_digit && !text.ends_with('#')) text += '#';
  }
  return text;
}

}  // namespace warpfiber::tools::shards

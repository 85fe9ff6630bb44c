// SPDX-License-Identifier: Apache-2.0
//
// What is read comes from files that others may have written, so every type is looked at. A file is made by link(),
// which is the one operation of files that fails where a name is taken, also over NFS.
#include "tools/shards/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace warpfiber::tools::shards {
namespace {

constexpr std::pair<ShardEnd, std::string_view> kEnds[] = {{ShardEnd::none, "not yet"},
                                                           {ShardEnd::all, "all seeds"},
                                                           {ShardEnd::hang, "a hang"},
                                                           {ShardEnd::errors, "errors"}};

std::string_view end_text(ShardEnd end) {
  return std::ranges::find(kEnds, end, &std::pair<ShardEnd, std::string_view>::first)->second;
}

const ShardJson* member(const ShardJson& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() ? nullptr : &*found;
}

std::optional<std::string> text_of(const ShardJson& object, const char* key) {
  const ShardJson* const value = member(object, key);
  return value != nullptr && value->is_string() ? std::optional(value->get<std::string>()) : std::nullopt;
}

std::optional<std::uint64_t> number_of(const ShardJson& object, const char* key) {
  const ShardJson* const value = member(object, key);
  return value != nullptr && value->is_number_unsigned() ? std::optional(value->get<std::uint64_t>()) : std::nullopt;
}

std::optional<ShardProgress> progress_of(const ShardJson& value) {
  const auto number = number_of(value, "shard");
  const auto of = number_of(value, "of");
  const auto first = number_of(value, "first_seed");
  const auto last = number_of(value, "last_seed");
  const auto ran = number_of(value, "ran");
  const auto end = text_of(value, "ended");
  if (!number || !of || !first || !last || !ran || !end) return std::nullopt;
  const auto* const known = std::ranges::find(kEnds, *end, &std::pair<ShardEnd, std::string_view>::second);
  const bool is_shard = *number >= 1 && *number <= *of && *first <= *last && *last - *first < ~std::uint64_t{0};
  if (!is_shard || known == std::end(kEnds)) return std::nullopt;
  const ShardProgress progress{{*number, *of}, {*first, *last - *first + 1}, *ran, known->first};
  return progress.ran <= progress.seeds().count ? std::optional(progress) : std::nullopt;
}

}  // namespace

void set_campaign(ShardJson& document, const Campaign& campaign, const std::vector<ShardProgress>& shards) {
  document["campaign"] = {{"command", campaign.command},
                          {"version", campaign.version},
                          {"program", campaign.program},
                          {"digest", campaign.digest},
                          {"options", campaign.options}};
  ShardJson list = ShardJson::array();
  for (const ShardProgress& progress : shards) {
    list.push_back({{"shard", progress.shard.number},
                    {"of", progress.shard.of},
                    {"first_seed", progress.all.first},
                    {"last_seed", progress.all.last()},
                    {"ran", progress.ran},
                    {"ended", end_text(progress.end)}});
  }
  document["shards"] = std::move(list);
}

std::optional<Campaign> campaign_of(const ShardJson& document) {
  const ShardJson* const value = member(document, "campaign");
  if (value == nullptr) return std::nullopt;
  Campaign campaign;
  const std::pair<const char*, std::string*> members[] = {{"command", &campaign.command},
                                                          {"version", &campaign.version},
                                                          {"program", &campaign.program},
                                                          {"digest", &campaign.digest},
                                                          {"options", &campaign.options}};
  for (const auto& [key, to] : members) {
    const auto text = text_of(*value, key);
    if (!text) return std::nullopt;
    *to = *text;
  }
  return campaign;
}

std::vector<ShardProgress> shards_of(const ShardJson& document) {
  std::vector<ShardProgress> shards;
  const ShardJson* const list = member(document, "shards");
  if (list == nullptr || !list->is_array()) return {};
  for (const ShardJson& value : *list) {
    const auto progress = progress_of(value);
    if (!progress) return {};
    shards.push_back(*progress);
  }
  return shards;
}

std::string difference_between(const Campaign& one, const Campaign& other) {
  if (one.command != other.command) return fmt::format("is of {}, not of {}", other.command, one.command);
  if (one.program != other.program) return fmt::format("is of another program: {}, not {}", other.program, one.program);
  if (one.digest != other.digest)
    return fmt::format("is of another {}: it was built or edited in between", one.program);
  if (one.options != other.options)
    return fmt::format("was made with other options: '{}', not '{}'", other.options, one.options);
  if (one.version != other.version)
    return fmt::format("was made by another version: {}, not {}", other.version, one.version);
  return {};
}

// FNV-1a of 64 bits, by Fowler, Noll and Vo.
std::string digest_of(const std::vector<std::string>& texts) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&hash](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3U; };
  for (const std::string& text : texts) {
    for (const char c : text) add(static_cast<unsigned char>(c));
    // So that a text does not go on in the next one.
    for (std::size_t rest = text.size(), i = 0; i < sizeof rest; ++i, rest >>= 8U)
      add(static_cast<unsigned char>(rest & 0xffU));
  }
  return fmt::format("{:016x}", hash);
}

std::string text_of(const ShardJson& document) {
  return document.dump(2, ' ', false, ShardJson::error_handler_t::replace) + '\n';
}

}  // namespace warpfiber::tools::shards

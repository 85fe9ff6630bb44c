// SPDX-License-Identifier: Apache-2.0
//
// A file is one JSON object, comments allowed; the first thing that is wrong with it ends the reading and is reported
// with its line. What may stand in it is data (fields.cpp).
#include "device/file.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "device/fields.hpp"

namespace warpfiber::device {
namespace {

using nlohmann::json;
using record::Reason;
using record::ReasonKind;
using record::Thousands;

constexpr std::size_t kMostMib = 1;
constexpr const char* kNameKey = "name";
constexpr const char* kFullNameKey = "full_name";
constexpr const char* kBasedOnKey = "based_on";

// What is wrong, or nothing.
using Complaint = std::optional<Reason>;

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const DeviceModel& model : device_models()) names.emplace_back(model.name);
  return names;
}

std::vector<std::string> field_keys() {
  std::vector<std::string> keys{kGlobalBytesKey};
  for (const auto& field : number_fields()) keys.emplace_back(field.key);
  for (const auto& field : flag_fields()) keys.emplace_back(field.key);
  for (const auto& field : list_fields()) keys.emplace_back(field.key);
  return keys;
}

std::vector<std::string> all_keys() {
  std::vector<std::string> keys = field_keys();
  keys.insert(keys.begin(), {kNameKey, kFullNameKey, kBasedOnKey});
  return keys;
}

// Values are quoted in complaints, which takes stack for each level. No field has lists within a list.
bool is_kept(int depth, json::parse_event_t, json&) {
  constexpr int kDeepest = 16;
  return depth < kDeepest;
}

class DeviceFileReader {
 public:
  DeviceFileReader(std::string_view text, std::string_view origin) : text_(text), origin_(origin) {}

  DeviceFile read() {
    Complaint complaint = parse();
    for (const auto step :
         {&DeviceFileReader::check_keys, &DeviceFileReader::read_base, &DeviceFileReader::read_names,
          &DeviceFileReader::read_numbers, &DeviceFileReader::read_global, &DeviceFileReader::read_flags,
          &DeviceFileReader::read_lists, &DeviceFileReader::derive_lists, &DeviceFileReader::check_order,
          &DeviceFileReader::check_shared, &DeviceFileReader::check_carveouts, &DeviceFileReader::check_gpcs})
      if (!complaint) complaint = (this->*step)();
    if (complaint) return {{}, Error::invalid_value, std::move(*complaint)};
    return {model_, Error::success, {}};
  }

 private:
  Complaint parse() {
    try {
      root_ = json::parse(text_, is_kept, true, true);
    } catch (const json::exception& error) {
      const std::string what = error.what();
      const std::size_t end_of_id = what.find("] ");
      return Reason(ReasonKind::device_file_is_no_json, origin_,
                    end_of_id == std::string::npos ? what : what.substr(end_of_id + 2));
    }
    if (root_.is_object()) return {};
    return Reason(ReasonKind::device_file_is_no_object, origin_, root_.type_name());
  }

  Complaint check_keys() {
    const std::vector<std::string> known = all_keys();
    for (const auto& item : root_.items())
      if (std::find(known.begin(), known.end(), item.key()) == known.end())
        return Reason(ReasonKind::device_field_unknown, place(item.key()), item.key(), known);
    return {};
  }

  Complaint read_base() {
    if (!root_.contains(kBasedOnKey)) return check_nothing_missing();
    const json& value = root_[kBasedOnKey];
    const DeviceModel* model = value.is_string() ? find_device(value.get<std::string>()) : nullptr;
    if (model == nullptr)
      return Reason(ReasonKind::device_base_unknown, place(kBasedOnKey), kBasedOnKey, value.dump(), known_names());
    model_ = *model;
    return {};
  }

  Complaint check_nothing_missing() {
    std::vector<std::string> missing;
    for (const std::string& key : field_keys())
      if (!root_.contains(key)) missing.push_back(key);
    if (missing.empty()) return {};
    return Reason(ReasonKind::device_fields_missing, origin_, missing, kBasedOnKey);
  }

  Complaint read_names() {
    if (!root_.contains(kNameKey)) return Reason(ReasonKind::device_name_missing, origin_, kNameKey);
    if (Complaint complaint = read_name(kNameKey, model_.name)) return complaint;
    return read_name(root_.contains(kFullNameKey) ? kFullNameKey : kNameKey, model_.full_name);
  }

  Complaint read_name(const char* key, char (&to)[DeviceModel::kNameBytes]) {
    const json& value = root_[key];
    const std::string name = value.is_string() ? value.get<std::string>() : std::string();
    if (name.empty() || name.size() >= DeviceModel::kNameBytes)
      return Reason(ReasonKind::device_name_not_allowed, place(key), key, value.dump(), DeviceModel::kNameBytes - 1);
    std::fill(std::begin(to), std::end(to), '\0');
    name.copy(to, name.size());
    return {};
  }

  Complaint read_numbers() {
    for (const NumberField& field : number_fields()) {
      if (!root_.contains(field.key)) continue;
      if (!within(root_[field.key], field.least, field.most))
        return out_of_range(field.key, root_[field.key], field.least, field.most);
      model_.*field.at = root_[field.key].get<unsigned>();
    }
    return {};
  }

  Complaint read_global() {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 50;
    if (!root_.contains(kGlobalBytesKey)) return {};
    const json& value = root_[kGlobalBytesKey];
    if (!within(value, 1, kMost)) return out_of_range(kGlobalBytesKey, value, 1, kMost);
    model_.global_bytes = value.get<std::uint64_t>();
    return {};
  }

  Complaint read_flags() {
    for (const FlagField& field : flag_fields()) {
      if (!root_.contains(field.key)) continue;
      if (!root_[field.key].is_boolean())
        return Reason(ReasonKind::device_flag_not_allowed, place(field.key), field.key, root_[field.key].dump());
      model_.*field.at = root_[field.key].get<bool>();
    }
    return {};
  }

  Complaint read_lists() {
    for (const ListField& field : list_fields())
      if (root_.contains(field.key))
        if (Complaint complaint = read_list(field, root_[field.key])) return complaint;
    return {};
  }

  Complaint read_list(const ListField& field, const json& value) {
    const bool fits = value.is_array() && value.size() <= field.room &&
                      std::all_of(value.begin(), value.end(), [&](const json& v) { return within(v, 0, field.most); });
    if (!fits)
      return Reason(ReasonKind::device_list_not_allowed, place(field.key), field.key, value.dump(), field.room,
                    Thousands{field.most});
    set_list(field, value.get<std::vector<unsigned>>());
    return {};
  }

  // What was behind the last item is cleared: models are compared as a whole.
  void set_list(const ListField& field, const std::vector<unsigned>& items) {
    std::fill_n(std::copy(items.begin(), items.end(), field.items(model_)), field.room - items.size(), 0u);
    model_.*field.count = static_cast<unsigned>(items.size());
  }

  // A file that changes a sum and keeps quiet about its parts gets one part.
  Complaint derive_lists() {
    for (const ListField& field : list_fields()) {
      const bool of_sms = field.count == &DeviceModel::gpc_count;
      if (root_.contains(field.key) || !root_.contains(of_sms ? "sm_count" : "shared_per_sm")) continue;
      set_list(field, of_sms ? std::vector<unsigned>{} : std::vector<unsigned>{model_.shared_per_sm});
    }
    return {};
  }

  Complaint check_order() {
    for (const OrderRule& rule : order_rules())
      if (model_.*rule.smaller > model_.*rule.larger)
        return Reason(ReasonKind::device_field_exceeds_other, place(rule.smaller_key), rule.smaller_key,
                      Thousands{model_.*rule.smaller}, rule.larger_key, Thousands{model_.*rule.larger});
    return {};
  }

  Complaint check_shared() {
    const std::uint64_t most = std::uint64_t{model_.shared_per_block_optin} + model_.shared_reserved_per_block;
    const std::uint64_t unit = model_.shared_allocation_unit;
    if ((most + unit - 1) / unit * unit <= model_.shared_per_sm) return {};
    return Reason(ReasonKind::device_shared_too_large, place("shared_per_block_optin"),
                  Thousands{model_.shared_per_block_optin}, Thousands{model_.shared_reserved_per_block},
                  Thousands{unit}, Thousands{model_.shared_per_sm});
  }

  Complaint check_carveouts() {
    const unsigned* first = model_.shared_carveouts;
    const unsigned* last = first + model_.shared_carveout_count;
    if (first != last && std::is_sorted(first, last) && last[-1] == model_.shared_per_sm) return {};
    return Reason(ReasonKind::device_carveouts_not_ascending, place("shared_carveouts"),
                  fmt::format("{}", fmt::join(first, last, ",")), Thousands{model_.shared_per_sm});
  }

  Complaint check_gpcs() {
    const unsigned sum = std::accumulate(model_.gpc_sms, model_.gpc_sms + model_.gpc_count, 0u);
    if (model_.gpc_count == 0 || sum == model_.sm_count) return {};
    return Reason(ReasonKind::device_gpcs_do_not_add_up, place("gpc_sms"), sum, model_.sm_count);
  }

  static bool within(const json& value, std::uint64_t least, std::uint64_t most) {
    if (!value.is_number_unsigned()) return false;
    const std::uint64_t number = value.get<std::uint64_t>();
    return number >= least && number <= most;
  }

  Reason out_of_range(const char* key, const json& value, std::uint64_t least, std::uint64_t most) const {
    return Reason(ReasonKind::device_number_not_allowed, place(key), key, value.dump(), least, Thousands{most});
  }

  // "gpu.json:7", or "gpu.json" where the field is not in the text.
  std::string place(std::string_view key) const {
    const std::size_t at = text_.find(fmt::format("\"{}\"", key));
    if (at == std::string_view::npos) return std::string(origin_);
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return fmt::format("{}:{}", origin_, line);
  }

  std::string_view text_;
  std::string_view origin_;
  json root_;
  DeviceModel model_;
};

bool is_path(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".json");
}

}  // namespace

DeviceFile parse_file(std::string_view text, std::string_view origin) {
  return DeviceFileReader(text, origin).read();
}

DeviceFile read_file(const std::string& path) {
  const base::Result<std::string> text = base::read_input(path, kMostMib);
  if (!text.ok()) return {{}, Error::file_not_found, {ReasonKind::device_file_unreadable, path, text.error()}};
  return parse_file(text.value(), path);
}

DeviceFile find_or_read(std::string_view name_or_path) {
  if (is_path(name_or_path)) return read_file(std::string(name_or_path));
  if (const DeviceModel* model = find_device(name_or_path)) return {*model, Error::success, {}};
  return {{}, Error::invalid_device, {ReasonKind::device_model_unknown, name_or_path, known_names()}};
}

}  // namespace warpfiber::device

// SPDX-License-Identifier: Apache-2.0
//
// Looking a built-in model up by any of its names.
#include <algorithm>
#include <string_view>

#include <warpfiber/device.hpp>

#include "device/models.hpp"

namespace warpfiber {
namespace {

constexpr bool is_separator(char c) {
  return c == ' ' || c == '-' || c == '_';
}

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr std::string_view skip_separators(std::string_view text) {
  while (!text.empty() && is_separator(text.front())) text.remove_prefix(1);
  return text;
}

/// Equal but for case and separators.
constexpr bool same_name(std::string_view a, std::string_view b) {
  for (;;) {
    a = skip_separators(a);
    b = skip_separators(b);
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    if (lower(a.front()) != lower(b.front())) return false;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
}

std::string_view without_alias(std::string_view name) {
  for (const device::Alias& entry : device::aliases())
    if (same_name(entry.alias, name)) return entry.name;
  return name;
}

}  // namespace

const DeviceModel* find_device(std::string_view name) noexcept {
  const std::string_view wanted = without_alias(name);
  for (const DeviceModel& model : device_models())
    if (same_name(model.name, wanted) || same_name(model.full_name, wanted)) return &model;
  return nullptr;
}

const DeviceModel& default_device() noexcept {
  static const DeviceModel& model = *find_device("H200");
  return model;
}

}  // namespace warpfiber

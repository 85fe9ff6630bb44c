// SPDX-License-Identifier: Apache-2.0
// Reads the list entry by entry.
#include "process/settings/visible_devices.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>

namespace warpfiber::process {
namespace {

constexpr std::string_view kUuidMark = "GPU-";
constexpr std::size_t kUuidDigits = 2 * std::tuple_size_v<DeviceUuid>;

std::string hex_digits(const DeviceUuid& uuid) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : uuid) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::optional<int> numbered_device(const std::string& entry, unsigned count) {
  char* end = nullptr;
  const unsigned long read = std::strtoul(entry.c_str(), &end, 10);
  const auto number = static_cast<unsigned>(read);
  if (end == entry.c_str() || number >= count) return std::nullopt;
  return static_cast<int>(number);
}

/// The digits that an entry begins a UUID with, without its dashes; nothing where it does not. What follows a whole
/// UUID is of no account.
std::optional<std::string> uuid_digits(std::string_view entry) {
  if (!entry.starts_with(kUuidMark)) return std::nullopt;
  std::string digits;
  for (const char c : entry.substr(kUuidMark.size())) {
    if (digits.size() == kUuidDigits) break;
    if (c == '-') continue;
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return std::nullopt;
    digits += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return digits;
}

std::optional<int> device_of_uuid(std::string_view entry, unsigned count) {
  const std::optional<std::string> digits = uuid_digits(entry);
  if (!digits.has_value()) return std::nullopt;
  std::optional<int> found;
  for (int number = 0; number < static_cast<int>(count); ++number) {
    if (!hex_digits(uuid_of(number)).starts_with(*digits)) continue;
    if (found.has_value()) return std::nullopt;
    found = number;
  }
  return found;
}

}  // namespace

DeviceUuid uuid_of(int number) {
  constexpr char kMaker[] = "warpfiber";
  DeviceUuid uuid{};
  std::memcpy(uuid.data(), kMaker, sizeof kMaker);
  uuid.back() = static_cast<unsigned char>(number);
  return uuid;
}

std::string uuid_text(const DeviceUuid& uuid) {
  std::string text = hex_digits(uuid);
  for (const std::size_t dash : {8U, 13U, 18U, 23U}) text.insert(dash, "-");
  return std::string(kUuidMark) + text;
}

VisibleDevices all_devices(unsigned count) {
  VisibleDevices all;
  all.numbers.resize(count);
  std::iota(all.numbers.begin(), all.numbers.end(), 0);
  return all;
}

VisibleDevices visible_devices(std::string_view text, unsigned count) {
  const bool by_uuid = text.starts_with(kUuidMark);
  VisibleDevices visible;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string entry(text.substr(begin, comma - begin));
    const std::optional<int> number = by_uuid ? device_of_uuid(entry, count) : numbered_device(entry, count);
    if (!number.has_value()) break;
    if (std::ranges::find(visible.numbers, *number) != visible.numbers.end())
      return {.numbers = {}, .named_twice = true};
    visible.numbers.push_back(*number);
    begin = comma + 1;
  }
  return visible;
}

}  // namespace warpfiber::process

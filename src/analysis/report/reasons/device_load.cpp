// SPDX-License-Identifier: Apache-2.0
//
// The public functions that read device models: the room device reads, and what is wrong becomes a sentence here.
#include <warpfiber/device_file.hpp>

#include "device/file.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber {
namespace {

DeviceLoad worded(const device::DeviceFile& file) {
  return {file.model, file.error, report::reason_text(file.reason)};
}

}  // namespace

DeviceLoad parse_device(std::string_view text, std::string_view origin) {
  return worded(device::parse_file(text, origin));
}

DeviceLoad load_device(const std::string& path) {
  return worded(device::read_file(path));
}

DeviceLoad choose_device(std::string_view name_or_path) {
  return worded(device::find_or_read(name_or_path));
}

}  // namespace warpfiber

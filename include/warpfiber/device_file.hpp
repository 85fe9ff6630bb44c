// SPDX-License-Identifier: Apache-2.0
//
// Device models by name or from a file that a user wrote. The format is described in docs/devices.md.
// Nothing here throws; an error in a name or a file is returned as a sentence.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <string>
#include <string_view>

#include <warpfiber/device.hpp>
#include <warpfiber/error.hpp>

namespace warpfiber {

/// A model, or why there is none.
struct DeviceLoad {
  DeviceModel model;
  Error error = Error::success;
  std::string message;  // empty exactly where there is a model

  bool ok() const { return error == Error::success; }
};

/// Reads a device model from a JSON file. A file that cannot be read gives file_not_found; one that is not JSON, names
/// a field that does not exist, leaves one out or gives it a value out of range gives invalid_value. The message names
/// the file, the line where possible, the field, the value and what is allowed.
DeviceLoad load_device(const std::string& path);

/// The same from text already read; `origin` is its name in messages.
DeviceLoad parse_device(std::string_view text, std::string_view origin);

/// What WARPFIBER_DEVICE and --device take: the name of a built-in model, or the path of a device file (whatever has a
/// slash or ends in .json). An unknown name gives invalid_device and a message that lists the known ones.
DeviceLoad choose_device(std::string_view name_or_path);

}  // namespace warpfiber

// SPDX-License-Identifier: Apache-2.0
//
// Reading device models that users wrote, with a reason where one cannot be used. The public functions are those of
// <warpfiber/device_file.hpp>, which says what each error means (report/reasons/device_load.cpp).
#pragma once

#include <string>
#include <string_view>

#include <warpfiber/device.hpp>
#include <warpfiber/error.hpp>

#include "record/reason.hpp"

namespace warpfiber::device {

/// A model, or why there is none.
struct DeviceFile {
  DeviceModel model;
  Error error = Error::success;
  record::Reason reason{};
};

/// `origin`: the text's name in reasons.
DeviceFile parse_file(std::string_view text, std::string_view origin);

DeviceFile read_file(const std::string& path);

/// A built-in model by its name, or the file of a path.
DeviceFile find_or_read(std::string_view name_or_path);

}  // namespace warpfiber::device

// SPDX-License-Identifier: Apache-2.0
//
// The fields of a device model as data: what a device file may hold, and within which bounds. One row a field, in the
// order of warpfiber/device.hpp; docs/devices.md says what each means.
#pragma once

#include <cstdint>
#include <span>

#include <warpfiber/device.hpp>

namespace warpfiber::device {

/// A number; both bounds are allowed values.
struct NumberField {
  const char* key;
  unsigned DeviceModel::*at;
  unsigned least;
  unsigned most;
};

struct FlagField {
  const char* key;
  bool DeviceModel::*at;
};

/// A list of numbers with at most `room` entries.
struct ListField {
  const char* key;
  unsigned* (*items)(DeviceModel&);
  unsigned DeviceModel::*count;
  unsigned room;
  unsigned most;
};

/// A field that may not be larger than another.
struct OrderRule {
  const char* smaller_key;
  unsigned DeviceModel::*smaller;
  const char* larger_key;
  unsigned DeviceModel::*larger;
};

/// The one number that may need 64 bits, and its key.
inline constexpr const char* kGlobalBytesKey = "global_bytes";

std::span<const NumberField> number_fields() noexcept;
std::span<const FlagField> flag_fields() noexcept;
std::span<const ListField> list_fields() noexcept;
std::span<const OrderRule> order_rules() noexcept;

}  // namespace warpfiber::device

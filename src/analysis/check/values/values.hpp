// SPDX-License-Identifier: Apache-2.0
// Values of memory, as the program would print them.
#pragma once

#include <cstdint>
#include <string>

#include "record/type_layout.hpp"

namespace warpfiber::check {

/// The eight bytes at a multiple of eight that an access lies in. They may be read wherever one of them may.
std::uint64_t bytes_around(const void* address);

/// The element at `address`, of an object of `type` as debug information names it ("float [16][17]"), where `around`
/// are its surroundings. Where the type is not known, `bytes` bytes as a whole number; empty where that makes no sense.
std::string value_text(const void* address, unsigned bytes, const std::string& type, std::uint64_t around);

/// The number of such a layout at `address`; empty where it is a pointer, or not in those eight bytes.
std::string value_text(const void* address, const record::TypeLayout& number, std::uint64_t around);

}  // namespace warpfiber::check

// SPDX-License-Identifier: Apache-2.0
// How a kernel calls a part of its dynamic shared memory: by the extern declaration in a function that leads to the
// access, as far as debug information knows it. Not on the stack of a fiber.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "record/finding.hpp"
#include "record/type_layout.hpp"

namespace warpfiber::check {

struct DynamicPart {
  record::PartName part{};    // with the whole name, "s[3].key"; empty: not known
  std::string object{};       // the name alone
  std::uint64_t element = 0;  // bytes of an element; 0: not known
  std::string type{};         // of the declaration, "Node []"
  record::Place declared{};   // where several names are meant, of the first
};

/// Where an access is in the dynamic shared memory of its block.
struct DynamicAccess {
  std::span<const std::uintptr_t>
      code{};  // addresses in the function of the access and in its callers, innermost first
  std::int64_t offset = 0;
  std::uint64_t size = 0;
};

DynamicPart dynamic_part(const DynamicAccess& access);

/// The type of the extern declaration of this name in the kernel, else in the file of its code; null where there is
/// none.
const record::TypeLayout* dynamic_type(const void* kernel, std::string_view name);

}  // namespace warpfiber::check

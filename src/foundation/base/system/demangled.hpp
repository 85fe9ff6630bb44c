// SPDX-License-Identifier: Apache-2.0
// Names of the linker as C++ has them (Itanium C++ ABI, "Demangler API").
#pragma once

#include <optional>
#include <string>

namespace warpfiber::base {

/// The name of a function or variable by its symbol, of a type by type_info::name(). Nothing where it is none of those.
std::optional<std::string> demangled(const char* name);

}  // namespace warpfiber::base

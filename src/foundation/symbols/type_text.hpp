// SPDX-License-Identifier: Apache-2.0
// Types in debug information as text. For one thread at a time, and used by readers of debug information only.
#pragma once

#include <elfutils/libdw.h>

#include <string>

namespace warpfiber::symbols {

/// "const app::Node* [4][8]", as g++ writes types, without other names for them; empty where a part has no name.
std::string type_text(Dwarf_Die type);

}  // namespace warpfiber::symbols

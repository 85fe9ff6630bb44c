// SPDX-License-Identifier: Apache-2.0
//
// Man pages, in the macros of man(7).
#pragma once

#include <string>

#include "tools/manual/manual.hpp"

namespace warpfiber::tools::manual {

/// warpfiber-<subcommand>.1
std::string man_page(const Subcommand& subcommand);

/// warpfiber.1
std::string man_page_of_command();
std::string man_page_of_developers_command();

}  // namespace warpfiber::tools::manual

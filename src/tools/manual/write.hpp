// SPDX-License-Identifier: Apache-2.0
//
// What an installation has of the manual.
#pragma once

#include <string>

#include "tools/manual/completion.hpp"
#include "tools/options/reply.hpp"

namespace warpfiber::tools::manual {

/// Writes man pages and scripts of completion below the folder, each where it lies below share. The build calls this
/// once the command is linked.
Reply write_manual(const std::string& folder, const CompletionNames& names);

}  // namespace warpfiber::tools::manual

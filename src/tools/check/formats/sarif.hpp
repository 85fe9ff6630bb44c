// SPDX-License-Identifier: Apache-2.0
//
// Findings as SARIF 2.1.0 (OASIS "Static Analysis Results Interchange Format"), which editors and code hosts read.
#pragma once

#include <string>

#include "tools/check/documents/merged.hpp"

namespace warpfiber::tools::check {

/// The log, ending in a newline. Files below `folder` are named relative to it, as code hosts want them. `pages`: the
/// folder of the documentation, from which rules have their help.
std::string render_sarif(const Merged& merged, const std::string& folder, const std::string& pages);

}  // namespace warpfiber::tools::check

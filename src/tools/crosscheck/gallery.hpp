// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber crosscheck` without a program: every kernel of the gallery, in a table.
#pragma once

#include <string>

#include "tools/crosscheck/options.hpp"
#include "tools/nvcc/toolchain.hpp"

namespace warpfiber::tools::crosscheck {

/// Compares with a GPU where there is one and the gallery is built for it, else with recordings: those that --replay
/// names, or those that Warpfiber comes with. The status of the command.
int crosscheck_gallery(const CrosscheckOptions& options, const nvcc::Toolchain& toolchain, const std::string& scratch);

}  // namespace warpfiber::tools::crosscheck

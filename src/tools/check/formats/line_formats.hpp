// SPDX-License-Identifier: Apache-2.0
// Findings as lines that other programs read from what a command prints: editors those of a compiler, code hosts
// theirs.
#pragma once

#include <string>

#include "tools/check/documents/merged.hpp"

namespace warpfiber::tools::check {

/// "app.cu:15: error: a race in shared memory, write by thread (65,0,0) [race-shared]", with notes for the other sites,
/// the cause and the fix, as g++ and clang++ write theirs. `folder`: where paths begin.
std::string render_gcc(const Merged& merged, const std::string& folder);

/// "::error file=app.cu,line=15,title=race-shared::…", one line a finding (GitHub, "Workflow commands for GitHub
/// Actions").
std::string render_github(const Merged& merged, const std::string& folder);

}  // namespace warpfiber::tools::check

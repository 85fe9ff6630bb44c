// SPDX-License-Identifier: Apache-2.0
// `warpfiber doctor`: what is installed, which compilers work, and whether a build, a check and the rest do. What does
// not work comes with what it has printed, and with what mends it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/options/output.hpp"

namespace warpfiber::tools::doctor {

struct DoctorOptions {
  std::string json;  // the file for the document; empty: none
};

/// Reads the words behind the subcommand. A reply if nothing is to be looked at.
std::optional<Reply> parse(const std::vector<std::string>& words, DoctorOptions& to);

/// `warpfiber doctor [--json FILE]`. The exit status: 0 where all that is required works, 1 where it does not, 2 for
/// wrong usage or a file that cannot be written.
int doctor(const std::vector<std::string>& words);

}  // namespace warpfiber::tools::doctor

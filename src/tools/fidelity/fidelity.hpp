// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber fidelity [app.cu...]`: how faithfully the features of CUDA are modelled, all of them or those that a
// program's files and the user's files that they include mention.
#pragma once

#include <string>
#include <vector>

#include "tools/command.hpp"

namespace warpfiber::tools::fidelity {

/// The table, or with files the rows for the features that they use. Exit code 2 if a file cannot be read; else 0.
Reply fidelity(const std::vector<std::string>& files);

}  // namespace warpfiber::tools::fidelity

// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber fidelity [app.cu...]`: how faithfully the features of CUDA are modelled, all of them or those that a
// program's files and the user's files that they include mention.
#pragma once

#include <string>
#include <vector>

#include "tools/options/reply.hpp"

namespace warpfiber::tools::fidelity {

/// The table, or with arguments, which are nvcc's, the rows for the features that the files use. Exit code 2 if a file
/// cannot be read or is no text, or an option is not nvcc's; else 0.
Reply fidelity(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::fidelity

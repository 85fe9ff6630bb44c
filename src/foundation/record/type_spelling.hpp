// SPDX-License-Identifier: Apache-2.0
// Names of types as programs write them. Pure functions.
#pragma once

#include <string>

namespace warpfiber::record {

/// "unsigned long [4]", "char* const" of what a compiler or debug information says: "long unsigned int[4]",
/// "char *const".
std::string usual_spelling(const std::string& type);

}  // namespace warpfiber::record

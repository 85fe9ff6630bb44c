// SPDX-License-Identifier: Apache-2.0
//
// What to say of a header that the compiler does not find because Warpfiber does not have its library. Pure.
#pragma once

#include <string>
#include <vector>

namespace warpfiber::tools::nvcc {

/// One line for each header of NVIDIA's libraries that `messages`, the host compiler's, say is missing: which library
/// that is, and what lists all that the program needs. Empty where none is.
std::vector<std::string> missing_libraries(const std::string& messages);

}  // namespace warpfiber::tools::nvcc

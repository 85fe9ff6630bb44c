// SPDX-License-Identifier: Apache-2.0
//
// What to say of a header that the compiler does not find because Warpfiber does not have its library, and of a
// library's function that is not declared. Pure.
#pragma once

#include <string>
#include <vector>

namespace warpfiber::tools::nvcc {

/// One line for each header of NVIDIA's libraries that `messages`, the host compiler's, say is missing, and for each
/// function, type or constant: which library that is of. Empty where none is.
std::vector<std::string> missing_libraries(const std::string& messages);

}  // namespace warpfiber::tools::nvcc

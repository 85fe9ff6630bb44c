// SPDX-License-Identifier: Apache-2.0
//
// Whether a program asks which compiler it is, so that two of them compile different programs (-fregions).
#pragma once

#include <string>

namespace warpfiber::tools::nvcc {

/// One file, preprocessed by two compilers: "a.cu is another program for clang++ (__clang__)", if it or a header in its
/// folder names a compiler and has another text for each; else empty. Reads these files.
std::string difference_by_compiler(const std::string& one, const std::string& other);

}  // namespace warpfiber::tools::nvcc

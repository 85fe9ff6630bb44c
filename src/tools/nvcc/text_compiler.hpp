// SPDX-License-Identifier: Apache-2.0
//
// Compiles the translated text of a CUDA file with cuda_runtime.h precompiled, where that makes the same object and the
// same messages; else as it is.
#pragma once

#include <string>
#include <vector>

#include "tools/nvcc/options.hpp"
#include "tools/nvcc/precompiled/headers.hpp"
#include "tools/nvcc/processes/processes.hpp"

namespace warpfiber::tools::nvcc {

/// Whether headers may be precompiled under the options of the host compiler: it has to be known of each that it has no
/// other effect than on what is compiled.
bool may_precompile(const NvccOptions& options);

class TextCompiler {
 public:
  TextCompiler(const NvccOptions& options, PrecompiledHeaders headers);

  /// As run() does it, for a command that is silent, or has a file for its errors. It has the words `-x c++-cpp-output
  /// FILE`; others are written to its folder.
  int run(const std::vector<std::string>& command, const SpawnOptions& how) const;

 private:
  PrecompiledHeaders headers_;
  bool by_clang_;
  bool is_used_;
};

}  // namespace warpfiber::tools::nvcc

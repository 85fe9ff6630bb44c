// SPDX-License-Identifier: Apache-2.0
//
// The second compilation of CUDA files for -fregions (docs/regions.md): by clang++ with our plugin, at the same time as
// the host compiler's. Its object has the loops over the threads of blocks and nothing else, and is added to the host
// compiler's. A failure costs a line on standard error and the loops, never the build.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "tools/nvcc/messages.hpp"
#include "tools/nvcc/options.hpp"
#include "tools/nvcc/plan.hpp"
#include "tools/nvcc/precompiled/cutting.hpp"
#include "tools/nvcc/precompiled/headers.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/toolchain.hpp"

namespace warpfiber::tools::nvcc {

/// The clang++ of -fregions: WARPFIBER_CLANG, or one on the path that fits the plugin. Empty where there are to be no
/// regions, or can be none, which is said.
std::string find_region_compiler(const NvccOptions& options, const Toolchain& toolchain);

/// The commands of RegionsStep in the steps of a plan, one after another.
class Sidecar {
 public:
  Sidecar(const NvccOptions& options, PrecompiledHeaders headers) : options_(options), headers_(std::move(headers)) {}

  /// Starts the command of a step, where it has one.
  void start(const Step& step);

  /// After the step itself: waits for it, and does what is to be done with the result. `source` is what is known of the
  /// host compiler's text.
  void finish(const Step& step, const Translated& source);

 private:
  void translate(const RegionsStep& step, const Translated& source);
  int compile_whole(const RegionsStep& step);
  void merge(const RegionsStep& step);
  void give_up(const RegionsStep& step, const std::string& reason);

  const NvccOptions& options_;
  PrecompiledHeaders headers_;
  std::unique_ptr<ConcurrentProcess> running_;
  CutText text_;             // of the file that is compiled
  std::string precompiled_;  // what stands for its header; empty: the whole text is compiled
  bool is_over_ = false;     // for the file that is compiled: without kernels, or after a failure
};

}  // namespace warpfiber::tools::nvcc

// SPDX-License-Identifier: Apache-2.0
//
// Whether a program keeps nvcc's rules: looks at its words, and where those may break one, has the host compiler
// compile the program once more and judges the calls (rules.hpp).
#pragma once

#include "tools/nvcc/messages.hpp"
#include "tools/nvcc/options.hpp"
#include "tools/nvcc/plan.hpp"
#include "tools/nvcc/text_compiler.hpp"

namespace warpfiber::tools::nvcc {

/// Says on standard error what nvcc would say of the program that `step` compiles. False if nvcc refuses it.
bool keeps_rules(const Step& step, const Translated& source, const NvccOptions& options, const TextCompiler& compiler);

}  // namespace warpfiber::tools::nvcc

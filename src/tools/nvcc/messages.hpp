// SPDX-License-Identifier: Apache-2.0
//
// What the host compiler says of a translated program, in terms of the program that the user has written: his names,
// his columns, and no follow-up of an error that only the translation has. Pure functions but for compile_translated().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/nvcc/plan.hpp"
#include "tools/nvcc/text_compiler.hpp"
#include "translate/translate.hpp"

namespace warpfiber::tools::nvcc {

/// What is known of the text that a step compiles.
struct Translated {
  std::string host;                                         // files that the translation has read
  std::string device;                                       // empty: none
  std::shared_ptr<const translate::JoinedProgram> program;  // what was translated
  translate::TranslateOptions how;
  std::vector<translate::NamedLines> kernels;
  std::vector<std::string> headers;  // the folders of ours
  std::string unit;                  // the number that stands for it in regions; empty: there are none
};

/// Whether `written` has an error, and its first one is at a line of which `translated`, too, has an error: then those
/// of `written` are the user's own, and the others follow from them.
bool are_same_errors(const std::string& written, const std::string& translated);

/// The messages without those that say once more what is wrong with a variable: that it, declared in a line with an
/// error, was not declared; or the same again. And without what they show or propose of ours: names that only resemble
/// those of the user's, text of headers in the folders `headers`.
std::string without_follow_ups(const std::string& messages, const std::vector<translate::NamedLines>& variables,
                               const std::vector<std::string>& headers);

/// The messages with a kernel's body called by the kernel's name, and with the types of __shared__ variables as they
/// are.
std::string with_names_of_user(const std::string& messages, const std::vector<translate::NamedLines>& kernels);

/// Runs a step whose compiler reads the program as it is written, and says on standard error what it has to say; before
/// it, which libraries the program includes that are not there. Its exit status.
int compile_written(const Step& step);

/// Runs a step that compiles translated text, and says on standard error what the compiler has to say. Its exit status.
int compile_translated(const Step& step, const Translated& source, const TextCompiler& compiler);

}  // namespace warpfiber::tools::nvcc

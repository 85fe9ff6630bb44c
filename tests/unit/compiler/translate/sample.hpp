// SPDX-License-Identifier: Apache-2.0
//
// Samples of CUDA source taken through the whole way: preprocessed with the compiler of this build, translated,
// compiled against the fake runtime and run. Files are in a folder of the process and go with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "translate/translate.hpp"

namespace warpfiber::translate::test {

/// What a command printed, both streams, and its exit status.
struct Outcome {
  int status = 0;
  std::string output;
};

/// What the preprocessor makes of a sample that is called sample.cu, after the fake runtime.
std::string preprocess(std::string_view sample, const std::string& flags = "");

/// Translates a sample, with a second text for __CUDA_ARCH__ where it names that.
Translation translate_sample(std::string_view sample, const TranslateOptions& options = {});

/// Translates, compiles and runs a sample. A diagnostic, an error or warning of the compiler and a failed EXPECT all
/// come back as output with a status that is not 0.
Outcome run_sample(std::string_view sample, const TranslateOptions& options = {});

/// The names, numbers and strings of `before` that `after` does not have at the same file and line, one a line. Left
/// out are the words that a translation drops.
std::string moved_tokens(std::string_view before, std::string_view after);

/// Compiles C++ that includes public headers, without making a program of it.
Outcome compile(std::string_view source);

/// The diagnostics of a sample as text, without its folder, one a line.
std::string errors_of(std::string_view sample);

/// The translation of a text that needs no preprocessor, qualifiers spelt as CUDA spells them.
std::string translated(std::string_view text);

/// `text` with CUDA's qualifiers as the headers define them.
std::string with_tokens(std::string_view text);

}  // namespace warpfiber::translate::test

/// Fails with the output of the sample.
#define REQUIRE_RUNS_WITH(options, sample)                                          \
  do {                                                                              \
    const auto outcome = ::warpfiber::translate::test::run_sample(sample, options); \
    INFO(outcome.output);                                                           \
    REQUIRE(outcome.status == 0);                                                   \
  } while (false)
#define REQUIRE_RUNS(sample) REQUIRE_RUNS_WITH({}, sample)

// SPDX-License-Identifier: Apache-2.0
//
// g++ takes a precompiled header in preprocessed text by the pragma that `g++ -E -fpch-preprocess` would have written
// (GCC's manual, "Options Controlling the Preprocessor"). It refuses one that another compiler or other options have
// made.
#include "tools/nvcc/text_compiler.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "tools/nvcc/compiler_flags.hpp"
#include "tools/nvcc/precompiled/cutting.hpp"

namespace warpfiber::tools::nvcc {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLanguage = "c++-cpp-output";

// What these options begin with changes the code or the messages of what is compiled, and does nothing else.
constexpr std::string_view kHarmless[] = {"-O", "-g", "-W",       "-m",    "-D", "-U",        "-l",
                                          "-L", "-f", "-pthread", "-pipe", "-w", "-pedantic", "-pg"};
// But these: they write files or statistics, read others than the text, or show messages in another form. With
// -gsplit-dwarf and -flto objects are made in another way.
constexpr std::string_view kHarmful[] = {"-gsplit-dwarf",
                                         "-gmodules",
                                         "-Wp,",
                                         "-fdump",
                                         "-fprofile",
                                         "-fauto-profile",
                                         "-fcoverage",
                                         "-ftest-coverage",
                                         "-fplugin",
                                         "-fpass-plugin",
                                         "-fmodule",
                                         "-fimplicit",
                                         "-fsyntax-only",
                                         "-ftime",
                                         "-fmem-report",
                                         "-fpre-ipa-mem-report",
                                         "-fpost-ipa-mem-report",
                                         "-fopt-info",
                                         "-fsave-optimization-record",
                                         "-fstack-usage",
                                         "-fcallgraph-info",
                                         "-fcompare-debug",
                                         "-fpch",
                                         "-fpreprocessed",
                                         "-fdirectives-only",
                                         "-fworking-directory",
                                         "-frecord",
                                         "-fdiagnostics-format",
                                         "-fdiagnostics-add-output",
                                         "-fdiagnostics-set-output",
                                         "-fproc-stat-report",
                                         "-foptimization-record",
                                         "-fdiagnostics-generate",
                                         "-fembed",
                                         "-flto",
                                         "-fthinlto"};

bool begins_with_one_of(const std::string& word, const auto& beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view begin) { return word.starts_with(begin); });
}

/// The word behind another; empty where there is none.
std::string word_behind(const Command& words, std::string_view word) {
  const auto found = std::ranges::find(words, word);
  return found == words.end() || found + 1 == words.end() ? std::string() : *(found + 1);
}

/// What stands in the text for the header.
std::string in_place_of_header(const CutRuntime& cut, const std::string& precompiled, bool by_clang) {
  const std::string going_on = cut.including.substr(0, cut.including.rfind('"') + 1);
  // clang++ has to open the file that goes on.
  if (by_clang) return cut.first_line + going_on + " 1\n";
  return cut.first_line + "#pragma GCC pch_preprocess \"" + precompiled + "\"\n" + going_on + "\n";
}

}  // namespace

bool may_precompile(const NvccOptions& options) {
  const Command& flags = options.host_flags;
  // clang++ describes less of a precompiled header to debuggers.
  const bool has_debug_information =
      options.check || options.device_debug ||
      std::ranges::any_of(flags, [](const auto& word) { return word.starts_with("-g"); });
  if (is_clang(options) && has_debug_information) return false;
  // "native" is another processor on another machine, which may share the folder of headers.
  return std::ranges::all_of(flags, [](const std::string& word) {
    return begins_with_one_of(word, kHarmless) && !begins_with_one_of(word, kHarmful) && !word.ends_with("=native");
  });
}

TextCompiler::TextCompiler(const NvccOptions& options, PrecompiledHeaders headers)
    : headers_(std::move(headers)), by_clang_(is_clang(options)), is_used_(may_precompile(options)) {}

int TextCompiler::run(const Command& command, const SpawnOptions& how) const {
  const std::string input = word_behind(command, kLanguage);
  const CutRuntime cut = is_used_ ? cut_behind_runtime(content_of(input)) : CutRuntime();
  std::string precompiled;
  if (!cut.header.empty()) {
    precompiled = headers_.find_or_make(
        cut.header, {.command = command, .input = input, .output = word_behind(command, "-o"), .by_clang = by_clang_});
  }
  const std::string rest = input + ".rest.ii";
  const bool can_be_named = precompiled.find_first_of("\"\\\n") == std::string::npos;
  if (precompiled.empty() || !can_be_named ||
      !write_content(rest, in_place_of_header(cut, precompiled, by_clang_) + cut.rest)) {
    return nvcc::run(command, how);
  }
  Command with_header = command;
  std::ranges::replace(with_header, input, rest);
  if (by_clang_) append(with_header, with_precompiled(precompiled));
  SpawnOptions heard = how;
  if (how.silent) {
    heard.silent = false;
    heard.output_file = "/dev/null";
    heard.error_file = input + ".said";
  }
  const int status = nvcc::run(with_header, heard);
  if (status == 0) return status;
  // The header may have been removed meanwhile, or be damaged. The messages are those of the whole text in any case.
  const int whole = nvcc::run(command, how);
  std::error_code failure;
  if (whole == 0) fs::remove(precompiled, failure);
  return whole;
}

}  // namespace warpfiber::tools::nvcc

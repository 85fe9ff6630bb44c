// SPDX-License-Identifier: Apache-2.0
#include "unit/compiler/translate/sample.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <stdexcept>

#include "translate/text/lines.hpp"
#include "translate/text/tokens.hpp"
#include "translate/text/walk.hpp"

namespace warpfiber::translate::test {
namespace {

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "warpfiber-translate-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for samples");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

const Folder& folder() {
  static const Folder one;
  return one;
}

Outcome run(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    outcome.output.append(buffer.data(), n);
  outcome.status = pclose(pipe);
  return outcome;
}

void write(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The samples are compiled with warnings that point at mistakes in what was written, not at the style of samples.
constexpr const char* kFlags =
    " -std=c++20 -O0 -Wall -Wextra -Werror -Wno-unused-but-set-variable -Wno-unused-variable"
    " -Wno-unknown-pragmas -Wno-unused-function -Wno-unused-parameter ";

/// Qualifiers with their arguments, words that make no sense in a typedef, and names that the compiler gives functions.
bool is_dropped(const Tokens& tokens, std::size_t i) {
  const Keyword word = tokens[i].keyword;
  if (is_qualifier(word) || word == Keyword::noinline || tokens.text(i).substr(0, 2) == "__") return true;
  for (const std::string_view name : {"static", "extern", "inline", "alignas", "aligned"}) {
    if (tokens.is(i, name)) return true;
  }
  for (std::size_t before = i; before > 0 && !tokens.is(before, ';') && !tokens.is(before, '{'); --before) {
    const bool around = tokens.is(before, '(') && tokens.match(before) != kNone && tokens.match(before) > i;
    if (around && is_attribute_word(tokens, before - 1)) return true;
  }
  return false;
}

}  // namespace

std::string preprocess(std::string_view sample, const std::string& flags) {
  write(folder().file("sample.cu"), sample);
  const std::string text = folder().file("sample.ii");
  const Outcome outcome =
      run("cd " + folder().file("") +
          " && " WARPFIBER_TEST_COMPILER " -E -x c++ -D__CUDACC__ -include " WARPFIBER_FAKE_RUNTIME " -o sample.ii " +
          std::string(kFlags) + flags + " sample.cu");
  if (outcome.status != 0) throw std::runtime_error(outcome.output);
  return read(text);
}

Translation translate_sample(std::string_view sample, const TranslateOptions& options) {
  const std::string host = preprocess(sample);
  const bool asks = sample.find("__CUDA_ARCH__") != std::string_view::npos;
  return translate(host, asks ? preprocess(sample, "-D__CUDA_ARCH__=900") : "", options);
}

std::string moved_tokens(std::string_view before, std::string_view after) {
  std::map<std::string, int> places;
  const auto count = [&](std::string_view text, int by) {
    const Tokens tokens(text);
    LineCursor cursor(tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind == TokenKind::punctuator || is_dropped(tokens, i)) continue;
      const Position at = cursor.at(tokens[i].begin);
      // A variable of the block lends its name to its type.
      std::string_view name = tokens.text(i);
      if (name.ends_with("_shared_type")) name.remove_suffix(12);
      if (name.ends_with("_dynamic")) name.remove_suffix(8);
      places[std::string(name) + " at " + std::string(at.file) + ":" + std::to_string(at.line) + "\n"] += by;
    }
  };
  count(before, -1);
  count(after, 1);
  std::string moved;
  for (const auto& [token, balance] : places) moved += balance < 0 ? token : "";
  return moved;
}

Outcome run_sample(std::string_view sample, const TranslateOptions& options) {
  const Translation result = translate_sample(sample, options);
  if (!result.diagnostics.empty()) return {1, errors_of(sample)};
  if (sample.find("__CUDA_ARCH__") == std::string_view::npos) {
    const std::string moved = moved_tokens(preprocess(sample), result.text);
    if (!moved.empty()) return {1, "lost or on another line:\n" + moved};
  }
  write(folder().file("translated.ii"), result.text);
  const std::string program = folder().file("program");
  Outcome outcome = run(WARPFIBER_TEST_COMPILER " -x c++-cpp-output " + std::string(kFlags) +
                        folder().file("translated.ii") + " -o " + program);
  if (outcome.status != 0) {
    outcome.output += result.text.substr(result.text.rfind("\n# 1 \"sample.cu\"\n"));
    return outcome;
  }
  return run(WARPFIBER_TEST_EMULATOR " " + program);
}

Outcome compile(std::string_view source) {
  write(folder().file("source.cpp"), source);
  return run(WARPFIBER_TEST_COMPILER " -fsyntax-only -I" WARPFIBER_PUBLIC_HEADERS + std::string(kFlags) +
             folder().file("source.cpp"));
}

std::string errors_of(std::string_view sample) {
  std::string text;
  for (const Diagnostic& diagnostic : translate_sample(sample).diagnostics) text += to_text(diagnostic) + "\n";
  return text;
}

std::string with_tokens(std::string_view text) {
  static const std::regex qualifier(
      "__(global|device|host|shared|constant|managed|grid_constant|launch_bounds|cluster_dims|maxnreg|block_size)__");
  return std::regex_replace(std::string(text), qualifier, "__warpfiber_$1__");
}

std::string translated(std::string_view text) {
  return translate(with_tokens(text), "").text;
}

}  // namespace warpfiber::translate::test

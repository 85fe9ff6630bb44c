// SPDX-License-Identifier: Apache-2.0
//
// Compares what is left of the user's files, without blanks.
#include "tools/nvcc/regions/compiler_names.hpp"

#include <map>
#include <string_view>

#include "tools/nvcc/processes/processes.hpp"

namespace warpfiber::tools::nvcc {
namespace {

constexpr std::string_view kCompilerNames[] = {
    "__clang",       "__GNUC",          "__VERSION__",     "__has_builtin",
    "__has_feature", "__has_extension", "__has_attribute", "__has_cpp_attribute"};

/// The file of `# 12 "a.cu" 2`.
std::string_view file_of(std::string_view marker) {
  const std::size_t open = marker.find('"');
  const std::size_t close = marker.rfind('"');
  return open == close ? std::string_view() : marker.substr(open + 1, close - open - 1);
}

std::string_view folder_of(std::string_view file) {
  return file.substr(0, file.rfind('/') == std::string_view::npos ? 0 : file.rfind('/'));
}

/// The program and its headers in the same folder. Those of libraries ask which compiler reads them, and are the same
/// for each.
std::map<std::string_view, std::string> texts_of_user(std::string_view preprocessed) {
  std::map<std::string_view, std::string> texts;
  std::string* text = nullptr;
  std::string_view program;
  for (std::size_t begin = 0; begin < preprocessed.size();) {
    const std::size_t end = std::min(preprocessed.find('\n', begin), preprocessed.size());
    const std::string_view line = preprocessed.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("# ")) {
      const std::string_view file = file_of(line);
      if (program.empty()) program = file;
      text = folder_of(file) == folder_of(program) && !file.starts_with('<') ? &texts[file] : nullptr;
    } else if (text != nullptr && !line.starts_with("#")) {
      for (const char character : line) {
        if (character != ' ' && character != '\t') text->push_back(character);
      }
    }
  }
  return texts;
}

}  // namespace

std::string difference_by_compiler(const std::string& one, const std::string& other) {
  const auto others = texts_of_user(other);
  for (const auto& [file, text] : texts_of_user(one)) {
    const auto same = others.find(file);
    if (same != others.end() && same->second == text) continue;
    const std::string content = content_of(std::string(file));
    for (const std::string_view name : kCompilerNames) {
      if (content.find(name) == std::string::npos) continue;
      return std::string(file) + " is another program for clang++ (" + std::string(name) + ")";
    }
  }
  return {};
}

}  // namespace warpfiber::tools::nvcc

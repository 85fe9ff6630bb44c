// SPDX-License-Identifier: Apache-2.0
//
// Compares the standard names that a program uses with those that the host compiler's headers declare, as a probe
// file shows.
#include "tools/nvcc/rules/includes.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "translate/rules/library.hpp"
#include "translate/text/lines.hpp"

namespace warpfiber::tools::nvcc {
namespace {

/// Names without std:: that are looked at, and their headers.
constexpr std::pair<std::string_view, std::string_view> kC[] = {
    {"FILE", "cstdio"},      {"__assert_fail", "cassert"}, {"fclose", "cstdio"},   {"fflush", "cstdio"},
    {"fgets", "cstdio"},     {"fopen", "cstdio"},          {"fprintf", "cstdio"},  {"fputs", "cstdio"},
    {"fread", "cstdio"},     {"fscanf", "cstdio"},         {"fwrite", "cstdio"},   {"getchar", "cstdio"},
    {"perror", "cstdio"},    {"printf", "cstdio"},         {"putchar", "cstdio"},  {"puts", "cstdio"},
    {"scanf", "cstdio"},     {"snprintf", "cstdio"},       {"sprintf", "cstdio"},  {"sscanf", "cstdio"},
    {"stderr", "cstdio"},    {"stdin", "cstdio"},          {"stdout", "cstdio"},   {"uint16_t", "cstdint"},
    {"uint32_t", "cstdint"}, {"uint64_t", "cstdint"},      {"uint8_t", "cstdint"}, {"uintptr_t", "cstdint"}};

/// Names in std whose header has another name, for the advice.
constexpr std::pair<std::string_view, std::string_view> kStd[] = {
    {"accumulate", "numeric"},      {"cerr", "iostream"},       {"cout", "iostream"},    {"endl", "iostream"},
    {"fill", "algorithm"},          {"function", "functional"}, {"iota", "numeric"},     {"make_unique", "memory"},
    {"memcpy", "cstring"},          {"memset", "cstring"},      {"mt19937", "random"},   {"printf", "cstdio"},
    {"runtime_error", "stdexcept"}, {"shared_ptr", "memory"},   {"sort", "algorithm"},   {"to_string", "string"},
    {"uint32_t", "cstdint"},        {"uint64_t", "cstdint"},    {"unique_ptr", "memory"}};

/// What NVIDIA's cuda_runtime.h includes: nvcc 13.0 -E of an empty file.
constexpr std::string_view kHeadersOfRuntime[] = {"cstdlib", "cmath",       "string.h",         "limits", "limits.h",
                                                  "utility", "type_traits", "initializer_list", "time.h", "ctype.h"};

/// What cooperative groups and the headers in cuda/ include besides.
constexpr std::string_view kOfLibcu[] = {
    "cassert",     "cctype",       "cerrno",   "cfloat",   "chrono",    "climits",  "cstddef",   "cstdint",
    "cstdio",      "cstring",      "ctime",    "cwchar",   "exception", "iterator", "stdexcept", "string",
    "string_view", "system_error", "typeinfo", "assert.h", "stdio.h",   "stdint.h", "float.h"};
constexpr std::string_view kWithStdint[] = {"cuda.h", "cuda_awbarrier.h", "cuda_pipeline.h", "nvtx3/nvToolsExt.h"};
constexpr std::string_view kUnknown[] = {"thrust/", "cub/", "nv/"};

std::string_view header_in(const auto& table, std::string_view name) {
  const auto* const found = std::ranges::find(table, name, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(table) ? std::string_view() : found->second;
}

class NameReader {
 public:
  explicit NameReader(const Judged& program) : p_(program), t_(program.tokens) {
    for (const translate::SpacedFunction& function : p_.spaces.functions) own_.insert(function.name);
    for (const translate::SpacedVariable& variable : p_.spaces.variables) own_.insert(variable.name);
  }

  std::vector<StandardName> read() {
    const auto& markers = t_.markers();
    // A macro expands to lines that count as those of the file that defines it; where a file begins is certain.
    std::map<std::string_view, bool> files;
    for (const translate::LineMarker& marker : markers) {
      files.emplace(marker.file, !translate::is_foreign({marker.file, 1, 1, marker.system}, p_.folders));
    }
    std::size_t marker = 0;
    bool is_users = false;
    for (std::size_t i = 0; i < t_.size(); ++i) {
      for (; marker < markers.size() && markers[marker].next_line <= t_[i].begin; ++marker) {
        is_users = files[markers[marker].file];
      }
      if (is_users && t_.is_identifier(i)) take(i);
    }
    return std::move(names_);
  }

 private:
  void take(std::size_t i) {
    const std::string name(t_.text(i));
    if (name == "std" && i > 0 && t_.is(i - 1, "::")) return;  // cuda::std
    const bool is_member = i > 0 && (t_.is(i - 1, '.') || t_.is(i - 1, "->"));
    if (name == "std" && t_.is(i + 1, "::") && t_.is_identifier(i + 2)) {
      const std::string_view member = t_.text(i + 2);
      if (!translate::is_std_name_of_device(member) || !header_in(kStd, member).empty()) add(i + 2, true);
    } else if (!is_member && !(i > 0 && t_.is(i - 1, "::")) && !header_in(kC, name).empty() && !own_.contains(name)) {
      add(i, false);
    }
  }

  void add(std::size_t i, bool is_std) {
    std::string name(t_.text(i));
    if (!seen_.emplace(name, is_std).second) return;
    const translate::Position at = locate(t_, t_[i].begin);
    names_.push_back({std::move(name), is_std, {translate::unescaped(at.file), at.line, at.column}});
  }

  const Judged& p_;
  const translate::Tokens& t_;
  std::set<std::string, std::less<>> own_;
  std::set<std::pair<std::string, bool>> seen_;
  std::vector<StandardName> names_;
};

void include(std::string& text, std::string_view header) {
  const std::string name = "<" + std::string(header) + ">";
  text += "#if __has_include(" + name + ")\n#include " + name + "\n#endif\n";
}

bool is_ours(const std::string& header, const std::vector<std::string>& folders) {
  return std::ranges::any_of(folders, [&](const std::string& folder) {
    return std::filesystem::exists(std::filesystem::path(folder) / header);
  });
}

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::set<std::string_view> words_of(std::string_view text) {
  std::set<std::string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word_character(text[end])) ++end;
    if (end > i) words.insert(text.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

}  // namespace

std::vector<StandardName> standard_names(const Judged& program) {
  return NameReader(program).read();
}

std::vector<std::string> included_headers(std::string_view text) {
  std::vector<std::string> headers;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') continue;
    const std::size_t word = line.find_first_not_of(" \t", hash + 1);
    if (word == std::string::npos || line.compare(word, 7, "include") != 0) continue;
    const std::size_t open = line.find_first_of("<\"", word);
    const std::size_t close = open == std::string::npos ? open : line.find_first_of(">\"", open + 1);
    if (close != std::string::npos) headers.push_back(line.substr(open + 1, close - open - 1));
  }
  return headers;
}

bool includes_header_of(const StandardName& used, const std::vector<std::string>& headers) {
  std::string_view header = used.is_std ? header_in(kStd, used.name) : header_in(kC, used.name);
  if (header.empty()) header = used.name;  // std::vector is of <vector>
  const std::string in_c = header.starts_with('c') ? std::string(header.substr(1)) + ".h" : std::string();
  const auto declares = [&](const std::string& other) { return other == header || (!used.is_std && other == in_c); };
  return std::ranges::any_of(headers, declares);
}

std::string probe_of(const std::vector<std::string>& headers, const std::vector<std::string>& folders) {
  std::string text;
  for (const std::string_view header : kHeadersOfRuntime) include(text, header);
  for (const std::string& header : headers) {
    const auto begins = [&header](std::string_view folder) { return header.starts_with(folder); };
    if (std::ranges::any_of(kUnknown, begins)) return {};
    if (!is_ours(header, folders)) {
      include(text, header);
    } else if (header.starts_with("cooperative_groups") || header.starts_with("cuda/")) {
      for (const std::string_view other : kOfLibcu) include(text, other);
    } else if (std::ranges::find(kWithStdint, header) != std::end(kWithStdint)) {
      include(text, "stdint.h");
    } else if (header.starts_with("warpfiber/")) {
      return {};  // no header of nvcc's
    }
  }
  return text;
}

std::vector<RuleViolation> undeclared(const std::vector<StandardName>& names, std::string_view text) {
  std::vector<RuleViolation> complaints;
  const std::set<std::string_view> words = words_of(text);
  for (const StandardName& used : names) {
    // What the macro expands to.
    const std::string name = used.name == "__assert_fail" ? "assert" : used.name;
    if (words.contains(name)) continue;
    std::string_view header = used.is_std ? header_in(kStd, used.name) : header_in(kC, used.name);
    if (header.empty()) header = used.name;
    complaints.push_back(
        {used.at,
         true,
         used.is_std ? "namespace \"std\" has no member \"" + name + "\"" : "identifier \"" + name + "\" is undefined",
         {},
         "#include <" + std::string(header) + ">; NVIDIA's headers do not include it for you"});
  }
  return complaints;
}

}  // namespace warpfiber::tools::nvcc

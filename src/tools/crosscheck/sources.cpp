// SPDX-License-Identifier: Apache-2.0
#include "tools/crosscheck/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <regex>
#include <sstream>
#include <utility>
#include <warpfiber/crosscheck/copy_log.hpp>

#include "base/text.hpp"
#include "tools/nvcc/processes.hpp"

namespace warpfiber::tools::crosscheck {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 1000;

/// C's names of types and what compare_elements calls them; the longer ones first.
constexpr std::pair<const char*, const char*> kTypes[] = {
    {"unsigned long long", "uint64"},
    {"unsigned long", "uint64"},
    {"unsigned short", "uint16"},
    {"unsigned char", "uint8"},
    {"unsigned int", "uint32"},
    {"long long", "int64"},
    {"float", "float"},
    {"float2", "float"},
    {"float3", "float"},
    {"float4", "float"},
    {"cuFloatComplex", "float"},
    {"cuComplex", "float"},
    {"double", "double"},
    {"double2", "double"},
    {"double4", "double"},
    {"cuDoubleComplex", "double"},
    {"__half", "half"},
    {"half", "half"},
    {"__half2", "half"},
    {"half2", "half"},
    {"__nv_bfloat16", "bfloat16"},
    {"unsigned", "uint32"},
    {"int", "int32"},
    {"int2", "int32"},
    {"int3", "int32"},
    {"int4", "int32"},
    {"uint", "uint32"},
    {"uint2", "uint32"},
    {"uint4", "uint32"},
    {"short", "int16"},
    {"long", "int64"},
    {"char", "int8"},
    {"uchar4", "uint8"},
    {"uint8_t", "uint8"},
    {"int8_t", "int8"},
    {"uint16_t", "uint16"},
    {"int16_t", "int16"},
    {"uint32_t", "uint32"},
    {"int32_t", "int32"},
    {"uint64_t", "uint64"},
    {"int64_t", "int64"},
    {"size_t", "uint64"},
};

std::string kind_named(const std::string& type) {
  const auto* const known = std::ranges::find_if(kTypes, [&type](const auto& pair) { return type == pair.first; });
  return known != std::end(kTypes) ? known->second : "";
}

/// "unsigned long long|…|float|…", for a regular expression.
const std::string& type_pattern() {
  static const std::string pattern = [] {
    std::string joined;
    for (const auto& [name, kind] : kTypes) joined += (joined.empty() ? "" : "|") + std::string(name);
    return joined;
  }();
  return pattern;
}

std::string spaced_once(std::string text) {
  return std::regex_replace(text, std::regex("\\s+"), " ");
}

/// The files that a text includes, as written.
std::vector<std::string> included(const std::string& text) {
  static const std::regex include("^[ \\t]*#[ \\t]*include[ \\t]*[<\"]([^>\"]+)[>\"]");
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (line.find("include") != std::string::npos && std::regex_search(line, found, include)) names.push_back(found[1]);
  }
  return names;
}

std::vector<std::string> folders_of(const nvcc::Options& program) {
  std::vector<std::string> folders;
  for (const std::string& word : program.preprocessing) {
    if (word.starts_with("-I")) folders.push_back(word.substr(2));
  }
  return folders;
}

void read_file(const std::string& path, const std::vector<std::string>& folders, Sources& to) {
  const std::string plain = fs::path(path).lexically_normal().string();
  if (to.files.size() == kMostFiles || std::ranges::count(to.files, plain, &Sources::File::path) != 0) return;
  to.files.push_back({plain, nvcc::content_of(plain)});
  const std::string text = to.files.back().text;
  for (const std::string& name : included(text)) {
    std::vector<std::string> places{fs::path(plain).parent_path().string()};
    places.insert(places.end(), folders.begin(), folders.end());
    for (const std::string& folder : places) {
      const fs::path candidate = fs::path(folder) / name;
      std::error_code failure;
      if (!fs::is_regular_file(candidate, failure)) continue;
      read_file(candidate.string(), folders, to);
      break;
    }
  }
}

/// The call at a line of a file, up to its semicolon.
std::string call_at(const std::string& place, const Sources& sources, std::string* text) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos) return {};
  const std::string path = fs::path(place.substr(0, colon)).lexically_normal().string();
  const auto line = base::parse_number(std::string_view(place).substr(colon + 1));
  for (const Sources::File& file : sources.files) {
    if (fs::path(file.path).filename() != fs::path(path).filename() || !line) continue;
    std::size_t begin = 0;
    for (std::uint64_t skipped = 1; skipped < *line && begin != std::string::npos; ++skipped) {
      begin = file.text.find('\n', begin);
      if (begin != std::string::npos) ++begin;
    }
    if (begin == std::string::npos) continue;
    *text = file.text;
    return file.text.substr(begin, file.text.find(';', begin) - begin);
  }
  return {};
}

/// What a variable of this name points to or holds, by its declaration.
std::string declared_type(const std::string& name, const std::string& text) {
  if (name.empty()) return {};
  const std::string tail =
      "(?:\\s+const)?(?:\\s*>\\s*|\\s*\\*+\\s*(?:const\\s+|__restrict__\\s+)?|\\s+)(?:\\w+\\s*,\\s*\\*?\\s*)*";
  const std::regex declaration("\\b(" + type_pattern() + ")" + tail + name + "\\b");
  std::smatch found;
  if (!std::regex_search(text, found, declaration)) return {};
  return kind_named(spaced_once(found[1]));
}

/// The arguments of a call of cudaMemcpy or of one of its forms that name memory; nothing if it is no such call.
std::string pointers_of(const std::string& call) {
  const std::size_t name = std::min(call.find("cudaMemcpy"), call.size());
  const std::size_t open = call.find('(', name);
  if (open == std::string::npos) return {};
  const bool pitched = call.compare(name, 12, "cudaMemcpy2D") == 0;  // a pitch follows each pointer
  std::string pointers;
  int depth = 0;
  int argument = 0;
  for (const char c : call.substr(open)) {
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (depth == 0) break;
    argument += c == ',' && depth == 1;
    if (argument == 0 || argument == (pitched ? 2 : 1)) pointers += c;
  }
  return pointers;
}

}  // namespace

Sources read_sources(const nvcc::Options& program) {
  Sources sources;
  const std::vector<std::string> folders = folders_of(program);
  for (const std::string& input : program.inputs) read_file(input, folders, sources);
  std::uint64_t hash = warpfiber::crosscheck::kHashOfNothing;
  for (const Sources::File& file : sources.files) {
    hash = warpfiber::crosscheck::hash_of(file.text.data(), file.text.size() + 1, hash);
  }
  sources.hash = fmt::format("{:016x}", hash);
  for (const std::string& word : program.preprocessing) {
    if (!word.starts_with("-D") && !word.starts_with("-U")) continue;
    sources.options += (sources.options.empty() ? "" : " ") + word;
  }
  return sources;
}

bool mention(const Sources& sources, const char* text) {
  return std::ranges::any_of(sources.files,
                             [text](const Sources::File& file) { return file.text.find(text) != std::string::npos; });
}

std::string type_of(const Copy& copy, const Sources& sources) {
  if (!copy.type.empty()) return copy.type;
  std::string text;
  const std::string call = spaced_once(call_at(copy.place, sources, &text));
  std::smatch found;
  static const std::regex size_of("sizeof\\s*\\(\\s*(" + type_pattern() + ")\\s*\\)");
  if (std::regex_search(call, found, size_of)) return kind_named(spaced_once(found[1]));
  if (call.find("sizeof(") != std::string::npos || call.find("sizeof (") != std::string::npos) {
    static const std::regex size_of_variable("sizeof\\s*\\(\\s*(\\w+)\\s*\\)");
    return std::regex_search(call, found, size_of_variable) ? declared_type(found[1], text) : std::string();
  }
  static const std::regex name("[A-Za-z_]\\w*");
  const std::string pointers = pointers_of(call);
  for (std::sregex_iterator at(pointers.begin(), pointers.end(), name); at != std::sregex_iterator(); ++at) {
    const std::string type = declared_type(at->str(), text);
    if (!type.empty()) return type;
  }
  return {};
}

}  // namespace warpfiber::tools::crosscheck

// SPDX-License-Identifier: Apache-2.0
//
// For each header there are two files: cuda_runtime-HASH.ii, which begins with a comment about the compiler and its
// options, and cuda_runtime-HASH.pch. clang++ needs both, and HASH is that of the first.
#include "tools/nvcc/regions/precompiled.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/regions/unit.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::nvcc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "cuda_runtime-";  // of files in the folder begin with this; others are not touched

/// A line `# 12 "file.h" 1`: where the next line of the text comes from, and whether a file begins (1) or is gone back
/// to (2) there.
struct Marker {
  std::string_view file;
  char flag = ' ';
};

Marker marker_of(std::string_view line) {
  const std::size_t open = line.find('"');
  const std::size_t close = line.rfind('"');
  if (!line.starts_with("# ") || open == close) return {};
  const std::string_view flags = line.substr(close + 1);
  return {line.substr(open + 1, close - open - 1), flags.size() > 1 ? flags[1] : ' '};
}

/// Places in a text: of the first marker with this flag that is in (or out of) a file of the command line's, and of
/// what is behind its line.
struct MarkerLine {
  std::size_t begin = std::string::npos;
  std::size_t end = std::string::npos;
  bool is_found() const { return begin != std::string::npos; }
};

MarkerLine find_marker(std::string_view text, std::size_t from, char flag, bool in_file) {
  for (std::size_t begin = from; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const Marker marker = marker_of(text.substr(begin, end - begin - 1));
    if (marker.flag == flag && marker.file.starts_with('<') != in_file) return {begin, end};
    begin = end;
  }
  return {};
}

std::string in_unnamed_namespace(const std::string& text) {
  return "namespace { " + text + " }\n";
}

/// What the compiler's result depends on besides the text.
std::string described(const std::vector<std::string>& compile, const std::string& input, const std::string& output) {
  std::error_code unknown;
  const fs::path compiler = fs::canonical(program_path(compile.front()), unknown);
  std::string text = fmt::format("// {} {} {}", compiler.string(), fs::file_size(compiler, unknown),
                                 fs::last_write_time(compiler, unknown).time_since_epoch().count());
  for (const std::string& word : compile) {
    if (word == input || word == output) continue;
    text += " " + (word.starts_with('@') ? content_of(word.substr(1)) : word);
  }
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\\', '/');  // which would go on with the comment in the next line
  return text + "\n";
}

/// Whether nobody else can have put text there, or can put some.
bool is_own(const std::string& path) {
  struct stat known {};
  return ::stat(path.c_str(), &known) == 0 && known.st_uid == ::geteuid() && (known.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Makes the folder, for this user alone, or finds it. False with a line where it cannot be trusted.
bool is_ready(const std::string& folder) {
  std::error_code failure;
  fs::create_directories(fs::path(folder).parent_path(), failure);
  ::mkdir(folder.c_str(), 0700);
  if (is_own(folder)) return true;
  static std::once_flag said;
  if (fs::exists(folder, failure)) {
    std::call_once(said, [&folder] {
      say("nvcc", folder +
                      ": not used for precompiled headers: others can write to it; chmod go-w, or set "
                      "WARPFIBER_CACHE to a folder of your own");
    });
  }
  return false;
}

}  // namespace

CutText cut_behind_header(const std::string& translated, const std::string& unit) {
  const std::string type = std::string("const unsigned long long ") + kUnitName;
  const std::string declared = in_unnamed_namespace("extern " + type + ";");
  const std::string defined = in_unnamed_namespace(type + " = " + unit + ";");
  const MarkerLine begin = find_marker(translated, 0, '1', true);
  const MarkerLine end = begin.is_found() ? find_marker(translated, begin.end, '2', false) : MarkerLine{};
  if (!end.is_found()) return {declared, defined + translated};
  // Behind the header no file is open that could be gone back to.
  std::string marker = translated.substr(end.begin, end.end - end.begin);
  marker.resize(marker.rfind('"') + 1);
  return {declared + translated.substr(begin.begin, end.begin - begin.begin),
          defined + translated.substr(0, begin.begin) + marker + "\n" + translated.substr(end.end)};
}

std::string cache_folder() {
  const auto value = [](const char* name) {
    const char* text = std::getenv(name);
    return std::string(text != nullptr ? text : "");
  };
  if (const std::string own = value("WARPFIBER_CACHE"); !own.empty()) return own == "off" ? std::string() : own;
  if (const std::string caches = value("XDG_CACHE_HOME"); caches.starts_with('/')) return caches + "/warpfiber";
  const std::string home = value("HOME");
  return home.empty() ? home : home + "/.cache/warpfiber";
}

std::string PrecompiledHeaders::find_or_make(const std::string& header, const std::vector<std::string>& compile,
                                             const std::string& input, const std::string& output) const {
  if (folder_.empty() || program_path(compile.front()).empty() || !is_ready(folder_)) return {};
  const std::string text = described(compile, input, output) + header;
  const std::string stem = fmt::format("{}/{}{}", folder_, kPrefix, unit_of(text));
  const std::string precompiled = stem + ".pch";
  std::error_code failure;
  const bool is_known = is_own(precompiled) && is_own(stem + ".ii") && content_of(stem + ".ii") == text;
  if (!is_known) {
    // Another's file, in whose place a new one comes.
    for (const char* ending : {".pch", ".ii"}) fs::remove(stem + ending, failure);
    return make(text, stem, compile, input, output) ? precompiled : std::string();
  }
  fs::last_write_time(precompiled, fs::file_time_type::clock::now(), failure);
  return precompiled;
}

bool PrecompiledHeaders::make(const std::string& text, const std::string& stem, std::vector<std::string> compile,
                              const std::string& input, const std::string& output) const {
  std::error_code failure;
  const std::string own = stem + "." + std::to_string(::getpid());
  // Renamed, so that others see whole files; what several write at the same time is the same.
  const auto put = [&](const char* ending) {
    fs::permissions(own + ending, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove, failure);
    fs::rename(own + ending, stem + ending, failure);
    return !failure;
  };
  const auto give_up = [&] {
    for (const std::string& file : {own + ".ii", own + ".pch", stem + ".ii"}) fs::remove(file, failure);
    return false;
  };
  if (!write_content(own + ".ii", text) || !put(".ii")) return give_up();
  std::ranges::replace(compile, input, stem + ".ii");
  std::ranges::replace(compile, output, own + ".pch");
  compile.insert(compile.end(), {"-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp"});
  if (run(compile, {.silent = true}) != 0 || !put(".pch")) return give_up();
  remove_oldest();
  return true;
}

void PrecompiledHeaders::remove_oldest() const {
  std::error_code failure;
  std::map<fs::path, fs::file_time_type> used;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, failure)) {
    fs::path stem = entry.path();
    if (!stem.filename().string().starts_with(kPrefix)) continue;
    // Of compilers that were killed: a file that nobody has renamed.
    const bool is_unfinished = stem.extension() == ".tmp" || stem.stem().extension() != "";
    if (is_unfinished && entry.last_write_time(failure) < fs::file_time_type::clock::now() - std::chrono::hours(24)) {
      fs::remove(stem, failure);
      continue;
    }
    // The clock of files begins in the future.
    fs::file_time_type& last = used.try_emplace(stem.replace_extension(), fs::file_time_type::min()).first->second;
    last = std::max(last, entry.last_write_time(failure));
  }
  std::vector<std::pair<fs::file_time_type, fs::path>> order;
  for (const auto& [stem, last] : used) order.emplace_back(last, stem);
  std::ranges::sort(order, std::greater());
  for (std::size_t i = kMost; i < order.size(); ++i) {
    for (const char* ending : {".pch", ".ii"}) fs::remove(order[i].second.string() + ending, failure);
  }
}

std::vector<std::string> behind(const std::string& precompiled) {
  return {"-Xclang", "-include-pch", "-Xclang", precompiled};
}

}  // namespace warpfiber::tools::nvcc

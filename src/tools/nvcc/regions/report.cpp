// SPDX-License-Identifier: Apache-2.0
//
// From the plugin's lines to those for the user, and from two tables of symbols to what one object needs of the other.
#include "tools/nvcc/regions/report.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <sstream>

namespace warpfiber::tools::nvcc {
namespace {

/// Where a kernel's name begins in "a b.cu:12 sum(int*) 3 8": behind the first blank that follows a line's
/// number.
std::size_t begin_of_name(const std::string& line) {
  for (std::size_t blank = line.find(' '); blank != std::string::npos; blank = line.find(' ', blank + 1)) {
    const std::size_t digits = line.find_last_not_of("0123456789", blank - 1) + 1;
    if (blank > 0 && digits < blank && digits > 0 && line[digits - 1] == ':') return blank + 1;
  }
  return line.size();
}

/// "a.cu:12: kernel sum(int*) runs as 3 regions, 8 bytes kept for each thread" of "a.cu:12 sum(int*) 3 8".
std::string made_line(const std::string& line) {
  const std::size_t name = begin_of_name(line);
  const std::size_t bytes = line.rfind(' ');
  const std::size_t count = bytes == std::string::npos || bytes == 0 ? bytes : line.rfind(' ', bytes - 1);
  if (name == line.size() || count == std::string::npos || count < name) return line;
  const auto counted = [](const std::string& number, const char* what) {
    return number + what + (number == " 1" ? "" : "s");
  };
  return line.substr(0, name - 1) + ": kernel " + line.substr(name, count - name) + " runs as" +
         counted(line.substr(count, bytes - count), " region") + "," + counted(line.substr(bytes), " byte") +
         " kept for each thread";
}

std::string refused_line(const std::string& line) {
  const std::size_t name = begin_of_name(line);
  const std::size_t reason = line.rfind(": ");
  if (name == line.size() || reason == std::string::npos || reason < name) return line;
  return line.substr(0, name - 1) + ": kernel " + line.substr(name, reason - name) + " runs on fibers" +
         line.substr(reason);
}

struct Known {
  unsigned definitions = 0;
  bool is_local = false;
  bool is_undefined = false;
};

std::map<std::string, Known, std::less<>> by_name(const std::vector<ObjectSymbol>& symbols) {
  std::map<std::string, Known, std::less<>> names;
  for (const ObjectSymbol& symbol : symbols) {
    Known& known = names[symbol.name];
    if (!symbol.is_defined) {
      known.is_undefined = true;
    } else {
      ++known.definitions;
      known.is_local = symbol.is_local;
    }
  }
  return names;
}

/// Of a static variable in an unnamed namespace g++ says twice that it is local, clang++ once: _ZN12_GLOBAL__N_1L1nE,
/// _ZN12_GLOBAL__N_11nE. Empty for all other names.
std::string without_local(std::string name) {
  constexpr std::string_view kUnnamed = "12_GLOBAL__N_1";
  if (!name.starts_with("_Z") || name.find(kUnnamed) == std::string::npos) return {};
  for (std::size_t at = name.find('L'); at != std::string::npos; at = name.find('L', at + 1)) {
    if (at + 1 < name.size() && name[at + 1] >= '0' && name[at + 1] <= '9') name.erase(at, 1);
  }
  return name;
}

std::map<std::string, std::vector<std::string>> by_name_without_local(const std::vector<ObjectSymbol>& symbols) {
  std::map<std::string, std::vector<std::string>> names;
  for (const ObjectSymbol& symbol : symbols) {
    const std::string name = symbol.is_defined && symbol.is_local ? without_local(symbol.name) : std::string();
    if (!name.empty()) names[name].push_back(symbol.name);
  }
  return names;
}

}  // namespace

RegionsReport read_regions_report(std::string_view text) {
  RegionsReport report;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos) continue;
    const std::string kind = line.substr(0, blank);
    const std::string rest = line.substr(blank + 1);
    report.has_made |= kind == "made";
    if (kind == "made") report.kernels.push_back(made_line(rest));
    if (kind == "refused") report.kernels.push_back(refused_line(rest));
    if (kind == "needs") report.needs.push_back(rest);
  }
  return report;
}

NeededSymbols find_needed(const std::vector<std::string>& needs, const std::vector<ObjectSymbol>& second,
                          const std::vector<ObjectSymbol>& first) {
  constexpr std::string_view kMangled = "_Z";
  NeededSymbols found;
  const auto there = by_name(first);
  const auto unnamed = by_name_without_local(first);
  std::set<std::string> wanted(needs.begin(), needs.end());
  for (const auto& [name, symbol] : by_name(second)) {
    const bool is_of_file = there.contains(name) || name.starts_with(kMangled);
    if (symbol.is_undefined && symbol.definitions == 0 && is_of_file) wanted.insert(name);
  }
  for (const std::string& clang_name : wanted) {
    std::string name = clang_name;
    if (const auto same = unnamed.find(without_local(name)); !there.contains(name) && same != unnamed.end()) {
      if (same->second.size() == 1) name = same->second.front();
    }
    if (name != clang_name) found.renamed.emplace_back(clang_name, name);
    const auto listed = there.find(name);
    const Known symbol = listed != there.end() ? listed->second : Known();
    const bool is_there = symbol.definitions == 1 || (symbol.definitions == 0 && symbol.is_undefined);
    if (!is_there && found.missing.empty()) found.missing = name;
    if (symbol.definitions == 1 && symbol.is_local) found.local.push_back(name);
  }
  return found;
}

}  // namespace warpfiber::tools::nvcc

// SPDX-License-Identifier: Apache-2.0
// Source of the letters: nm(1) of GNU binutils.
#include "tools/nvcc/regions/report.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace warpfiber::tools::nvcc {
namespace {

/// Where a kernel's name begins in "a b.cu:12 sum(int*) 3 regions": behind the first blank that follows a line's
/// number.
std::size_t begin_of_name(const std::string& line) {
  for (std::size_t blank = line.find(' '); blank != std::string::npos; blank = line.find(' ', blank + 1)) {
    const std::size_t digits = line.find_last_not_of("0123456789", blank - 1) + 1;
    if (blank > 0 && digits < blank && digits > 0 && line[digits - 1] == ':') return blank + 1;
  }
  return line.size();
}

/// "a.cu:12: kernel sum(int*) runs as 3 regions" of "a.cu:12 sum(int*) 3 regions".
std::string made_line(const std::string& line) {
  const std::size_t name = begin_of_name(line);
  const std::size_t count =
      line.rfind(' ', line.size() - std::min(line.size(), std::string_view(" regions").size() + 1));
  if (name == line.size() || count == std::string::npos || count < name) return line;
  return line.substr(0, name - 1) + ": kernel " + line.substr(name, count - name) + " runs as" + line.substr(count);
}

std::string refused_line(const std::string& line) {
  const std::size_t name = begin_of_name(line);
  const std::size_t reason = line.rfind(": ");
  if (name == line.size() || reason == std::string::npos || reason < name) return line;
  return line.substr(0, name - 1) + ": kernel " + line.substr(name, reason - name) + " runs on fibers" +
         line.substr(reason);
}

bool is_local(char type) {
  constexpr std::string_view kGlobalThough = "uvw";  // unique; weak and undefined
  return std::islower(static_cast<unsigned char>(type)) != 0 && kGlobalThough.find(type) == std::string_view::npos;
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

NeededSymbols find_needed(const std::vector<std::string>& needs, std::string_view listing) {
  NeededSymbols found;
  for (const std::string& symbol : needs) {
    std::istringstream lines{std::string(listing)};
    unsigned count = 0;
    bool is_local_here = false;
    std::string name;
    for (std::string type, rest; lines >> name >> type && std::getline(lines, rest);) {
      if (name != symbol) continue;
      ++count;
      is_local_here = is_local(type.front());
    }
    if (count != 1 && found.missing.empty()) found.missing = symbol;
    if (count == 1 && is_local_here) found.local.push_back(symbol);
  }
  return found;
}

}  // namespace warpfiber::tools::nvcc

// SPDX-License-Identifier: Apache-2.0
//
// Two ways are compared from the kernel on: the first line that differs is in a function of both.
#include "report/fixes/ways.hpp"

#include <algorithm>

#include "report/fixes/finding_lines.hpp"
#include "symbols/user_code.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::Place;

/// The calls that lead to a party's access and the access, outermost first; of the program's own code, if any is.
std::vector<Place> way_to(const record::Party& party) {
  std::vector<Place> way(party.stack.rbegin(), party.stack.rend());
  way.push_back(party.place);
  const auto library = std::ranges::find_if(way, [](const Place& one) { return symbols::is_cuda_library(one.file); });
  if (library != way.begin()) way.erase(library, way.end());
  return way;
}

}  // namespace

LinesOfFunction lines_in_one_function(const Finding& finding) {
  const std::vector<Place> one = way_to(finding.parties[0]);
  const std::vector<Place> other = way_to(finding.parties[1]);
  std::vector<Place> callers;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
    const bool known = one[i].known() && other[i].known() && is_same_file(one[i].file, other[i].file);
    if (!known) break;
    if (one[i].line != other[i].line) return {one[i], other[i], callers};
    callers.push_back(one[i]);
  }
  if (!callers.empty() && one.size() == other.size()) callers.pop_back();
  return {one.back(), other.back(), callers};
}

}  // namespace warpfiber::report

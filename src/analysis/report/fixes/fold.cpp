// SPDX-License-Identifier: Apache-2.0
//
// Races that one change mends are one finding.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/fixes/fix.hpp"
#include "report/fixes/source/source_words.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::Party;

constexpr std::size_t kMostParties = 12;

bool are_one_defect(const Finding& one, const Finding& other) {
  const auto is_exact = [](const Finding& of) { return of.order.has_value() && of.order->fix_is_exact; };
  return is_exact(one) && is_exact(other) && one.verdict == other.verdict && one.severity == other.severity &&
         one.fix == other.fix;
}

bool are_of_one_variable(const Finding& one, const Finding& other) {
  const auto name = [](const Finding& of) { return of.object ? variable_of(of.object->name) : std::string_view(); };
  return name(one) == name(other);
}

/// The finding names one object; a party with another one names its own.
void name_object(Party& party, const record::ObjectFacts& object) {
  std::string value = party.object.has_value() ? std::move(party.object->value) : std::string();
  party.object = object;
  party.object->value = std::move(value);
}

void say_that_there_are_more(Finding& lead) {
  constexpr std::string_view kTwo = "these two accesses";
  if (const std::size_t at = lead.why.find(kTwo); at != std::string::npos)
    lead.why.replace(at, kTwo.size(), "these accesses");
}

void fold_into(Finding& lead, Finding other) {
  lead.repeats += other.repeats;
  if (lead.parties.size() + other.parties.size() > kMostParties) {
    ++lead.repeats;
    return;
  }
  const bool same_object = are_of_one_variable(lead, other);
  for (Party& party : other.parties) {
    if (!same_object && other.object.has_value()) name_object(party, *other.object);
    lead.parties.push_back(std::move(party));
  }
  say_that_there_are_more(lead);
}

}  // namespace

void fold_races(std::vector<Finding>& findings) {
  std::vector<Finding> folded;
  for (Finding& finding : findings) {
    const auto lead =
        std::ranges::find_if(folded, [&finding](const Finding& one) { return are_one_defect(one, finding); });
    if (lead == folded.end()) {
      folded.push_back(std::move(finding));
    } else {
      fold_into(*lead, std::move(finding));
    }
  }
  findings = std::move(folded);
}

}  // namespace warpfiber::report

// SPDX-License-Identifier: Apache-2.0
//
// Findings as JSON. Keys stand in the order in which they are written here.
#include "report/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/text.hpp"
#include "report/catalogue/catalogue.hpp"
#include "report/names.hpp"
#include "report/text.hpp"

namespace warpfiber::report {
namespace {

using OrderedJson = nlohmann::ordered_json;
using record::Finding;
using record::LaunchFacts;
using record::Members;
using record::ObjectFacts;
using record::Party;
using record::Place;
using record::Role;

constexpr int kVersion = 1;
constexpr std::size_t kMostTests = 100;  // that are named at a finding

/// In the order of Severity.
constexpr std::array<std::string_view, 3> kSeverityWords{"error", "warning", "info"};

/// In the order of Role.
constexpr std::array<std::string_view, 15> kRoles{"wait", "spin",     "not-started", "exited",  "call",
                                                  "read", "write",    "access",      "throw",   "assert",
                                                  "trap", "overflow", "make",        "convert", "run"};
static_assert(kRoles.size() == static_cast<std::size_t>(Role::run) + 1);

/// In the order of TestOutcome.
constexpr std::array<std::string_view, 4> kOutcomes{"running", "passed", "failed", "skipped"};
static_assert(kOutcomes.size() == static_cast<std::size_t>(TestOutcome::skipped) + 1);

void set_if(OrderedJson& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

OrderedJson to_json(const base::Triple& t) {
  return OrderedJson::array({t.x, t.y, t.z});
}

OrderedJson to_json(const std::vector<record::Run>& runs) {
  OrderedJson json = OrderedJson::array();
  for (const record::Run& run : runs) json.push_back(OrderedJson::array({to_json(run.first), to_json(run.last)}));
  return json;
}

void set_place(OrderedJson& json, const Place& place) {
  json["file"] = place.known() ? OrderedJson(place.file) : OrderedJson();
  json["line"] = place.known() ? OrderedJson(place.line) : OrderedJson();
  set_if(json, "function", place.function);
}

void set_members(OrderedJson& json, const Members& members, const LaunchFacts& launch) {
  constexpr std::array kUnits{"thread", "block", "host"};  // in the order of Unit
  json["unit"] = kUnits[static_cast<std::size_t>(members.unit)];
  json["count"] = members.count;
  if (!members.blocks.empty()) json["blocks"] = to_json(members.blocks);
  if (members.whole_blocks) json["whole_blocks"] = true;
  if (!members.threads.empty()) json["threads"] = to_json(members.threads);
  if (!members.lanes) return;
  json["warp"] = members.lanes->warp;
  json["lanes"] = base::mask_text(members.lanes->mask, launch.warp_size);
}

OrderedJson to_json(const ObjectFacts& object, const LaunchFacts& launch) {
  OrderedJson json = OrderedJson::object();
  set_if(json, "name", object.name);
  set_if(json, "type", object.type);
  set_if(json, "space", object.space);
  if (object.address != 0) json["address"] = fmt::format("0x{:x}", object.address);
  set_if(json, "value", object.value);
  if (object.bytes) {
    json["offset"] = static_cast<std::int64_t>(object.bytes->offset);
    json["size"] = object.bytes->size;
    if (object.bytes->extent != 0) json["extent"] = object.bytes->extent;
  }
  if (object.declared.known()) set_place(json["declared"], object.declared);
  if (object.freed.known()) set_place(json["freed"], object.freed);
  if (object.last_write) {
    set_place(json["last_write"], object.last_write->place);
    set_members(json["last_write"], object.last_write->who, launch);
  }
  return json;
}

OrderedJson to_json(const LaunchFacts& launch) {
  return {{"kernel", launch.kernel},
          {"grid", to_json(launch.grid)},
          {"block", to_json(launch.block)},
          {"cluster", to_json(launch.cluster)},
          {"static_shared", launch.static_shared},
          {"dynamic_shared", launch.dynamic_shared},
          {"cooperative", launch.cooperative},
          {"warp_size", launch.warp_size},
          {"device", launch.device}};
}

OrderedJson to_json(const Party& party, const LaunchFacts& launch, SourceText& sources) {
  OrderedJson json = OrderedJson::object();
  set_place(json, party.place);
  json["role"] = role_name(party.role);
  set_if(json, "who", who_text(party.who, launch));
  set_if(json, "operation", party.what);
  const auto line = party.place.known() ? sources.line(party.place.file, party.place.line) : std::nullopt;
  if (line) set_if(json, "source", quote(*line));
  set_members(json, party.who, launch);
  set_if(json, "detail", party.detail);
  set_if(json, "kernel", party.kernel);
  if (party.launched.known()) set_place(json["launched"], party.launched);
  if (party.object) json["object"] = to_json(*party.object, launch);
  for (const ObjectFacts& object : party.further) json["further_objects"].push_back(to_json(object, launch));
  for (const Place& caller : party.stack) set_place(json["stack"].emplace_back(), caller);
  for (const std::vector<Place>& stack : party.other_stacks) {
    OrderedJson& other = json["other_stacks"].emplace_back(OrderedJson::array());
    for (const Place& caller : stack) set_place(other.emplace_back(), caller);
  }
  return json;
}

OrderedJson cycle_to_json(const Finding& finding) {
  OrderedJson json = OrderedJson::array();
  for (const record::CycleStep& step : finding.cycle) {
    json.push_back({{"site", step.party}});
    set_if(json.back(), "over", step.over);
  }
  return json;
}

/// Each way to mend it, as the lines that it adds to the source.
OrderedJson insertions_to_json(const Finding& finding) {
  OrderedJson json = OrderedJson::array();
  for (const std::vector<record::Insertion>& way : finding.insertions) {
    OrderedJson& lines = json.emplace_back(OrderedJson::array());
    for (const record::Insertion& one : way)
      lines.push_back({{"file", one.file}, {"after_line", one.line}, {"text", one.text}});
  }
  return json;
}

OrderedJson to_json(const Finding& finding, SourceText& sources) {
  OrderedJson json = {{"id", id_of(finding.verdict)},
                      {"severity", kSeverityWords[static_cast<std::size_t>(finding.severity)]},
                      {"meaning", entry_of(finding.verdict).meaning},
                      {"kernel", finding.launch.kernel},
                      {"launch", to_json(finding.launch)}};
  if (finding.object) json["object"] = to_json(*finding.object, finding.launch);
  json["sites"] = OrderedJson::array();
  for (const Party& party : finding.parties) json["sites"].push_back(to_json(party, finding.launch, sources));
  if (!finding.cycle.empty()) json["cycle"] = cycle_to_json(finding);
  set_if(json, "why", finding.why);
  set_if(json, "fix", finding.fix);
  if (!finding.insertions.empty()) json["insertions"] = insertions_to_json(finding);
  set_if(json, "again", finding.again);
  set_if(json, "compute_sanitizer", finding.sanitizer_term);
  json["repeats"] = finding.repeats;
  json["text"] = render_text(finding, sources);
  return json;
}

OrderedJson tests_to_json(const std::vector<ProgramTest>& tests) {
  OrderedJson json = OrderedJson::array();
  for (const ProgramTest& test : tests) {
    json.push_back(
        {{"suite", test.suite}, {"name", test.name}, {"outcome", kOutcomes[static_cast<std::size_t>(test.outcome)]}});
  }
  return json;
}

void set_tests(OrderedJson& json, const std::vector<ProgramTest>& tests, const std::vector<std::size_t>& found_in) {
  for (std::size_t i = 0; i < std::min(found_in.size(), kMostTests); ++i) {
    const ProgramTest& test = tests[found_in[i]];
    json["tests"].push_back({{"suite", test.suite}, {"name", test.name}});
  }
}

bool has_object(const OrderedJson& json) {
  return json.is_object() || (json.is_array() && std::ranges::any_of(json, has_object));
}

/// Indented like OrderedJson::dump, but lists of numbers stay on one line: coordinates would fill the page.
std::string indented(const OrderedJson& json, std::size_t depth = 0) {
  if (!has_object(json)) return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  const std::string margin(2 * depth + 2, ' ');
  std::string text;
  for (const auto& item : json.items()) {
    text += (text.empty() ? "\n" : ",\n") + margin;
    if (json.is_object()) text += OrderedJson(item.key()).dump() + ": ";
    text += indented(item.value(), depth + 1);
  }
  const std::string_view brackets = json.is_object() ? "{}" : "[]";
  return fmt::format("{}{}\n{}{}", brackets[0], text, std::string(2 * depth, ' '), brackets[1]);
}

}  // namespace

std::string_view role_name(Role role) {
  return kRoles[static_cast<std::size_t>(role)];
}

std::string render_json(std::span<const Finding> findings, SourceText& sources, const Coverage& coverage) {
  OrderedJson document = {{"schema", kSchema},
                          {"tool", "warpfiber"},
                          {"version", kVersion},
                          {"hooks", coverage.hooks},
                          {"launches", coverage.launches},
                          {"suppressed", coverage.suppressed},
                          {"unlisted", coverage.unlisted},
                          {"findings", OrderedJson::array()}};
  if (!coverage.tests.empty()) document["tests"] = tests_to_json(coverage.tests);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    OrderedJson& json = document["findings"].emplace_back(to_json(findings[i], sources));
    if (i < coverage.found_in.size()) set_tests(json, coverage.tests, coverage.found_in[i]);
  }
  return indented(document) + '\n';
}

}  // namespace warpfiber::report

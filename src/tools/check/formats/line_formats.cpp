// SPDX-License-Identifier: Apache-2.0
//
// A finding is at its first site that has a line. What is said of it is the same in both formats.
#include "tools/check/formats/line_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace warpfiber::tools::check {
namespace {

bool has_line(const Json& site) {
  return site["file"].is_string();
}

/// The first site that has a line; null: none has.
const Json* first_place(const Json& finding) {
  const auto found = std::ranges::find_if(finding["sites"], has_line);
  return found == finding["sites"].end() ? nullptr : &*found;
}

std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string line_text(const Json& finding) {
  const Json* const place = first_place(finding);
  const std::string role = place == nullptr ? std::string() : role_text(*place);
  return in_one_line(finding["meaning"].get<std::string>() + (role.empty() ? "" : ", " + role));
}

/// "app.cu:15: "; where there is no line, the command is named.
std::string gcc_place(const Json* site, const std::string& folder) {
  if (site == nullptr) return "warpfiber: ";
  return fmt::format("{}:{}: ", path_below((*site)["file"].get<std::string>(), folder), (*site)["line"].dump());
}

/// What else is said of a finding: at its other sites, or, with no site, at its place.
struct Note {
  const Json* site;
  std::string text;
};

/// The other sites, the cause, the fix and what became of the fix.
std::vector<Note> notes_of(const Json& finding) {
  std::vector<Note> notes;
  const Json* const place = first_place(finding);
  for (const Json& site : finding["sites"]) {
    if (&site != place && has_line(site)) notes.push_back({&site, role_text(site)});
  }
  const auto add = [&notes](const char* before, const Json& text) {
    notes.push_back({nullptr, before + in_one_line(text.get<std::string>())});
  };
  if (finding.contains("why")) add("", finding["why"]);
  if (finding.contains("fix")) add("fix: ", finding["fix"]);
  if (finding.contains("tried")) add("the fix: ", finding["tried"]["text"]);
  return notes;
}

/// A value of a property may hold neither the character that ends it nor the one that ends all of them.
std::string github_escaped(std::string_view text, bool is_property) {
  std::string escaped;
  for (const char c : text) {
    const bool plain = c != '%' && c != '\r' && c != '\n' && !(is_property && (c == ':' || c == ','));
    escaped += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return escaped;
}

std::string github_line(const Json& finding, const std::string& folder) {
  const Json* const place = first_place(finding);
  const std::string severity = finding["severity"];
  std::string text = line_text(finding);
  for (const auto& [site, note] : notes_of(finding))
    text += '\n' + (site == nullptr ? std::string() : gcc_place(site, folder)) + note;
  std::string properties;
  if (place != nullptr) {
    const std::string path = path_below((*place)["file"].get<std::string>(), folder);
    properties = fmt::format("file={},line={},", github_escaped(path, true), (*place)["line"].dump());
  }
  return fmt::format("::{} {}title={}::{}\n", severity == "info" ? "notice" : severity, properties,
                     github_escaped(finding["id"].get<std::string>(), true), github_escaped(text, false));
}

}  // namespace

std::string render_gcc(const Merged& merged, const std::string& folder) {
  std::string text;
  for (const Json& finding : merged.findings()) {
    const std::string severity = finding["severity"];
    const Json* const place = first_place(finding);
    text += fmt::format("{}{}: {} [{}]\n", gcc_place(place, folder), severity == "info" ? "note" : severity,
                        line_text(finding), finding["id"].get<std::string>());
    for (const auto& [site, note] : notes_of(finding))
      text += fmt::format("{}note: {}\n", gcc_place(site == nullptr ? place : site, folder), note);
  }
  return text;
}

std::string render_github(const Merged& merged, const std::string& folder) {
  std::string text;
  for (const Json& finding : merged.findings()) text += github_line(finding, folder);
  return text;
}

}  // namespace warpfiber::tools::check

// SPDX-License-Identifier: Apache-2.0
// Columns of a terminal, and keys of JSON.
#include "tools/doctor/report.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/text.hpp"
#include "tools/nvcc/processes/ending.hpp"

namespace warpfiber::tools::doctor {
namespace {

constexpr std::string_view kStates[] = {"ok", "missing", "fails", "none"};
constexpr char kIndented[] = "           ";  // under the names

std::string_view word_of(State state) {
  return kStates[static_cast<std::size_t>(state)];
}

void show_line(const std::string& line) {
  std::fprintf(stdout, "%s\n", base::without_controls(line).c_str());
}

/// The first lines, each under the names.
void show_said(const std::string& said) {
  constexpr int kMostLines = 8;
  std::istringstream lines(said);
  int shown = 0;
  for (std::string line; shown < kMostLines && std::getline(lines, line); ++shown)
    show_line(kIndented + std::string("| ") + line);
  if (lines.peek() != std::char_traits<char>::eof()) show_line(kIndented + std::string("| ..."));
}

bool is_in_order(const Examination& check) {
  return !check.required || check.state == State::works;
}

}  // namespace

DoctorReport::DoctorReport(std::string version, std::string prefix, std::string system)
    : version_(std::move(version)), prefix_(std::move(prefix)), system_(std::move(system)) {
  show_line("Warpfiber " + version_ + " in " + prefix_ + (system_.empty() ? "" : ", on " + system_));
}

// After a signal that ends this process, programs fail because of it.
void DoctorReport::begin(const std::string& title) {
  if (nvcc::stopped_by() != 0) return;
  sections_.push_back({title});
  show_line("\n" + title);
  std::fflush(stdout);
}

void DoctorReport::add(Examination check) {
  if (nvcc::stopped_by() != 0) return;
  show_line(fmt::format("  {:<8} {:<20} {}", word_of(check.state), check.name, check.detail));
  if (check.state == State::fails) show_said(check.said);
  if (!check.mend.empty()) show_line(kIndented + std::string("mend: ") + check.mend);
  std::fflush(stdout);
  sections_.back().checks.push_back(std::move(check));
}

std::string DoctorReport::names_of_failed() const {
  std::string names;
  for (const Section& section : sections_) {
    for (const Examination& check : section.checks) {
      if (!is_in_order(check)) names += (names.empty() ? "" : ", ") + check.name;
    }
  }
  return names;
}

bool DoctorReport::all_required_works() const {
  return names_of_failed().empty();
}

void DoctorReport::end() const {
  const std::string failed = names_of_failed();
  show_line("\n" + (failed.empty() ? "all that is required works" : "required, and not working: " + failed));
}

std::string DoctorReport::json() const {
  nlohmann::ordered_json document = {{"schema", "warpfiber-doctor-1"},
                                     {"version", version_},
                                     {"prefix", prefix_},
                                     {"system", system_},
                                     {"ok", all_required_works()}};
  nlohmann::ordered_json checks = nlohmann::ordered_json::array();
  for (const Section& section : sections_) {
    for (const Examination& check : section.checks) {
      checks.push_back({{"section", section.title},
                        {"name", check.name},
                        {"state", word_of(check.state)},
                        {"required", check.required},
                        {"detail", check.detail},
                        {"said", check.said},
                        {"mend", check.mend}});
    }
  }
  document["checks"] = std::move(checks);
  // A compiler may print in any encoding.
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace warpfiber::tools::doctor

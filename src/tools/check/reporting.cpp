// SPDX-License-Identifier: Apache-2.0
//
// Children print to the same terminal, so nothing is kept back in a buffer. Files are written as a whole.
#include "tools/check/reporting.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <utility>
#include <vector>

#include "base/environment.hpp"
#include "base/text.hpp"
#include "report/paint.hpp"
#include "tools/check/formats/junit.hpp"
#include "tools/check/formats/line_formats.hpp"
#include "tools/check/formats/sarif.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::check {
namespace {

constexpr std::size_t kPrinted = 50;  // findings, and lines of the summary

template <class Meaning>
using NamedValue = std::pair<std::string_view, Meaning>;

/// Sets `to` to what the value means; else the text that says which values there are.
template <class Meaning, std::size_t kCount>
std::string read_word(Meaning& to, const std::string& value, const NamedValue<Meaning> (&words)[kCount],
                      const char* allowed) {
  const auto* const word = std::ranges::find(words, value, &NamedValue<Meaning>::first);
  if (word == std::end(words)) return allowed;
  to = word->second;
  return {};
}

/// Where nothing was found: what is to be known of it. A program that returned has finished, whatever it returned.
std::string how_it_failed(const Merged& merged, bool out_of_time) {
  const int status = merged.failure();
  if (status == 0) return {};
  if (out_of_time || merged.signal() != 0) return ", but the program did not finish";
  return fmt::format(", but the program returned {}", status);
}

/// Where nothing was found by several runs: on which schedules it was looked for.
std::string tried(const Merged& merged) {
  if (merged.runs() < 2 || !merged.document().contains("policies")) return {};
  std::vector<std::string> parts;
  for (const auto& [policy, runs] : merged.document()["policies"].items()) {
    const std::string count = base::thousands(runs.get<std::uint64_t>());
    if (policy == "delays") {
      parts.push_back(count + " with delays of single threads");
    } else if (policy == "random random-masks") {
      parts.push_back(count + " random with varied __activemask()");
    } else {
      parts.push_back(count + " " + policy);
    }
  }
  return fmt::format("; schedules: {}", fmt::join(parts, ", "));
}

}  // namespace

std::string read_colour(ReportOptions& to, const std::string& value) {
  constexpr NamedValue<Colour> kWords[] = {
      {"auto", Colour::automatic}, {"always", Colour::always}, {"never", Colour::never}};
  return read_word(to.colour, value, kWords, "auto, always or never");
}

std::string read_format(ReportOptions& to, const std::string& value) {
  constexpr NamedValue<Format> kWords[] = {{"text", Format::text}, {"gcc", Format::gcc}, {"github", Format::github}};
  return read_word(to.format, value, kWords, "text, gcc or github");
}

bool has_colour(const ReportOptions& options) {
  if (options.colour != Colour::automatic) return options.colour == Colour::always;
  return base::wants_colour(STDERR_FILENO);
}

void print_reports(std::string_view subcommand, const Merged& merged, const ReportOptions& options,
                   const std::function<bool(const Json& finding)>& is_asked) {
  const report::Paint paint(has_colour(options));
  std::size_t printed = 0;
  for (const Json& finding : merged.findings()) {
    if (!is_asked(finding) || ++printed > kPrinted) continue;
    const std::string text = finding.value("text", "");
    const std::size_t id = std::min(text.find("  "), text.size());
    std::fprintf(stderr, "\n%s%s", paint(text.substr(0, id), report::ink::kError).c_str(), text.c_str() + id);
  }
  if (printed > kPrinted)
    tools::say(subcommand, fmt::format("and {} of findings", base::counted(printed - kPrinted, "more kind")));
}

void print_seeds(const Merged& merged) {
  if (merged.runs() < 2) return;
  std::fputc('\n', stderr);
  std::size_t printed = 0;
  for (const Json& finding : merged.findings()) {
    if (++printed > kPrinted) break;
    const std::string places = places_of(finding);
    std::fprintf(stderr, "  %s%s%s  first by seed %s, by %s of %s\n", finding["id"].get<std::string>().c_str(),
                 places.empty() ? "" : "  ", places.c_str(), finding["seed"].dump().c_str(),
                 finding["found_in_runs"].dump().c_str(), base::counted(merged.runs(), "run").c_str());
  }
}

void print_lines(const Merged& merged, const ReportOptions& options) {
  if (options.format == Format::text) return;
  const std::string folder = std::filesystem::current_path().string();
  const bool by_gcc = options.format == Format::gcc;
  const std::string lines = by_gcc ? render_gcc(merged, folder) : render_github(merged, folder);
  std::fputs(lines.c_str(), stderr);
}

void summarise(std::string_view subcommand, const Merged& merged, bool out_of_time) {
  std::string kinds;
  for (const char* severity : {"error", "warning"}) {
    const std::size_t count = merged.count(severity);
    if (count != 0) kinds += (kinds.empty() ? "" : ", ") + base::counted(count, severity);
  }
  if (const std::size_t notes = merged.count("info"); notes != 0)
    kinds += (kinds.empty() ? "" : ", ") + base::counted(notes, "note");
  const auto suppressed = merged.document()["suppressed"].get<std::uint64_t>();
  const auto unlisted = merged.document()["unlisted"].get<std::uint64_t>();
  // Nothing is found where nothing was looked at.
  if (kinds.empty() && merged.is_empty() && suppressed == 0) return;
  std::string line = (kinds.empty() ? "nothing found" : kinds) + " in " + base::counted(merged.runs(), "run");
  if (kinds.empty()) line += how_it_failed(merged, out_of_time) + tried(merged);
  if (unlisted != 0) line += fmt::format(", and {}", base::counted(unlisted, "more kind"));
  if (suppressed != 0) line += fmt::format(" ({} suppressed)", base::thousands(suppressed));
  tools::say(subcommand, line);
}

bool write_files(std::string_view subcommand, const Merged& merged, const ReportOptions& options,
                 const std::string& program) {
  const auto write = [subcommand](const std::string& path, auto&& render) {
    return path.empty() || write_file(subcommand, path, render());
  };
  const bool has_json = write(options.json, [&] { return merged.text(); });
  const bool has_sarif = write(options.sarif, [&] {
    const std::string pages = nvcc::find_toolchain(base::own_program()).pages;
    return render_sarif(merged, std::filesystem::current_path().string(), pages);
  });
  const bool has_junit = write(options.junit, [&] { return render_junit(merged, program); });
  return has_json && has_sarif && has_junit;
}

int status_of(const Merged& merged) {
  if (merged.count("error") != 0) return CheckStatus::kFound;
  if (!merged.is_built()) return CheckStatus::kNotBuilt;
  if (merged.failure() != 0) return CheckStatus::kProgramFailed;
  return merged.unchecked().empty() ? 0 : CheckStatus::kUnchecked;
}

}  // namespace warpfiber::tools::check

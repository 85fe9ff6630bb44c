// SPDX-License-Identifier: Apache-2.0
//
// Paths are made absolute, since a program may change its folder. A "%p" in them is the number of a process, so that
// the command does not know the file.
#include "tools/options/run_files.hpp"

#include <sys/stat.h>

#include <filesystem>

#include "report/reasons/reasons.hpp"
#include "tools/options/output.hpp"
#include "trace/watch/expression.hpp"

namespace warpfiber::tools {
namespace {

bool is_pattern(const std::string& path) {
  return path.find("%p") != std::string::npos;
}

std::string variable(const char* name, const std::string& path) {
  return std::string(name) + '=' + std::filesystem::absolute(path).string();
}

FileIdentity identity_of(const std::string& path) {
  struct stat known {};
  if (::stat(path.c_str(), &known) != 0) return {};
  constexpr std::int64_t kSecond = 1'000'000'000;
  return {known.st_dev, known.st_ino, known.st_mtim.tv_sec * kSecond + known.st_mtim.tv_nsec};
}

/// A terminal, a pipe or a device, in which nothing shows what was written.
bool keeps_nothing(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
}

bool is_written(std::string_view subcommand, const std::string& path, const FileIdentity& before, const char* what) {
  if (path.empty() || is_pattern(path) || keeps_nothing(path)) return true;
  const FileIdentity now = identity_of(path);
  if (now != FileIdentity{} && now != before) return true;
  say(subcommand, path + ": no " + what + " was written: no kernel ran, the program ended without its exit handlers, " +
                      "or the file cannot be written");
  return false;
}

}  // namespace

std::string read_trace_file(RunFiles& to, const std::string& value) {
  if (!value.ends_with(".json") && !value.ends_with(".pftrace")) return "the name of a trace ends in .json or .pftrace";
  to.trace = value;
  to.trace_before = identity_of(value);
  return {};
}

std::string read_report_file(RunFiles& to, const std::string& value) {
  to.report = value;
  to.report_before = identity_of(value);
  return {};
}

std::string read_watched(RunFiles& to, const std::string& value) {
  const std::string all = to.watch.empty() ? value : to.watch + ";" + value;
  const auto parsed = trace::parse_watches(all);
  if (parsed.ok()) to.watch = all;
  return report::reason_text(parsed.error());
}

void name_files(RunFiles& files, const std::function<std::string(const std::string&)>& name) {
  files.trace = name(files.trace);
  files.report = name(files.report);
  files.trace_before = identity_of(files.trace);
  files.report_before = identity_of(files.report);
}

std::string complaint_about(const RunFiles& files) {
  if (files.watch.empty() || !files.report.empty()) return {};
  return "--watch needs --report FILE: the page shows the values";
}

std::vector<std::string> variables_of(const RunFiles& files) {
  std::vector<std::string> variables;
  if (!files.trace.empty()) variables.push_back(variable("WARPFIBER_TRACE", files.trace));
  if (!files.report.empty()) variables.push_back(variable("WARPFIBER_REPORT", files.report));
  if (!files.watch.empty()) variables.push_back("WARPFIBER_WATCH=" + files.watch);
  return variables;
}

bool are_written(std::string_view subcommand, const RunFiles& files) {
  const bool has_trace = is_written(subcommand, files.trace, files.trace_before, "trace");
  return is_written(subcommand, files.report, files.report_before, "report") && has_trace;
}

}  // namespace warpfiber::tools

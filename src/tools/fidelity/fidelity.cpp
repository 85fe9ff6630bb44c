// SPDX-License-Identifier: Apache-2.0
//
// Collects the program's files and their headers, leaves out those of toolkits, and prints the rows of the table.
#include "tools/fidelity/fidelity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/text.hpp"
#include "tools/crosscheck/sources.hpp"
#include "tools/manual/help.hpp"
#include "tools/program/program.hpp"

namespace warpfiber::tools::fidelity {
namespace {

namespace fs = std::filesystem;

constexpr int kFailed = 2;

std::string row(const Feature& feature) {
  std::string text = fmt::format("{:<13} {:<50} {}\n", name_of(feature.fidelity), feature.name,
                                 feature.evidence.empty() ? "none" : feature.evidence);
  if (!feature.note.empty()) text += fmt::format("{:<13}   {}\n", "", feature.note);
  return text;
}

std::string table(const std::vector<const Feature*>& rows) {
  std::string text = fmt::format("{:<13} {:<50} {}\n", "fidelity", "feature", "test case");
  for (const Feature* feature : rows) text += row(*feature);
  const auto count = [&rows](Fidelity fidelity) { return std::ranges::count(rows, fidelity, &Feature::fidelity); };
  return text + fmt::format("\n{}: {} exact, {} approximate, {} not modelled\n", base::counted(rows.size(), "feature"),
                            count(Fidelity::exact), count(Fidelity::approximate), count(Fidelity::not_modelled));
}

Reply failed(const std::string& why) {
  return {kFailed, "", "warpfiber fidelity: " + why + "\n"};
}

/// Programs, objects and libraries have zeros in their first bytes, text has none.
bool is_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string head(512, ' ');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head.find('\0') == std::string::npos && !head.starts_with("!<arch>");
}

/// Headers are named as well: to nvcc they are something for the linker.
void take_headers(nvcc::NvccOptions& program) {
  for (const std::string& word : program.linking) {
    if (!word.starts_with('-')) program.inputs.push_back(word);
  }
}

/// CUDA's and Warpfiber's own headers name every feature, and are not the program's.
void leave_out_toolkits(nvcc::NvccOptions& program) {
  std::erase_if(program.preprocessing, [](const std::string& word) {
    if (!word.starts_with("-I")) return false;
    const fs::path folder = word.substr(2);
    std::error_code failure;
    return fs::exists(folder / "cuda_runtime_api.h", failure) ||
           fs::exists(folder / "warpfiber/warpfiber.hpp", failure);
  });
}

}  // namespace

Reply fidelity(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    std::vector<const Feature*> rows;
    for (const Feature& feature : features()) rows.push_back(&feature);
    return {0, table(rows), ""};
  }
  auto parsed = program::parse_program<program::ProgramOptions>("fidelity", {}, arguments);
  if (!parsed.ok()) return failed(parsed.error);
  if (parsed.options.help) return {0, manual::help_of("fidelity"), ""};
  if (parsed.options.version) return {0, manual::version(), ""};
  nvcc::NvccOptions& program = parsed.options.program;
  take_headers(program);
  if (program.inputs.empty()) return failed("name CUDA sources");
  for (const std::string& file : program.inputs) {
    if (!fs::is_regular_file(file)) return failed(file + ": no such file; pass CUDA sources");
    if (!is_text(file)) return failed(file + ": no text; name the CUDA sources that it is built from");
  }
  leave_out_toolkits(program);
  std::vector<std::string> files;
  for (auto& file : crosscheck::read_sources(program).files) files.push_back(std::move(file.text));
  const std::vector<const Feature*> rows = used_in(files);
  if (rows.empty()) return {0, "none of the features that warpfiber fidelity lists is used\n", ""};
  return {0, table(rows), ""};
}

}  // namespace warpfiber::tools::fidelity

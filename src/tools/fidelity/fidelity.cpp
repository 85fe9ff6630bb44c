// SPDX-License-Identifier: Apache-2.0
#include "tools/fidelity/fidelity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "tools/crosscheck/sources.hpp"
#include "tools/fidelity/features.hpp"

namespace warpfiber::tools::fidelity {
namespace {

constexpr int kFailed = 2;

std::string row(const Feature& feature) {
  std::string text = fmt::format("{:<13} {:<50} {}\n", name_of(feature.fidelity), feature.name, feature.evidence);
  while (text.ends_with(" \n")) text.erase(text.size() - 2, 1);
  if (!feature.note.empty()) text += fmt::format("{:<13}   {}\n", "", feature.note);
  return text;
}

std::string table(const std::vector<const Feature*>& rows) {
  std::string text = fmt::format("{:<13} {:<50} {}\n", "fidelity", "feature", "case behind it");
  for (const Feature* feature : rows) text += row(*feature);
  const auto count = [&rows](Fidelity fidelity) { return std::ranges::count(rows, fidelity, &Feature::fidelity); };
  return text + fmt::format("\n{}: {} exact, {} approximate, {} not modelled\n", base::counted(rows.size(), "feature"),
                            count(Fidelity::exact), count(Fidelity::approximate), count(Fidelity::not_modelled));
}

}  // namespace

Reply fidelity(const std::vector<std::string>& files) {
  nvcc::Options program;
  program.inputs = files;
  for (const std::string& file : files) {
    if (!std::filesystem::is_regular_file(file)) {
      return {kFailed, "", fmt::format("warpfiber fidelity: {}: no such file; name CUDA sources\n", file)};
    }
  }
  std::vector<const Feature*> rows;
  if (files.empty()) {
    for (const Feature& feature : features()) rows.push_back(&feature);
    return {0, table(rows), ""};
  }
  std::string text;
  for (const auto& file : crosscheck::read_sources(program).files) text += file.text + "\n";
  rows = used_in(text);
  if (rows.empty()) return {0, "none of the features that warpfiber fidelity lists is used\n", ""};
  return {0, table(rows), ""};
}

}  // namespace warpfiber::tools::fidelity

// SPDX-License-Identifier: Apache-2.0
// The parts of exhibit.hpp that need no kernel: accounts and texts.
#include "exhibit.hpp"

#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace gallery {

std::string text(const char* format, ...) {
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  return line;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

std::string Trial::number(double value) {
  const bool whole = value == std::floor(value) && value >= 0 && value < 1e15;
  return whole ? grouped(static_cast<std::uint64_t>(value)) : text("%.6g", value);
}

void Trial::take_options(warpfiber::LaunchConfig& config) const {
  config.device = engine_.device;
  config.workers = engine_.workers;
  config.policy = engine_.policy;
  config.seed = engine_.seed;
  config.convergence = engine_.convergence;
}

void Trial::note_failure(const char* finding, const char* message) {
  failed_ = true;
  record_.finding = finding;
  record_.message = message;
}

Record Trial::conclude(const std::string& result, const std::string& reference, bool same) {
  record_.passed = same && !failed_;
  record_.result = result;
  record_.reference = reference;
  if (failed_) record_.result = record_.finding.empty() ? "not launched" : record_.finding;
  return record_;
}

}  // namespace gallery

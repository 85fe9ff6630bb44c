// SPDX-License-Identifier: Apache-2.0
//
// Fuzz targets: functions that read any bytes as what a user or another process has written, and throw std::logic_error
// where something does not hold that has to hold for every input. libFuzzer calls one of them in a program of its own
// (entry.cpp, preset `fuzz`); the usual suite calls all of them once with the seeds (seeds_test.cpp).
// How a target takes its input apart stands in front of it, so that seeds and what was found can be read and written.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warpfiber::fuzz_targets {

void translator(std::string_view input);
void inline_ptx(std::string_view input);
void device_file(std::string_view input);
void recordings(std::string_view input);
void findings(std::string_view input);
void suppressions(std::string_view input);

/// Tells libFuzzer, or the test of the seeds, that an input breaks what a target promises.
inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

/// Whether an input is one of the sixteenth that is also tried repeated().
inline bool is_repeated(std::string_view input) {
  return std::hash<std::string_view>{}(input) % 16 == 0;
}

/// The text as often as it takes to be long: what is not linear in time, or recurses with it, does not survive that.
inline std::string repeated(std::string_view text) {
  constexpr std::size_t kLong = std::size_t{1} << 16;
  std::string all;
  while (all.size() < kLong) all += text;
  return all;
}

/// What is in front of the first line that is `separator`, and what follows it; the second part is empty without one.
struct Parts {
  std::string_view first;
  std::string_view second;
};

inline Parts parts_at(std::string_view input, std::string_view separator) {
  for (std::size_t at = 0; (at = input.find(separator, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + separator.size();
    const bool begins = at == 0 || input[at - 1] == '\n';
    if (begins && (end == input.size() || input[end] == '\n'))
      return {input.substr(0, at), input.substr(end == input.size() ? end : end + 1)};
  }
  return {input, {}};
}

}  // namespace warpfiber::fuzz_targets

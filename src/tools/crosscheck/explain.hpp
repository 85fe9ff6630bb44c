// SPDX-License-Identifier: Apache-2.0
//
// Compares two runs, the simulator's and the GPU's, and says what is different first, in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/crosscheck/comparing.hpp"
#include "tools/crosscheck/copies.hpp"
#include "tools/crosscheck/sources.hpp"

namespace warpfiber::tools::crosscheck {

/// What one side left.
struct RunResult {
  int exit_code = 0;
  std::string output{};
  std::vector<Copy> copies{};
};

/// The first copy that differs.
struct DifferentCopy {
  Copy ours{};
  Likeness likeness{};
};

struct Comparison {
  bool equal = true;
  std::size_t copies = 0;                  // that were compared
  std::size_t bytes = 0;                   // of them
  std::size_t lines = 0;                   // of standard output
  std::size_t reordered = 0;               // buffers whose elements come in another order
  bool reordered_lines = false;            // the same for standard output
  std::size_t tolerated = 0;               // elements and lines that are not the same and within the tolerance
  std::uint64_t largest = 0;               // distance of such elements, in ULP
  std::vector<std::string> differences{};  // sentences; the first of each kind
  std::optional<DifferentCopy> copy{};     // to be explained further
};

/// What counts as equal.
struct Rules {
  std::uint64_t ulp = 0;   // how far apart floats may be
  bool any_order = false;  // buffers may hold the same elements, standard output the same lines in another order
  std::string as{};        // the type of buffers whose own is not known; empty: nothing is known of them
};

/// `sources` give the types of elements.
Comparison compare(const RunResult& simulator, const RunResult& gpu, const Sources& sources, const Rules& rules);

/// Why floats of this program may differ: what of its text is known for it.
std::string reasons(const Sources& sources, bool fast_math);

/// "3 copies (12 KiB) and 4 lines equal", with what was tolerated.
std::string summary(const Comparison& comparison);

}  // namespace warpfiber::tools::crosscheck

// SPDX-License-Identifier: Apache-2.0
// Where in the source a barrier between two accesses is missing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// Lines between which nothing orders two accesses, `after` and `before`.
struct Gap {
  unsigned first = 0;  // of the earlier accesses, and the last of the later ones
  unsigned last = 0;
  unsigned after = 0;
  unsigned before = 0;
  unsigned loop = 0;         // line of the loop that both are in; 0: none
  bool next_turn = false;    // `before` is in the next turn of that loop
  bool both_ways = false;    // and nothing orders the other way round, in the next turn of that loop
  bool one_line = false;     // both accesses are at one line, `after`
  bool checks = false;       // one access is the condition under which the other is made
  unsigned inner_loop = 0;   // line of a loop in which `before` is and the race recurs in each iteration; 0: none
  unsigned last_update = 0;  // from `after` to here each statement reads and writes the variable; 0: not so
  unsigned divided = 0;      // line of a loop or branch around both that threads take differently; 0: none
  bool divided_loop = false;
  bool next_call = false;     // `before` is in the next call of the function, which `loop` makes if it is not 0
  bool is_call = false;       // the lines call what makes the accesses
  unsigned skipped = 0;       // line of a barrier in the loop that some iterations leave out; 0: none
  bool reads_beyond = false;  // of one line: it reads no element that another thread writes in that pass
  unsigned branches = 0;      // line of an if in different branches of which the accesses are; 0: not so
  std::string file{};
  record::PassedBarrier too_narrow{};  // a barrier in the gap that orders too few threads; line 0: none
};

/// The gap between the first two parties; nothing where the lines do not show it.
std::optional<Gap> gap_of(const record::Finding& finding, SourceText& sources);

/// Whether the line reads `variable` again and again until the value changes, and does nothing else in that loop.
bool is_polling(const record::Place& place, std::string_view variable, SourceText& sources);

/// Two lines of one function, and the calls that lead to both.
struct LinesOfFunction {
  record::Place one{};
  record::Place other{};
  std::vector<record::Place> callers{};  // outermost first
};

/// The first lines at which the ways to the first two parties differ, which are in one function; else where they end.
/// Lines of libraries of CUDA code are left out, where the program's own lead to them.
LinesOfFunction lines_in_one_function(const record::Finding& finding);

}  // namespace warpfiber::report

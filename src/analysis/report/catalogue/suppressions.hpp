// SPDX-License-Identifier: Apache-2.0
//
// Findings that a user has looked at and does not want to see again, as lines of a file:
//     # id          kernel      file[:line]
//     race-global   histogram*  src/histogram.cu:41
// Fields are parted by blanks; the id is a verdict or *, kernel and file are patterns of a shell and may be left out.
// A file's pattern is held against the whole path and against its last name, and one site is enough.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "record/finding.hpp"

namespace warpfiber::report {

struct Suppression {
  std::optional<record::Verdict> verdict{};  // none: any
  std::string kernel = "*";
  std::string file = "*";
  unsigned line = 0;  // 0: any

  bool covers(const record::Finding& finding) const;
};

/// The lines of a file in order. `name` is the file's, for the complaint about the first line that makes no sense:
/// "known.txt:3: …".
base::Result<std::vector<Suppression>> parse_suppressions(std::string_view text, const std::string& name);

/// Reads such a file; that it cannot be read is a complaint as well.
base::Result<std::vector<Suppression>> read_suppressions(const std::string& path);

/// Whether one of them covers the finding.
bool is_suppressed(const std::vector<Suppression>& suppressions, const record::Finding& finding);

}  // namespace warpfiber::report

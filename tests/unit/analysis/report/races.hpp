// SPDX-License-Identifier: Apache-2.0
// Races between two lines of a source that a test writes.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/finding.hpp"
#include "report/fixes/fix.hpp"
#include "report/source_text.hpp"

namespace warpfiber::races {

using record::Width;

class Lines final : public report::SourceText {
 public:
  explicit Lines(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  std::optional<std::string> line(const std::string& /*file*/, unsigned line) override {
    if (line == 0 || line > lines_.size()) return std::nullopt;
    return lines_[line - 1];
  }

 private:
  std::vector<std::string> lines_;
};

inline record::Finding race(unsigned write, unsigned read, Width width, std::vector<unsigned> barriers = {}) {
  record::Finding made{.verdict = record::Verdict::race_shared};
  made.parties = {{.role = record::Role::write, .place = {"a.cu", write, 0, "k"}},
                  {.role = record::Role::read, .place = {"a.cu", read, 0, "k"}}};
  record::MissingOrder& order = made.order.emplace();
  order.width = width;
  for (const unsigned line : barriers) order.barriers.push_back({Width::block, {"a.cu", line}});
  return made;
}

inline std::string fix_of(record::Finding finding, Lines& lines) {
  report::explain_races({&finding, 1}, lines);
  return finding.fix;
}

}  // namespace warpfiber::races

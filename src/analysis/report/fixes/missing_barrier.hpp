// SPDX-License-Identifier: Apache-2.0
// Which barrier would order the accesses of a race, and where it may stand.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/finding.hpp"
#include "report/fixes/placement.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

struct MissingBarrier {
  std::string fix{};
  std::vector<std::vector<record::Insertion>> insertions{};  // as of Finding
};

MissingBarrier missing_barrier(const record::Finding& finding, const std::optional<Gap>& gap, SourceText& sources);

}  // namespace warpfiber::report

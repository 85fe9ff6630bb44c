// SPDX-License-Identifier: Apache-2.0
//
// One fixed finding for every kind of report, with the source lines it quotes. Each format has one approved output a
// sample, below tests/golden/report.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report::samples {

/// The source lines that the samples quote.
class Sources final : public SourceText {
 public:
  std::optional<std::string> line(const std::string& file, unsigned line) override;
};

struct Sample {
  std::string name;  // of its approved outputs
  record::Finding finding;
};

/// Every sample, in the order of their names.
std::vector<Sample> all();

/// The sample of that name.
record::Finding find(const std::string& name);

}  // namespace warpfiber::report::samples

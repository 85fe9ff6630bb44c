// SPDX-License-Identifier: Apache-2.0
//
// One fixed finding for every kind of report, with the source lines it quotes. Each format has one approved output a
// sample, below tests/golden/report.
#pragma once

#include <cstdint>
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

/// Every sample.
std::vector<Sample> all();

/// Those about accesses to memory, as checks find them.
std::vector<Sample> accesses();

record::LaunchFacts launch_of(const char* kernel, unsigned grid, unsigned block);

/// The given threads of every block from `first` to `end` - 1.
record::Members threads(const record::LaunchFacts& launch, std::uint64_t first, std::uint64_t end,
                        const std::vector<std::uint64_t>& each);

record::Members one_thread(const record::LaunchFacts& launch, std::uint64_t block, std::uint64_t thread);

/// The sample of that name.
record::Finding find(const std::string& name);

}  // namespace warpfiber::report::samples

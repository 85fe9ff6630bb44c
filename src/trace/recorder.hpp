// SPDX-License-Identifier: Apache-2.0
// The observer of launches that records them for a trace. Accesses need a checked program; blocks, threads, barriers
// and collectives are recorded in any.
#pragma once

#include <memory>

#include "record/observer.hpp"
#include "trace/trace.hpp"

namespace warpfiber::trace {

/// Makes the observers of all launches, which add to one trace.
class TraceFactory final : public record::ObserverFactory {
 public:
  explicit TraceFactory(Trace& trace) : trace_(trace) {}
  std::unique_ptr<record::Observer> make() override;

 private:
  Trace& trace_;
};

/// The blocks that findings of a launch name, a few of each party.
std::vector<std::uint64_t> blocks_of(const record::Finding& finding, const base::Triple& grid);

/// The block of a launch that is kept besides its first and last: another for each launch, and the same in each run.
std::uint64_t sampled_block(std::uint64_t launch, std::uint64_t blocks);

}  // namespace warpfiber::trace

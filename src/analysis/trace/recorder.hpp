// SPDX-License-Identifier: Apache-2.0
// The observer of launches that records them for a trace. Accesses need a checked program; blocks, threads, barriers
// and collectives are recorded in any.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "record/observer.hpp"
#include "trace/trace.hpp"
#include "trace/watch/expression.hpp"

namespace warpfiber::trace {

/// Expressions whose values are recorded at the end of each epoch of a block, and what their names need of others.
struct Watches {
  std::vector<WatchExpression> expressions{};
  std::function<std::string(const void* kernel)> kernel_name{};
  std::function<std::string(const void* kernel)> shared_tag{};  // WatchLaunch::shared_tag
};

/// Makes the observers of all launches, which add to one trace.
class TraceFactory final : public record::ObserverFactory {
 public:
  explicit TraceFactory(Trace& trace, Watches watches = {}) : trace_(trace), watches_(std::move(watches)) {}
  std::unique_ptr<record::Observer> make() override;

 private:
  Trace& trace_;
  Watches watches_;
};

/// The blocks that findings of a launch name, a few of each party.
std::vector<std::uint64_t> blocks_of(const record::Finding& finding, const base::Triple& grid);

/// The block of a launch that is kept besides its first and last: another for each launch, and the same in each run.
std::uint64_t sampled_block(std::uint64_t launch, std::uint64_t blocks);

}  // namespace warpfiber::trace

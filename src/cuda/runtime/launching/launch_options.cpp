// SPDX-License-Identifier: Apache-2.0
// Each text is parsed once; the values go on to prepare(). Extents are cut one after the other, x first, so that their
// product stays within the limit; grids are cut in whole clusters.
#include "runtime/launching/launch_options.hpp"

#include <warpfiber/device.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "check/enable.hpp"
#include "launches/schedules.hpp"
#include "process/exploring/determinism.hpp"
#include "process/settings/checking.hpp"
#include "process/settings/launching.hpp"

namespace warpfiber::runtime {

using record::ReasonKind;

namespace {

/// How many workers were asked for; nothing where there are as many as processors. A schedule that was asked for is to
/// be the same in each run, which it is on one worker.
std::optional<unsigned> asked_workers(const LaunchConfig& config, const process::LaunchSettings& settings,
                                      bool is_checked) {
  if (is_checked || launches::keeps_schedules() || process::recording_in_progress() != nullptr) return 1;
  if (config.workers != 0) return config.workers;
  if (settings.workers_asked) return settings.workers;
  if (settings.schedule_asked || config.seed != 0 || config.policy != nullptr) return 1;
  return std::nullopt;
}

}  // namespace

base::Result<LaunchOptions, record::Reason> parse_options(const LaunchConfig& config, const DeviceModel& model) {
  const process::LaunchSettings& settings = process::launch_settings();
  if (config.warp_size > detail::kMaxWarpSize) {
    return record::Reason{ReasonKind::warp_size_not_supported, config.warp_size};
  }
  LaunchOptions made;
  made.warp_size = config.warp_size != 0 ? config.warp_size : model.warp_size;
  made.stack_bytes = config.stack_bytes != 0 ? config.stack_bytes : settings.stack_bytes;
  made.is_checked = check::enabled() && process::check_settings().check != process::Check::off;
  made.policy = settings.policy;
  if (config.policy != nullptr) {
    const auto parsed = schedule::parse_policy(config.policy);
    if (!parsed.ok()) return parsed.error();
    made.policy = parsed.value();
  }
  made.policy.seed = config.seed != 0 ? config.seed : settings.policy.seed;
  if (made.policy.kind == schedule::PolicyKind::lock_step && !made.is_checked) {
    return record::Reason{ReasonKind::lock_step_without_hooks};
  }
  made.convergence = settings.convergence;
  if (config.convergence != nullptr && !process::parse_convergence(config.convergence, made.convergence)) {
    return record::Reason{ReasonKind::convergence_unknown, config.convergence};
  }
  const std::optional<unsigned> workers = asked_workers(config, settings, made.is_checked);
  made.workers = workers.value_or(settings.workers);
  made.is_repeatable = workers == 1U;
  return made;
}

namespace {

/// At most `left`, in whole `unit`s and at least one; `left` is then what the other extents may have together.
unsigned cut(unsigned extent, unsigned unit, std::uint64_t& left) {
  const std::uint64_t units = std::min<std::uint64_t>(extent, std::max<std::uint64_t>(left, unit)) / unit;
  const auto kept = static_cast<unsigned>(units * unit);
  left = std::max<std::uint64_t>(left / kept, 1);
  return kept;
}

/// 0: any number.
dim3 cut(const dim3& shape, const base::Triple& unit, std::uint64_t most) {
  if (most == 0) return shape;
  const unsigned x = cut(shape.x, static_cast<unsigned>(unit.x), most);
  const unsigned y = cut(shape.y, static_cast<unsigned>(unit.y), most);
  const unsigned z = cut(shape.z, static_cast<unsigned>(unit.z), most);
  return {x, y, z};
}

}  // namespace

LaunchConfig made_smaller(LaunchConfig config, const base::Triple& cluster) {
  config.grid = cut(config.grid, cluster, process::launch_settings().most_blocks);
  config.block = cut(config.block, {1, 1, 1}, process::launch_settings().most_threads);
  return config;
}

}  // namespace warpfiber::runtime

// SPDX-License-Identifier: Apache-2.0
// Instructions of one line that do the same in one space are one row.
#include "profile/profile.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>

#include "symbols/symboliser.hpp"
#include "symbols/user_code.hpp"

namespace warpfiber::profile {
namespace {

using ProfileJson = nlohmann::ordered_json;

constexpr int kVersion = 1;

std::string_view name_of(AccessSpace space) {
  switch (space) {
    case AccessSpace::global: return "global";
    case AccessSpace::shared: return "shared";
    case AccessSpace::distributed: return "distributed shared";
    default: return "constant";
  }
}

std::string_view name_of(AccessOperation operation) {
  switch (operation) {
    case AccessOperation::load: return "load";
    case AccessOperation::store: return "store";
    default: return "atomic";
  }
}

std::string_view name_of(MeetingWidth width) {
  switch (width) {
    case MeetingWidth::warp: return "warp";
    case MeetingWidth::group: return "group";
    case MeetingWidth::block: return "block";
    case MeetingWidth::cluster: return "cluster";
    default: return "grid";
  }
}

ProfileJson index_of(const base::Triple& at) {
  return {at.x, at.y, at.z};
}

ProfileJson meetings_of(const std::map<MeetingPlace, MeetingCounters>& meetings) {
  ProfileJson places = ProfileJson::array();
  for (const auto& [place, counters] : meetings) {
    places.push_back({{"file", place.file},
                      {"line", place.line},
                      {"width", name_of(place.width)},
                      {"count", counters.meetings},
                      {"threads", counters.threads}});
    if (counters.longest_wait == 0) continue;
    places.back().update({{"waited_steps", counters.waited},
                          {"longest_wait",
                           {{"steps", counters.longest_wait},
                            {"block", index_of(counters.block)},
                            {"thread", index_of(counters.thread)}}}});
  }
  return places;
}

ProfileJson executed_of(const std::map<SourceLine, LineCounters>& lines) {
  ProfileJson executed = ProfileJson::array();
  for (const auto& [line, counters] : lines) {
    executed.push_back({{"file", line.file},
                        {"line", line.line},
                        {"executions", counters.executions},
                        {"threads", counters.threads},
                        {"by_all_lanes", counters.by_all}});
  }
  return executed;
}

struct LineOfAccess {
  std::string file;
  unsigned line = 0;
  AccessSpace space = AccessSpace::global;
  AccessOperation operation = AccessOperation::load;

  friend bool operator<(const LineOfAccess& a, const LineOfAccess& b) {
    return std::tie(a.file, a.line, a.space, a.operation) < std::tie(b.file, b.line, b.space, b.operation);
  }
};

LineOfAccess row_of(const AccessInstruction& instruction) {
  const auto address = reinterpret_cast<std::uintptr_t>(instruction.address);
  LineOfAccess row{.file = {}, .space = instruction.space, .operation = instruction.operation};
  if (address == 0) return row;
  const symbols::Frames frames = symbols::Symboliser::of_process().frames(address - 1);
  const record::Place place = symbols::user_place({frames.begin(), frames.size()});
  row.file = place.file;
  row.line = place.line;
  return row;
}

/// Those of Nsight Compute's metrics that have the same values, by docs/counters.md.
ProfileJson metrics_of(const std::map<AccessInstruction, Counters>& instructions) {
  ProfileJson metrics = ProfileJson::object();
  const auto sum = [&](AccessSpace space, AccessOperation operation) {
    Counters counters;
    for (const auto& [instruction, its] : instructions) {
      if (instruction.space == space && instruction.operation == operation) counters += its;
    }
    return counters;
  };
  for (const auto& [operation, suffix] :
       {std::pair(AccessOperation::load, "ld"), std::pair(AccessOperation::store, "st")}) {
    const std::string op = std::string("_op_") + suffix + ".sum";
    const Counters global = sum(AccessSpace::global, operation);
    metrics["l1tex__t_requests_pipe_lsu_mem_global" + op] = global.requests;
    metrics["l1tex__t_sectors_pipe_lsu_mem_global" + op] = global.sectors;
    const Counters shared = sum(AccessSpace::shared, operation);
    metrics["l1tex__data_pipe_lsu_wavefronts_mem_shared" + op] = shared.wavefronts;
    metrics["l1tex__data_bank_conflicts_pipe_lsu_mem_shared" + op] = shared.conflicts;
  }
  return metrics;
}

ProfileJson lines_of(const std::map<AccessInstruction, Counters>& instructions) {
  std::map<LineOfAccess, Counters> rows;
  for (const auto& [instruction, counters] : instructions) rows[row_of(instruction)] += counters;
  ProfileJson lines = ProfileJson::array();
  for (const auto& [row, counters] : rows) {
    ProfileJson line = {{"file", row.file},
                        {"line", row.line},
                        {"space", name_of(row.space)},
                        {"operation", name_of(row.operation)},
                        {"requests", counters.requests},
                        {"threads", counters.lanes}};
    if (row.space == AccessSpace::global) line.update({{"sectors", counters.sectors}, {"cache_lines", counters.lines}});
    if (row.space == AccessSpace::shared)
      line.update({{"wavefronts", counters.wavefronts}, {"bank_conflicts", counters.conflicts}});
    if (row.operation == AccessOperation::atomic) line.update({{"same_address", counters.one_address}});
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

std::string to_json(const Profile& profile, std::string (*name_of)(const void* kernel)) {
  ProfileJson kernels = ProfileJson::array();
  for (const auto& [kernel, counters] : profile.kernels()) {
    kernels.push_back({{"kernel", name_of(kernel)},
                       {"launches", counters.launches},
                       {"blocks", counters.blocks},
                       {"threads", counters.threads},
                       {"resident_blocks", counters.residency.resident_blocks},
                       {"waves", counters.residency.waves},
                       {"last_wave_blocks", counters.residency.last_wave},
                       {"barriers",
                        {{"block", counters.barriers.block},
                         {"cluster", counters.barriers.cluster},
                         {"grid", counters.barriers.grid},
                         {"warp", counters.barriers.warp}}},
                       {"synchronisations", meetings_of(counters.meetings)},
                       {"executed", executed_of(counters.lines)},
                       {"left_out_accesses", counters.left_out},
                       {"metrics", metrics_of(counters.instructions)},
                       {"lines", lines_of(counters.instructions)}});
  }
  const ProfileJson document = {{"version", kVersion}, {"kernels", std::move(kernels)}};
  return document.dump(2, ' ', false, ProfileJson::error_handler_t::replace) + '\n';
}

}  // namespace warpfiber::profile

// SPDX-License-Identifier: Apache-2.0
//
// Intersects the areas of two accesses row by row, and makes a finding where nothing orders them.
#include "runtime/checking/host_conflicts.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "base/locks/annotated_mutex.hpp"
#include "check/calls/places.hpp"
#include "launches/checking/conflicts.hpp"
#include "record/diagnosis.hpp"
#include "runtime/state/runtime_state.hpp"

namespace warpfiber::runtime {
namespace {

/// Bytes in a row.
struct ByteRow {
  const char* begin = nullptr;
  const char* end = nullptr;
};

ByteRow whole(const launches::Area& area) {
  const process::Box& box = area.box;
  return {area.at, area.at + (box.depth - 1) * area.slice + (box.height - 1) * area.pitch + box.width};
}

ByteRow common(const ByteRow& one, const ByteRow& other) {
  return {std::max(one.begin, other.begin), std::min(one.end, other.end)};
}

/// Calls `look` for each row until it says that it has found something.
template <class Look>
bool any_row(const launches::Area& area, Look look) {
  for (std::size_t z = 0; z < area.box.depth; ++z) {
    for (std::size_t y = 0; y < area.box.height; ++y) {
      const char* from = area.at + z * area.slice + y * area.pitch;
      if (look(ByteRow{from, from + area.box.width})) return true;
    }
  }
  return false;
}

/// The first bytes that both have; null where there are none.
ByteRow common(const launches::Area& one, const launches::Area& other) {
  ByteRow both{};
  if (one.box.empty() || other.box.empty()) return both;
  const ByteRow around = common(whole(one), whole(other));
  if (around.begin >= around.end) return both;
  any_row(one, [&](const ByteRow& of_one) {
    if (common(of_one, around).begin >= common(of_one, around).end) return false;
    return any_row(other, [&](const ByteRow& of_other) {
      const ByteRow here = common(of_one, of_other);
      if (here.begin < here.end) both = here;
      return here.begin < here.end;
    });
  });
  return both;
}

}  // namespace

struct ReportedAccesses {
  base::Mutex mutex;
  std::set<std::tuple<const void*, bool, const void*, bool>> all WARPFIBER_GUARDED_BY(mutex);
};

namespace {

bool is_new(const launches::HostAccess& one, const launches::HostAccess& other) {
  if (one.actor == launches::HostActor::allocation) return launches::is_first_use(one);
  if (other.actor == launches::HostActor::allocation) return launches::is_first_use(other);
  ReportedAccesses& reported = RuntimeState::of_process().reported_accesses.get();
  using Side = std::pair<const void*, bool>;
  const auto [first, second] = std::minmax({Side{one.returns_to, one.write}, Side{other.returns_to, other.write}});
  const base::Lock lock(reported.mutex);
  return reported.all.emplace(first.first, first.second, second.first, second.second).second;
}

record::Party party_of(const launches::HostAccess& access) {
  record::Party party;
  party.role = launches::role_of(access);
  party.who.unit = record::Unit::host;
  party.who.count = 1;
  if (access.returns_to != nullptr) party.place.instruction = static_cast<const char*>(access.returns_to) - 1;
  party.what = launches::words_of(access);
  return party;
}

/// The verdict too.
void diagnose(record::Finding& made, const launches::HostAccess& one, const launches::HostAccess& other) {
  const auto either = [&](launches::HostActor actor) { return one.actor == actor || other.actor == actor; };
  made.verdict = either(launches::HostActor::release) ? record::Verdict::use_after_free : record::Verdict::race_global;
  made.diagnosis = either(launches::HostActor::release)      ? record::Mistake::freed_during_command
                   : either(launches::HostActor::program)    ? record::Mistake::host_races_command
                   : either(launches::HostActor::allocation) ? record::Mistake::used_before_allocation
                                                             : record::Mistake::commands_race;
}

/// Of two commands: whether the later one's stream has waited in vain.
void add_vain_wait(record::Finding& made, const record::LaunchOrder& earlier, const record::LaunchOrder& later) {
  const auto* const mistake = std::get_if<record::Mistake>(made.diagnosis.get());
  if (mistake == nullptr || *mistake != record::Mistake::commands_race) return;
  made.streams = record::StreamPair::of(earlier.stream, later.stream);
  if (!later.vain_wait.was_for(earlier.stream)) return;
  made.diagnosis = record::Mistake::event_not_recorded;
  made.parties.push_back(check::party_of(later.vain_wait));
}

}  // namespace

std::vector<launches::HostAccess> commands_of(std::vector<launches::HostAccess> accesses) {
  std::erase_if(accesses,
                [](const launches::HostAccess& access) { return access.actor != launches::HostActor::command; });
  return accesses;
}

std::vector<record::Finding> host_conflicts(const launches::HostAccess& access,
                                            std::span<const launches::HostAccess> concurrent) {
  std::vector<record::Finding> made;
  for (const launches::HostAccess& other : concurrent) {
    if (!access.write && !other.write) continue;
    // A host function and the program may signal each other when to go on.
    if (access.actor == launches::HostActor::program && other.actor == launches::HostActor::program) continue;
    const ByteRow both = common(access.area, other.area);
    if (both.begin == nullptr || !is_new(access, other)) continue;
    record::Finding finding;
    diagnose(finding, access, other);
    finding.object = launches::object_of(both.begin, static_cast<std::size_t>(both.end - both.begin));
    const bool later = access.order->number < other.order->number;
    finding.parties.push_back(party_of(later ? access : other));
    finding.parties.push_back(party_of(later ? other : access));
    add_vain_wait(finding, later ? *access.order : *other.order, later ? *other.order : *access.order);
    made.push_back(std::move(finding));
  }
  return made;
}

}  // namespace warpfiber::runtime

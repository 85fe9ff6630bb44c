// SPDX-License-Identifier: Apache-2.0
//
// Compares an operation of the host with what the shadow cells say of kernels, and a launch with what the host has
// done. The first access of each site makes a finding; the others count as its repeats. Of copies of a variable the
// shadow cells say which ones kernels read.
#include "launches/checking/conflicts.hpp"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "check/calls/places.hpp"
#include "check/cells/sites.hpp"
#include "check/objects/named_memory.hpp"
#include "check/objects/objects.hpp"
#include "launches/state/launches_state.hpp"
#include "process/variables.hpp"
#include "record/diagnosis.hpp"
#include "report/operations.hpp"

namespace warpfiber::launches {
namespace {

using record::Finding;
using record::Party;
using record::Role;
using record::Verdict;

Verdict verdict_of(HostActor actor) {
  return actor == HostActor::release ? Verdict::use_after_free : Verdict::race_global;
}

record::Mistake mistake_of(HostActor actor) {
  switch (actor) {
    case HostActor::command: return record::Mistake::command_races_kernel;
    case HostActor::allocation: return record::Mistake::used_before_allocation;
    case HostActor::release: return record::Mistake::freed_during_kernel;
    case HostActor::program: return record::Mistake::host_races_kernel;
  }
  __builtin_unreachable();
}

}  // namespace

struct ReportedPairs {
  base::Mutex mutex;
  std::set<std::tuple<HostActor, const void*, unsigned, bool>> all WARPFIBER_GUARDED_BY(mutex);
};

namespace {

/// Whether the two instructions have not been reported yet.
bool is_new(const HostAccess& access, const Touch& touch) {
  if (access.actor == HostActor::allocation) return is_first_use(access);
  ReportedPairs& reported = LaunchesState::of_process().reported_pairs.get();
  const base::Lock lock(reported.mutex);
  return reported.all.emplace(access.actor, access.returns_to, check::alone(touch.site), access.write).second;
}

Party host_party(const HostAccess& access) {
  Party party;
  party.role = role_of(access);
  party.who.unit = record::Unit::host;
  party.who.count = 1;
  party.place.instruction = check::last_byte_of_call(access.returns_to);
  party.what = words_of(access);
  return party;
}

/// Where the stream of the later one, the command or the kernel, has waited in vain.
void add_vain_wait(Finding& made, const HostAccess& command, const check::BegunLaunch& kernel) {
  const bool kernel_first = kernel.operation < command.order->number;
  const record::VainWait& wait = kernel_first ? command.order->vain_wait : kernel.vain_wait;
  if (!wait.was_for(kernel_first ? kernel.stream : command.order->stream)) return;
  made.diagnosis = record::Mistake::event_not_recorded;
  made.parties.push_back(check::party_of(wait));
}

Finding finding_of(const HostAccess& access, const Touch& touch) {
  Finding made;
  made.verdict = verdict_of(access.actor);
  made.launch = launch_of(touch);
  made.object = object_of(touch.at, touch.bytes);
  made.parties.push_back(party_of(touch));
  made.parties.push_back(host_party(access));
  made.diagnosis = mistake_of(access.actor);
  if (access.actor != HostActor::command) return made;
  const check::BegunLaunch kernel = check::launch_shape(touch.launch);
  made.streams = record::StreamPair::of(access.order->stream, kernel.stream);
  add_vain_wait(made, access, kernel);
  return made;
}

}  // namespace

bool is_first_use(const HostAccess& allocation) {
  ReportedPairs& reported = LaunchesState::of_process().reported_pairs.get();
  const base::Lock lock(reported.mutex);
  return reported.all.emplace(allocation.actor, allocation.returns_to, 0, true).second;
}

record::Role role_of(const HostAccess& access) {
  if (access.actor == HostActor::release || access.actor == HostActor::allocation) return Role::call;
  return access.write ? Role::write : Role::read;
}

std::string words_of(const HostAccess& access) {
  if (access.actor == HostActor::program) return access.write ? "store" : "load";
  return report::operation_text(access.operation);
}

record::ObjectFacts object_of(const char* at, std::size_t bytes) {
  const check::MemoryPlace place = check::describe(at, nullptr, false);
  record::ObjectFacts object;
  object.name = place.name.empty() ? "" : place.name + check::part_of(place, bytes).text;
  object.type = place.type;
  object.space = "global";
  object.address = reinterpret_cast<std::uintptr_t>(at);
  if (place.extent != 0) object.bytes = record::Bytes{place.offset, bytes, place.extent};
  if (place.line != 0) {
    object.declared = {.file = place.file, .line = place.line};
  } else {
    object.declared.instruction = check::last_byte_of_call(place.made_by);
  }
  return object;
}

std::vector<Finding> conflicts(const HostAccess& access, const check::LaunchSet& launches) {
  struct Seen {
    Touch first{};
    std::uint64_t repeats = 0;
  };
  std::map<unsigned, Seen> by_site;
  for_each_touch(access.area, launches, [&](const Touch& touch) {
    if (!access.write && !touch.write) return;
    const auto [seen, fresh] = by_site.try_emplace(check::alone(touch.site), Seen{touch, 0});
    if (!fresh) ++seen->second.repeats;
  });
  // A cell that a kernel is just writing names no instruction yet.
  if (const auto unnamed = by_site.find(check::kUnknownSite); unnamed != by_site.end() && by_site.size() > 1) {
    const std::uint64_t more = unnamed->second.repeats + 1;
    by_site.erase(unnamed);
    by_site.begin()->second.repeats += more;
  }
  std::vector<Finding> made;
  for (const auto& [site, seen] : by_site) {
    if (!is_new(access, seen.first)) continue;
    made.push_back(finding_of(access, seen.first));
    made.back().repeats = seen.repeats;
  }
  return made;
}

std::vector<Finding> conflicts_of_launch(const record::LaunchOrder& launch) {
  std::vector<Finding> made;
  if (launch.number == 0) return made;
  const std::vector<HostAccess> concurrent = host_accesses().concurrent_with(launch);
  if (concurrent.empty()) return made;
  const check::LaunchSet numbers = check::numbers_of_launch(launch.number);
  // Loops repeat the same commands on the same memory.
  std::set<std::tuple<const void*, const void*, bool, std::size_t, std::size_t, std::size_t>> looked_at;
  for (const HostAccess& access : concurrent) {
    if (access.actor == HostActor::release) continue;  // the kernel reports its use of freed memory
    const process::Box& box = access.area.box;
    if (!looked_at.emplace(access.returns_to, access.area.at, access.write, box.width, box.height, box.depth).second) {
      continue;
    }
    for (Finding& one : conflicts(access, numbers)) made.push_back(std::move(one));
  }
  return made;
}

std::vector<Finding> unset_constants_of(const record::LaunchOrder& launch) {
  std::vector<Finding> made;
  for (const process::DeviceVariable& variable : process::unset_namesakes()) {
    std::optional<Touch> first;
    for_each_touch(area_of(variable.address, variable.bytes), check::numbers_of_launch(launch.number),
                   [&](const Touch& touch) {
                     if (!first.has_value()) first = touch;
                   });
    if (!first.has_value()) continue;
    Finding finding;
    finding.verdict = Verdict::uninit_global;
    finding.severity = record::Severity::warning;
    finding.launch = launch_of(*first);
    finding.object = object_of(first->at, first->bytes);
    finding.parties.push_back(party_of(*first));
    finding.diagnosis = record::Mistake::constant_copy_not_set;
    made.push_back(std::move(finding));
  }
  return made;
}

}  // namespace warpfiber::launches

// SPDX-License-Identifier: Apache-2.0
// Threads of a warp run one after another, so a warp's track shows which of its lanes runs. A slice that begins where
// another ends comes behind it.
#include "trace/tracks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "report/fixes/finding_lines.hpp"
#include "report/operations.hpp"

namespace warpfiber::trace {
namespace {

using Arguments = std::vector<TraceArgument>;

/// TraceStep of the end of something that may not have ended.
TraceStep end_of(TraceStep end, TraceStep begin, TraceStep last) {
  return std::max(begin, end != 0 ? end : last);
}

class Tracks {
 public:
  Tracks(const Trace& trace, const TraceNames& names, TrackWriter& to) : trace_(trace), names_(names), to_(to) {}

  void write() {
    const base::Lock lock(trace_.mutex());
    write_streams();
    for (std::size_t launch = 0; launch < trace_.launches().size(); ++launch)
      write_launch(trace_.launches()[launch], launch + 1);
    to_.finish();
  }

 private:
  TrackInfo group(std::string name) {
    TrackInfo made{.id = ++last_id_, .group = last_id_, .name = std::move(name), .order = groups_++};
    to_.track(made);
    return made;
  }

  TrackInfo below(const TrackInfo& parent, std::string name, unsigned order) {
    TrackInfo made{
        .id = ++last_id_, .parent = parent.id, .group = parent.group, .name = std::move(name), .order = order};
    to_.track(made);
    return made;
  }

  void slice(const TrackInfo& track, TraceStep begin, TraceStep end, const std::string& name,
             const Arguments& arguments) {
    to_.begin(track, begin, name, arguments);
    to_.end(track, end);
  }

  void write_streams() WARPFIBER_REQUIRES(trace_.mutex()) {
    std::map<int, std::map<std::uint64_t, std::vector<const OperationTrace*>>> devices;
    for (const OperationTrace& operation : trace_.operations())
      devices[operation.operation.device][operation.operation.stream].push_back(&operation);
    for (auto& [device, streams] : devices) {
      const TrackInfo streams_of_device = group(fmt::format("streams of device {}", device));
      unsigned order = 0;
      for (auto& [stream, operations] : streams) {
        const TrackInfo track = below(streams_of_device, fmt::format("stream {}", stream), order++);
        std::ranges::stable_sort(operations, {}, &OperationTrace::begin);
        for (const OperationTrace* operation : operations) write_operation(track, *operation);
      }
    }
  }

  void write_operation(const TrackInfo& track, const OperationTrace& operation) {
    if (operation.begin == 0) return;
    Arguments arguments{{"operation", operation.operation.number}, {"submitted at step", operation.submitted}};
    const record::OperationFacts& what = operation.operation.what;
    if (what.kind == record::OperationKind::kernel) {
      arguments.push_back({"grid", base::triple_text(what.grid)});
      arguments.push_back({"block", base::triple_text(what.block)});
    }
    if (what.bytes != 0) arguments.push_back({"bytes", what.bytes});
    slice(track, operation.begin, end_of(operation.end, operation.begin, trace_.steps()), report::operation_name(what),
          arguments);
  }

  void write_launch(const LaunchTrace& launch, std::size_t number) {
    launch_ = &launch;
    launch_end_ = end_of(launch.end, launch.begin, trace_.steps());
    const std::string kernel = names_.kernel(launch.kernel);
    const TrackInfo group_of_launch = group(fmt::format("launch {}: {}", number, kernel));
    unsigned order = 0;
    const TrackInfo track = below(group_of_launch, "launch", order++);
    slice(track, launch.begin, launch_end_, kernel, arguments_of(launch));
    for (const WorkerTrace& worker : launch.workers) write_slots(group_of_launch, worker, order);
    for (const WorkerTrace& worker : launch.workers) {
      read_places(worker);
      for (const BlockTrace& block : worker.blocks) write_block(group_of_launch, block, order);
    }
  }

  Arguments arguments_of(const LaunchTrace& launch) const {
    Arguments arguments{{"grid", base::triple_text(launch.facts.grid)},
                        {"block", base::triple_text(launch.facts.block)},
                        {"device", launch.facts.device},
                        {"workers", launch.workers.size()},
                        {"operation", launch.number},
                        {"stream", launch.stream}};
    std::uint64_t blocks = 0;
    std::uint64_t accesses = 0;
    for (const WorkerTrace& worker : launch.workers) {
      blocks += worker.left_out_blocks;
      accesses += worker.left_out_accesses;
    }
    arguments.push_back({"blocks without events", blocks});
    arguments.push_back({"accesses left out", accesses});
    return arguments;
  }

  std::string block_name(std::uint64_t rank) const {
    return "block " + base::triple_text(base::unlinear(rank, launch_->facts.grid));
  }

  void write_slots(const TrackInfo& parent, const WorkerTrace& worker, unsigned& order) {
    std::map<unsigned, std::vector<const BlockResidency*>> slots;
    for (const BlockResidency& residency : worker.residencies) slots[residency.slot].push_back(&residency);
    for (auto& [slot, blocks] : slots) {
      const std::string of_worker = worker.worker == 0 ? "" : fmt::format(" of worker {}", worker.worker);
      const TrackInfo track = below(parent, fmt::format("SM slot {}{}", slot, of_worker), order++);
      std::ranges::stable_sort(blocks, {}, &BlockResidency::begin);
      for (const BlockResidency* block : blocks)
        slice(track, block->begin, end_of(block->end, block->begin, launch_end_), block_name(block->rank), {});
    }
  }

  void read_places(const WorkerTrace& worker) {
    places_.clear();
    for (const TraceSite& site : worker.sites) places_.push_back(place_text(place_of(site, names_)));
  }

  std::string at_place(std::string text, std::uint32_t site) const {
    const bool known = site < places_.size() && !places_[site].empty();
    return known ? std::move(text) + ' ' + places_[site] : text;
  }

  void write_block(const TrackInfo& parent, const BlockTrace& block, unsigned& order) {
    const TrackInfo track = below(parent, block_name(block.rank), order++);
    const TraceStep end = end_of(block.end, block.begin, launch_end_);
    const Arguments arguments{{"slot", std::uint64_t{block.slot}}, {"accesses left out", block.left_out}};
    to_.begin(track, block.begin, block_name(block.rank), arguments);
    write_epochs(track, block, end);
    to_.end(track, end);
    const unsigned warp_size = launch_->facts.warp_size;
    const std::uint64_t threads = base::volume(launch_->facts.block);
    for (unsigned warp = 0; warp * warp_size < threads; ++warp)
      write_warp(below(track, fmt::format("warp {}", warp), warp), block, warp);
  }

  void write_epochs(const TrackInfo& track, const BlockTrace& block, TraceStep end) {
    unsigned epoch = 0;
    const auto begin_epoch = [&](TraceStep step) { to_.begin(track, step, fmt::format("epoch {}", epoch++), {}); };
    begin_epoch(block.begin);
    for (const TraceEvent& event : block.events) {
      if (event.kind != TraceEventKind::release || event.address != 0) continue;
      to_.end(track, event.step);
      const std::string_view width = event.width == record::Width::grid      ? "barrier of the grid"
                                     : event.width == record::Width::cluster ? "barrier of the cluster"
                                                                             : "barrier of the block";
      to_.instant(track, event.step, at_place(std::string(width), event.site), {});
      begin_epoch(event.step);
    }
    to_.end(track, end);
  }

  /// Events of one lane without those of others between them.
  struct Run {
    std::size_t first = 0;
    std::size_t last = 0;
  };

  void write_warp(const TrackInfo& track, const BlockTrace& block, unsigned warp) {
    std::vector<const TraceEvent*> events;
    for (const TraceEvent& event : block.events) {
      if (is_of_warp(event, warp)) events.push_back(&event);
    }
    for (std::size_t at = 0; at < events.size();) {
      if (events[at]->kind == TraceEventKind::release) {
        write_release(track, *events[at++]);
      } else {
        at = write_run(track, events, at);
      }
    }
  }

  bool is_of_warp(const TraceEvent& event, unsigned warp) const {
    switch (event.kind) {
      case TraceEventKind::access:
      case TraceEventKind::fence:
      case TraceEventKind::arrive:
      case TraceEventKind::wait: return event.thread / launch_->facts.warp_size == warp;
      case TraceEventKind::release: return event.address != 0 && event.thread == warp;
      default: return false;
    }
  }

  void write_release(const TrackInfo& track, const TraceEvent& event) {
    const std::string name = "meet: " + base::lanes_text(event.address);
    const Arguments arguments{{"threads", std::uint64_t{event.count}}};
    to_.instant(track, event.step, at_place(name, event.site), arguments);
  }

  /// Writes what one lane does until another one does something, and returns where that is.
  std::size_t write_run(const TrackInfo& track, const std::vector<const TraceEvent*>& events, std::size_t at) {
    const std::uint32_t thread = events[at]->thread;
    std::size_t end = at;
    while (end < events.size() && events[end]->kind != TraceEventKind::release && events[end]->thread == thread) ++end;
    const TraceStep next = end < events.size() ? events[end]->step : ~TraceStep{0};
    const TraceStep last = std::min(next, std::max(events[end - 1]->step, events[end - 1]->last) + 1);
    const Arguments arguments{{"thread", std::uint64_t{thread}}};
    to_.begin(track, events[at]->step, fmt::format("lane {}", thread % launch_->facts.warp_size), arguments);
    for (; at < end; ++at) write_event(track, *events[at]);
    to_.end(track, last);
    return end;
  }

  void write_event(const TrackInfo& track, const TraceEvent& event) {
    if (event.kind != TraceEventKind::access) {
      const std::string_view name = event.kind == TraceEventKind::fence    ? "fence"
                                    : event.kind == TraceEventKind::arrive ? "arrive"
                                                                           : "wait";
      to_.instant(track, event.step, std::string(name), {});
      return;
    }
    Arguments arguments{{"space", std::string((event.flags & kShared) != 0 ? "shared" : "global")},
                        {(event.flags & kShared) != 0 ? "offset" : "address", event.address},
                        {"bytes", std::uint64_t{event.count}}};
    if ((event.flags & kHasValue) != 0) arguments.push_back({"value", event.value});
    if (event.repeats != 0) arguments.push_back({"further times", std::uint64_t{event.repeats}});
    to_.instant(track, event.step, at_place(std::string(access_name(event)), event.site), arguments);
  }

  const Trace& trace_;
  const TraceNames& names_;
  TrackWriter& to_;
  std::uint64_t last_id_ = 0;
  unsigned groups_ = 0;
  const LaunchTrace* launch_ = nullptr;
  TraceStep launch_end_ = 0;
  std::vector<std::string> places_;  // of the sites of a worker
};

}  // namespace

std::string place_text(const record::Place& place) {
  return place.known() ? report::short_place(place) : std::string();
}

record::Place place_of(const TraceSite& site, const TraceNames& names) {
  if (site.instruction == nullptr) return record::place_of(site.site);
  return names.place(site.instruction);
}

std::string_view access_name(const TraceEvent& event) {
  if ((event.flags & kAtomic) != 0) return "atomic";
  return (event.flags & kWrites) != 0 ? "store" : "load";
}

void write_tracks(const Trace& trace, const TraceNames& names, TrackWriter& to) {
  Tracks(trace, names, to).write();
}

}  // namespace warpfiber::trace

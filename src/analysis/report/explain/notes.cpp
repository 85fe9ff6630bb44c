// SPDX-License-Identifier: Apache-2.0
//
// The words for what is noted of a party.
#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <string_view>

#include "base/text.hpp"
#include "report/explain/explain.hpp"

namespace warpfiber::report {
namespace {

/// In the order of FixedNote.
constexpr std::string_view kNotes[] = {
    "for every thread of their block that has not returned",
    "for every thread of the block to reach this call",
    "for every thread of their block to arrive",
    "for every block of the grid",
    "for every block of every grid of the launch",
    "for every thread of their cluster that has not returned",
    "for the other lanes of their warp",
    "for the other threads of their group",
    "the thread that arrives for its block",
    "the last of several lines where they create tiles of this size",
    "at the end of the kernel",
    "the pointer is not to the caller's shared memory",
    "not ordered with the write",
    "before it is written",
    "the event had not been recorded by then",
    "who meet there again and again",
};
static_assert(std::size(kNotes) == static_cast<std::size_t>(record::kLastFixedNote) + 1);

/// " in phase 3, which has parity 0"
std::string phase_text(const record::AwaitedArrivals& phase) {
  if (phase.parity < 0) return {};
  if (phase.phase == 0) return fmt::format(" in the phase of parity {}", phase.parity);
  return fmt::format(" in phase {}, of parity {}", phase.phase, phase.parity);
}

/// "for 32 more arrivals: 32 of 64 have come", "for 1024 bytes of asynchronous copies".
std::string lacking(const record::AwaitedArrivals& phase) {
  if (phase.expected == 0) return "for a release";
  if (phase.pending == 0 && phase.bytes < 0)
    return fmt::format("for expect_tx of {} bytes that were copied", -phase.bytes);
  std::string bytes = phase.bytes > 0 ? fmt::format("{} bytes of asynchronous copies", phase.bytes) : "";
  if (phase.pending == 0) return "for " + bytes;
  if (!bytes.empty()) bytes += " and ";
  const std::string arrivals =
      phase.number < 0 ? base::counted(phase.pending, "more arrival")
                       : fmt::format("{} at barrier {}", base::counted(phase.pending, "more thread"), phase.number);
  return fmt::format("for {}{}: {} of {} have arrived{}", bytes, arrivals, phase.expected - phase.pending,
                     phase.expected, phase_text(phase));
}

struct NoteWriter {
  unsigned warp_size;

  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(record::FixedNote note) const { return std::string(kNotes[static_cast<std::size_t>(note)]); }
  std::string operator()(const record::AwaitedThreads& threads) const {
    const char* const of = threads.of_group ? "group" : "block";
    if (threads.first == threads.last) return fmt::format("for thread {} of their {}", threads.first, of);
    return fmt::format("for threads {}-{} of their {}", threads.first, threads.last, of);
  }
  std::string operator()(const record::AwaitedCount& count) const {
    return fmt::format("for {} of their group", base::counted(count.threads, "thread"));
  }
  std::string operator()(const record::AwaitedBlocks& missing) const {
    return "for their group's threads in " + base::counted(missing.blocks, "more block");
  }
  std::string operator()(const record::AwaitedArrivals& phase) const { return lacking(phase); }
  std::string operator()(const record::AwaitedLanes& lanes) const {
    if (lanes.of_group) return fmt::format("for {} of their group", base::lanes_text(lanes.lanes));
    return fmt::format("for {} of mask {}", base::lanes_text(lanes.lanes), base::mask_text(lanes.mask, warp_size));
  }
  std::string operator()(const record::BarrierPhase& phase) const {
    return fmt::format("barrier number {} since the kernel started", phase.number);
  }
};

}  // namespace

std::string note_text(const record::PartyNote& note, unsigned warp_size) {
  return std::visit(NoteWriter{warp_size}, note);
}

}  // namespace warpfiber::report

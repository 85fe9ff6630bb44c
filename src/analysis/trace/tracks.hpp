// SPDX-License-Identifier: Apache-2.0
// A trace as tracks with slices, which formats of trace viewers have in common: a group of tracks for the streams of
// each device, and one for each launch, with its slots for blocks, and blocks and warps of the sample.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "record/finding.hpp"
#include "trace/trace.hpp"

namespace warpfiber::trace {

/// A row of a viewer. Groups are `parent`s of tracks; blocks are groups of warps as well.
struct TrackInfo {
  std::uint64_t id = 0;      // from 1
  std::uint64_t parent = 0;  // 0: a group
  std::uint64_t group = 0;   // the outermost parent
  std::string name;
  unsigned order = 0;  // among those of its parent
};

struct TraceArgument {
  std::string_view name;
  std::variant<std::uint64_t, std::string> value;
};
using TraceArguments = std::span<const TraceArgument>;

/// Writes a format. Tracks come before their events, and events of a track in their order, with slices nested.
class TrackWriter {
 public:
  TrackWriter() = default;
  virtual ~TrackWriter() = default;
  TrackWriter(const TrackWriter&) = delete;
  TrackWriter& operator=(const TrackWriter&) = delete;

  virtual void track(const TrackInfo& track) = 0;
  virtual void begin(const TrackInfo& track, TraceStep step, const std::string& name, TraceArguments arguments) = 0;
  virtual void end(const TrackInfo& track, TraceStep step) = 0;
  virtual void instant(const TrackInfo& track, TraceStep step, const std::string& name, TraceArguments arguments) = 0;
  /// Nothing comes after this.
  virtual void finish() = 0;
};

/// What a trace does not say itself.
struct TraceNames {
  std::function<std::string(const void* kernel)> kernel;
  std::function<record::Place(const void* instruction)> place;  // of the instruction before
};

/// Writes all of it, and finishes.
void write_tracks(const Trace& trace, const TraceNames& names, TrackWriter& to);

/// "reduce.cu:12"; empty where the line is not known.
std::string place_text(const record::Place& place);

/// The place of the site.
record::Place place_of(const TraceSite& site, const TraceNames& names);

/// "load", "store", "atomic".
std::string_view access_name(const TraceEvent& event);

}  // namespace warpfiber::trace

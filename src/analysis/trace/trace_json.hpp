// SPDX-License-Identifier: Apache-2.0
// The JSON that chrome://tracing and Perfetto read ("Trace Event Format"). A group of tracks is a process there, and a
// track one of its threads; a step is a microsecond.
#pragma once

#include <iosfwd>
#include <map>
#include <string>

#include "trace/tracks.hpp"

namespace warpfiber::trace {

/// The text as a string of JSON. What is no UTF-8 is repaired.
std::string json_text(const std::string& text);

class TraceJsonWriter final : public TrackWriter {
 public:
  explicit TraceJsonWriter(std::ostream& to);

  void track(const TrackInfo& track) override;
  void begin(const TrackInfo& track, TraceStep step, const std::string& name, TraceArguments arguments) override;
  void end(const TrackInfo& track, TraceStep step) override;
  void instant(const TrackInfo& track, TraceStep step, const std::string& name, TraceArguments arguments) override;
  void finish() override;

 private:
  void event(char phase, const TrackInfo& track, TraceStep step, const std::string& name, TraceArguments arguments);
  void name_of(const char* what, const TrackInfo& track, const std::string& name, std::uint64_t order);
  void line(const std::string& object);

  std::ostream& to_;
  bool is_first_ = true;
  std::map<std::uint64_t, std::string> names_;  // of the tracks of the present group
};

}  // namespace warpfiber::trace

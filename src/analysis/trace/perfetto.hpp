// SPDX-License-Identifier: Apache-2.0
// The protobuf format of Perfetto: a file of packets with descriptors of tracks and with TrackEvents. A step is written
// as a microsecond. Source of the numbers of fields: protos/perfetto/trace/{trace,trace_packet}.proto and
// track_event/{track_event,track_descriptor,process_descriptor,debug_annotation}.proto of github.com/google/perfetto.
#pragma once

#include <iosfwd>
#include <string>

#include "trace/tracks.hpp"

namespace warpfiber::trace {

/// A message of protobuf that is being made (protobuf.dev, "Encoding").
class ProtoMessage {
 public:
  void number(unsigned field, std::uint64_t value);
  void text(unsigned field, std::string_view value);
  void message(unsigned field, const ProtoMessage& value) { text(field, value.bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value);

  std::string bytes_;
};

class PerfettoWriter final : public TrackWriter {
 public:
  explicit PerfettoWriter(std::ostream& to) : to_(to) {}

  void track(const TrackInfo& track) override;
  void begin(const TrackInfo& track, TraceStep step, const std::string& name, TraceArguments arguments) override;
  void end(const TrackInfo& track, TraceStep step) override;
  void instant(const TrackInfo& track, TraceStep step, const std::string& name, TraceArguments arguments) override;
  void finish() override {}

 private:
  void packet(const ProtoMessage& packet);
  void root();
  void event(unsigned type, const TrackInfo& track, TraceStep step, const std::string* name, TraceArguments arguments);

  std::ostream& to_;
  bool is_first_ = true;
};

}  // namespace warpfiber::trace

// SPDX-License-Identifier: Apache-2.0
// Packets are written one by one. All are of one sequence, the first of which says that nothing came before it.
#include "trace/perfetto.hpp"

#include <ostream>
#include <utility>

namespace warpfiber::trace {
namespace {

// Numbers of fields, by message.
constexpr unsigned kTracePacket = 1;  // of Trace
constexpr unsigned kTimestamp = 8;    // of TracePacket
constexpr unsigned kSequence = 10;
constexpr unsigned kTrackEvent = 11;
constexpr unsigned kSequenceFlags = 13;
constexpr unsigned kTrackDescriptor = 60;
constexpr unsigned kUuid = 1;  // of TrackDescriptor
constexpr unsigned kTrackName = 2;
constexpr unsigned kProcess = 3;
constexpr unsigned kParent = 5;
constexpr unsigned kChildOrdering = 11;
constexpr unsigned kSiblingRank = 12;
constexpr unsigned kProcessOrdering = 19;
constexpr unsigned kPid = 1;  // of ProcessDescriptor
constexpr unsigned kProcessName = 6;
constexpr unsigned kAnnotation = 4;  // of TrackEvent
constexpr unsigned kType = 9;
constexpr unsigned kTrack = 11;
constexpr unsigned kEventName = 23;
constexpr unsigned kUintValue = 3;  // of DebugAnnotation
constexpr unsigned kStringValue = 6;
constexpr unsigned kAnnotationName = 10;

// Values of enumerations.
constexpr unsigned kStateCleared = 1;  // SEQ_INCREMENTAL_STATE_CLEARED
constexpr unsigned kExplicit = 3;      // ChildTracksOrdering
constexpr unsigned kByRank = 1;        // ProcessOrdering
constexpr unsigned kSliceBegin = 1;    // TrackEvent::Type
constexpr unsigned kSliceEnd = 2;
constexpr unsigned kInstant = 3;

constexpr std::uint64_t kNanosecondsOfStep = 1000;

}  // namespace

void ProtoMessage::varint(std::uint64_t value) {
  constexpr std::uint64_t kMore = 0x80;
  for (; value >= kMore; value >>= 7) bytes_ += static_cast<char>(value | kMore);
  bytes_ += static_cast<char>(value);
}

void ProtoMessage::number(unsigned field, std::uint64_t value) {
  varint(std::uint64_t{field} << 3);
  varint(value);
}

void ProtoMessage::text(unsigned field, std::string_view value) {
  constexpr unsigned kLengthDelimited = 2;
  varint(std::uint64_t{field} << 3 | kLengthDelimited);
  varint(value.size());
  bytes_ += value;
}

void PerfettoWriter::packet(const ProtoMessage& packet) {
  ProtoMessage trace;
  trace.message(kTracePacket, packet);
  to_ << trace.bytes();
}

/// Of the implicit track above all others, which says that processes have ranks.
void PerfettoWriter::root() {
  ProtoMessage descriptor;
  descriptor.number(kUuid, 0);
  descriptor.number(kProcessOrdering, kByRank);
  ProtoMessage made;
  made.number(kSequence, 1);
  made.number(kSequenceFlags, kStateCleared);
  made.message(kTrackDescriptor, descriptor);
  packet(made);
}

void PerfettoWriter::track(const TrackInfo& track) {
  if (std::exchange(is_first_, false)) root();
  ProtoMessage descriptor;
  descriptor.number(kUuid, track.id);
  if (track.parent == 0) {
    ProtoMessage process;
    process.number(kPid, track.id);
    process.text(kProcessName, track.name);
    descriptor.message(kProcess, process);
  } else {
    descriptor.text(kTrackName, track.name);
    descriptor.number(kParent, track.parent);
  }
  descriptor.number(kSiblingRank, track.order);
  descriptor.number(kChildOrdering, kExplicit);
  ProtoMessage made;
  made.number(kSequence, 1);
  made.message(kTrackDescriptor, descriptor);
  packet(made);
}

void PerfettoWriter::event(unsigned type, const TrackInfo& track, TraceStep step, const std::string* name,
                           TraceArguments arguments) {
  ProtoMessage event;
  for (const TraceArgument& argument : arguments) {
    ProtoMessage annotation;
    annotation.text(kAnnotationName, argument.name);
    if (const auto* const number = std::get_if<std::uint64_t>(&argument.value)) {
      annotation.number(kUintValue, *number);
    } else {
      annotation.text(kStringValue, std::get<std::string>(argument.value));
    }
    event.message(kAnnotation, annotation);
  }
  event.number(kType, type);
  event.number(kTrack, track.id);
  if (name != nullptr) event.text(kEventName, *name);
  ProtoMessage made;
  made.number(kTimestamp, step * kNanosecondsOfStep);
  made.number(kSequence, 1);
  made.message(kTrackEvent, event);
  packet(made);
}

void PerfettoWriter::begin(const TrackInfo& track, TraceStep step, const std::string& name, TraceArguments arguments) {
  event(kSliceBegin, track, step, &name, arguments);
}

void PerfettoWriter::end(const TrackInfo& track, TraceStep step) {
  event(kSliceEnd, track, step, nullptr, {});
}

void PerfettoWriter::instant(const TrackInfo& track, TraceStep step, const std::string& name,
                             TraceArguments arguments) {
  event(kInstant, track, step, &name, arguments);
}

}  // namespace warpfiber::trace

// SPDX-License-Identifier: Apache-2.0
// One event a line. Threads have no parents in this format, so the track of a warp names its block.
#include "trace/trace_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

namespace warpfiber::trace {
namespace {

/// Viewers read numbers as doubles, which have larger integers only in part.
constexpr std::uint64_t kExact = std::uint64_t{1} << 53;

std::string json_of(TraceArguments arguments) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const TraceArgument& argument : arguments) {
    const std::string name(argument.name);
    const auto* const number = std::get_if<std::uint64_t>(&argument.value);
    if (number != nullptr && *number >= kExact) {
      object[name] = std::to_string(*number);
    } else {
      std::visit([&](const auto& value) { object[name] = value; }, argument.value);
    }
  }
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

TraceJsonWriter::TraceJsonWriter(std::ostream& to) : to_(to) {
  to_ << "{\"otherData\":{\"clock\":\"steps\"},\"traceEvents\":[";
}

void TraceJsonWriter::line(const std::string& object) {
  to_ << (is_first_ ? "\n" : ",\n") << object;
  is_first_ = false;
}

void TraceJsonWriter::name_of(const char* what, const TrackInfo& track, const std::string& name, std::uint64_t order) {
  const std::string place = fmt::format("\"pid\":{},\"tid\":{}", track.group, track.id);
  line(fmt::format(R"({{"ph":"M","name":"{}_name",{},"args":{{"name":{}}}}})", what, place, json_text(name)));
  line(fmt::format(R"({{"ph":"M","name":"{}_sort_index",{},"args":{{"sort_index":{}}}}})", what, place, order));
}

void TraceJsonWriter::track(const TrackInfo& track) {
  if (track.parent == 0) {
    names_.clear();
    return name_of("process", track, track.name, track.order);
  }
  const auto parent = names_.find(track.parent);
  const std::string name = parent == names_.end() ? track.name : parent->second + ' ' + track.name;
  names_[track.id] = name;
  name_of("thread", track, name, track.id);
}

void TraceJsonWriter::event(char phase, const TrackInfo& track, TraceStep step, const std::string& name,
                            TraceArguments arguments) {
  line(fmt::format(R"({{"ph":"{}","pid":{},"tid":{},"ts":{},"name":{}{},"args":{}}})", phase, track.group, track.id,
                   step, json_text(name), phase == 'i' ? R"(,"s":"t")" : "", json_of(arguments)));
}

void TraceJsonWriter::begin(const TrackInfo& track, TraceStep step, const std::string& name, TraceArguments arguments) {
  event('B', track, step, name, arguments);
}

void TraceJsonWriter::end(const TrackInfo& track, TraceStep step) {
  line(fmt::format(R"({{"ph":"E","pid":{},"tid":{},"ts":{}}})", track.group, track.id, step));
}

void TraceJsonWriter::instant(const TrackInfo& track, TraceStep step, const std::string& name,
                              TraceArguments arguments) {
  event('i', track, step, name, arguments);
}

void TraceJsonWriter::finish() {
  to_ << "\n]}\n";
}

}  // namespace warpfiber::trace

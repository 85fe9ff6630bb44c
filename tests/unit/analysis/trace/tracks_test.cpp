// SPDX-License-Identifier: Apache-2.0
// Tracks and slices of small traces that are made by hand.
#include "trace/tracks.hpp"

#include <sstream>

#include "support/catch.hpp"
#include "trace/trace_json.hpp"

namespace warpfiber::trace {
namespace {

class TextWriter final : public TrackWriter {
 public:
  void track(const TrackInfo& track) override {
    text << track.parent << " > " << track.id << ' ' << track.name << '\n';
  }
  void begin(const TrackInfo& track, TraceStep step, const std::string& name, TraceArguments) override {
    text << track.id << ": " << step << " begin " << name << '\n';
  }
  void end(const TrackInfo& track, TraceStep step) override { text << track.id << ": " << step << " end\n"; }
  void instant(const TrackInfo& track, TraceStep step, const std::string& name, TraceArguments) override {
    text << track.id << ": " << step << ' ' << name << '\n';
  }
  void finish() override { text << "finished\n"; }

  std::ostringstream text;
};

const TraceNames kNames{[](const void*) { return std::string("kernel"); },
                        [](const void*) { return record::Place{.file = "dir/k.cu", .line = 7}; }};
const int kCode = 0;  // stands for an instruction

TraceEvent access_of(TraceStep step, unsigned thread) {
  return {.step = step, .last = step, .address = 16, .thread = thread, .count = 4, .flags = kReads | kShared};
}

/// One block of two threads, whose lanes meet at a barrier of the block and then at a shuffle.
void add_launch(Trace& trace) {
  LaunchTrace launch{.facts = {.grid = {1, 1, 1}, .block = {2, 1, 1}}, .number = 1, .begin = 1, .end = 9};
  WorkerTrace worker{.sites = {{.instruction = &kCode}, {.site = {"k.cu", 9, 0}}}};
  BlockTrace block{.rank = 0, .begin = 2, .end = 8};
  block.events = {
      access_of(3, 0),
      access_of(4, 1),
      {.step = 5, .count = 2, .site = 1, .kind = TraceEventKind::release},
      access_of(6, 1),
      {.step = 7, .address = 3, .count = 2, .site = 1, .kind = TraceEventKind::release, .width = record::Width::warp}};
  worker.blocks.push_back(block);
  worker.residencies.push_back({0, 0, 2, 8});
  trace.add(std::move(launch), std::move(worker));
}

}  // namespace

TEST_CASE("a launch has a track for its slots, blocks and warps") {
  Trace trace;
  add_launch(trace);
  TextWriter writer;
  write_tracks(trace, kNames, writer);
  CHECK(writer.text.str() ==
        "0 > 1 launch 1: kernel\n"
        "1 > 2 launch\n"
        "2: 1 begin kernel\n2: 9 end\n"
        "1 > 3 SM slot 0\n"
        "3: 2 begin block (0,0,0)\n3: 8 end\n"
        "1 > 4 block (0,0,0)\n"
        "4: 2 begin block (0,0,0)\n"
        "4: 2 begin epoch 0\n4: 5 end\n"
        "4: 5 barrier of the block k.cu:9\n"
        "4: 5 begin epoch 1\n4: 8 end\n"
        "4: 8 end\n"
        "4 > 5 warp 0\n"
        "5: 3 begin lane 0\n5: 3 load k.cu:7\n5: 4 end\n"
        "5: 4 begin lane 1\n5: 4 load k.cu:7\n5: 6 load k.cu:7\n5: 7 end\n"
        "5: 7 meet: lanes 0-1 k.cu:9\n"
        "finished\n");
}

TEST_CASE("operations that have not begun have no slice") {
  Trace trace;
  trace.operation_submitted({.number = 1,
                             .stream = 2,
                             .what = {.kind = record::OperationKind::copy, .call = "cudaMemcpyAsync", .bytes = 64}});
  trace.operation_submitted({.number = 2, .stream = 2, .what = {.call = "scale"}});
  trace.operation_begins({.number = 1});
  trace.operation_ends({.number = 1});
  TextWriter writer;
  write_tracks(trace, kNames, writer);
  CHECK(writer.text.str() ==
        "0 > 1 streams of device 0\n1 > 2 stream 2\n2: 3 begin cudaMemcpyAsync\n2: 4 end\nfinished\n");
}

TEST_CASE("slices of copies have their bytes, slices of kernels their shape") {
  Trace trace;
  trace.operation_submitted({.number = 1, .what = {.kind = record::OperationKind::copy, .bytes = 64}});
  trace.operation_begins({.number = 1});
  trace.operation_submitted({.number = 2, .what = {.call = "scale", .grid = {3, 1, 1}, .block = {40, 1, 1}}});
  trace.operation_begins({.number = 2});
  std::ostringstream text;
  TraceJsonWriter writer(text);
  write_tracks(trace, kNames, writer);
  CHECK_THAT(text.str(), Catch::Matchers::ContainsSubstring("\"name\":\"copy\"") &&
                             Catch::Matchers::ContainsSubstring("\"bytes\":64") &&
                             Catch::Matchers::ContainsSubstring("\"name\":\"scale\"") &&
                             Catch::Matchers::ContainsSubstring("\"grid\":\"(3,1,1)\""));
}

TEST_CASE("an empty trace is a whole document") {
  std::ostringstream text;
  TraceJsonWriter writer(text);
  write_tracks(Trace(), kNames, writer);
  CHECK_THAT(text.str(), Catch::Matchers::EndsWith("\"traceEvents\":[\n]}\n"));
}

}  // namespace warpfiber::trace

// SPDX-License-Identifier: Apache-2.0
// Bytes of messages, against the examples of protobuf's own documentation. Whole traces are decoded by tests/traces.
#include "trace/perfetto.hpp"

#include <sstream>

#include "support/catch.hpp"

namespace warpfiber::trace {

TEST_CASE("a message has the bytes that protobuf's documentation gives for it") {
  ProtoMessage number;
  number.number(1, 150);
  CHECK(number.bytes() == "\x08\x96\x01");
  ProtoMessage text;
  text.text(2, "testing");
  CHECK(text.bytes() == "\x12\x07testing");
  ProtoMessage outer;
  outer.message(3, number);
  CHECK(outer.bytes() == "\x1a\x03\x08\x96\x01");
}

TEST_CASE("numbers of any size and fields beyond 15 take several bytes") {
  ProtoMessage message;
  message.number(60, ~std::uint64_t{0});
  CHECK(message.bytes() == "\xe0\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

TEST_CASE("the first packet of a trace says that nothing came before it") {
  std::ostringstream file;
  PerfettoWriter writer(file);
  const TrackInfo track{.id = 1, .group = 1, .name = "g"};
  writer.track(track);
  writer.end(track, 2);
  // packet { sequence, flags, descriptor { uuid, process ordering } }, packet { sequence, descriptor { uuid, process {
  // pid, name }, rank, ordering } }, packet { time, sequence, event }
  const std::string root{"\x0a\x0c\x50\x01\x68\x01\xe2\x03\x05\x08\x00\x98\x01\x01", 14};
  const std::string group{"\x0a\x12\x50\x01\xe2\x03\x0d\x08\x01\x1a\x05\x08\x01\x32\x01g\x60\x00\x58\x03", 20};
  CHECK(file.str() == root + group + "\x0a\x0b\x40\xd0\x0f\x50\x01\x5a\x04\x48\x02\x58\x01");
}

}  // namespace warpfiber::trace

// SPDX-License-Identifier: Apache-2.0
// Which wait for an event that had not been recorded explains a missing order.
#include "streams/waits/vain_waits.hpp"

#include "support/catch.hpp"

using namespace warpfiber::streams;

namespace {

constexpr const char kCalls[] = "abc";  // stand for what calls return to
constexpr const char kEvents[] = "de";

}  // namespace

TEST_CASE("a wait in vain is for the stream in which its event is recorded later") {
  VainWaits waits;
  CHECK(waits.of(1).returns_to == nullptr);
  waits.add(1, &kEvents[0], &kCalls[0]);
  CHECK(waits.of(1).was_for(2));
  waits.recorded(&kEvents[0], 2);
  CHECK(waits.of(1).returns_to == &kCalls[0]);
  CHECK(waits.of(1).was_for(2));
  CHECK_FALSE(waits.of(1).was_for(3));
  CHECK(waits.of(2).returns_to == nullptr);
}

TEST_CASE("a wait for the same event that is recorded by then makes up for it") {
  VainWaits waits;
  waits.add(1, &kEvents[0], &kCalls[0]);
  waits.add(1, &kEvents[1], &kCalls[1]);
  waits.settle(1, &kEvents[1]);
  CHECK(waits.of(1).returns_to == &kCalls[0]);
  waits.settle(2, &kEvents[0]);
  CHECK(waits.of(1).returns_to == &kCalls[0]);
  waits.settle(1, &kEvents[0]);
  CHECK(waits.of(1).returns_to == nullptr);
}

TEST_CASE("of too many waits the oldest are forgotten") {
  VainWaits waits;
  for (std::size_t stream = 0; stream <= VainWaits::kMost; ++stream) waits.add(stream, &kEvents[0], &kCalls[2]);
  CHECK(waits.of(0).returns_to == nullptr);
  CHECK(waits.of(VainWaits::kMost).returns_to == &kCalls[2]);
}

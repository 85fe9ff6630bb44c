// SPDX-License-Identifier: Apache-2.0
// The checker's registers: what the host has written, which copies are pending, which cases there are.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "check/cells/sites.hpp"
#include "check/copies/pending_copies.hpp"
#include "check/objects/unwritten.hpp"
#include "check/order/lane_meetings.hpp"
#include "check/values/values.hpp"
#include "check/violations/violations.hpp"
#include "record/stack_depot.hpp"
#include "support/catch.hpp"

using namespace warpfiber::check;
using warpfiber::Site;
using warpfiber::base::Random;
namespace record = warpfiber::record;

namespace {

PendingCopy copy_of(unsigned site) {
  return {.to = nullptr, .from = nullptr, .bytes = 4, .room = 4, .site = site};
}

std::vector<unsigned> sites_of(const PendingCopies::Batch& batch) {
  std::vector<unsigned> sites;
  for (const PendingCopy& copy : batch) sites.push_back(copy.site);
  return sites;
}

using Sites = std::vector<unsigned>;

record::StackId stack_of(const std::vector<std::uintptr_t>& returns) {
  return record::StackDepot::of_process().add(returns);
}

/// Whether the gaps of all stretches of the memory are what nobody has written.
bool gaps_are_right(const HostWrites& writes, const char* memory, const std::vector<bool>& written) {
  for (std::size_t first = 0; first < written.size(); ++first) {
    std::vector<bool> told(written.size(), true);
    for (const Stretch& gap : writes.gaps(memory + first, written.size() - first)) {
      std::fill_n(told.begin() + (gap.from - memory), gap.bytes, false);
    }
    if (!std::equal(told.begin() + static_cast<std::ptrdiff_t>(first), told.end(),
                    written.begin() + static_cast<std::ptrdiff_t>(first))) {
      return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("what the host has written is right to the byte, also after empty writes and removals") {
  constexpr std::size_t kBytes = 96;
  const char memory[kBytes]{};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    HostWrites writes;
    std::vector<bool> written(kBytes, false);
    for (int step = 0; step < 60; ++step) {
      const std::size_t from = random.below(kBytes);
      const std::size_t bytes = random.below(std::min<std::size_t>(kBytes - from, 24) + 1);
      const bool add = random.below(5) < 3;
      add ? writes.add(memory + from, bytes) : writes.remove(memory + from, bytes);
      for (std::size_t i = from; i < from + bytes; ++i) written[i] = add;
      std::size_t wrong = 0;
      for (std::size_t first = 0; first < kBytes; ++first) {
        bool all = true;
        for (std::size_t last = first; last < kBytes; ++last) {
          all = all && written[last];
          wrong += writes.contain(memory + first, last - first + 1) != all;
        }
      }
      REQUIRE(wrong == 0);
      REQUIRE(gaps_are_right(writes, memory, written));
    }
  }
}

TEST_CASE("a wait ends the copies of all committed batches but the last ones") {
  PendingCopies copies;
  for (unsigned site = 1; site <= 3; ++site) {
    copies.start(7, copy_of(site));
    copies.commit(7);
  }
  copies.start(7, copy_of(4));
  CHECK(copies.wait(7, 3).empty());
  CHECK(sites_of(copies.wait(7, 1)) == Sites{1, 2});
  CHECK(sites_of(copies.wait(7, 0)) == Sites{3});
  CHECK_FALSE(copies.none());
  CHECK(sites_of(copies.leave(7)) == Sites{4});
  CHECK(copies.none());
}

TEST_CASE("an empty batch counts among those a wait leaves") {
  PendingCopies copies;
  copies.start(1, copy_of(1));
  copies.commit(1);
  copies.commit(1);
  CHECK(sites_of(copies.wait(1, 1)) == Sites{1});
}

TEST_CASE("copies bound to a phase of a barrier end with it, and are waited for when somebody has seen that") {
  const int one = 0;
  const int other = 0;
  PendingCopies copies;
  for (unsigned thread = 1; thread <= 3; ++thread) copies.start(thread, copy_of(thread));
  copies.bind(1, 10, &one, false);
  copies.bind(2, 20, &other, false);
  copies.start(1, copy_of(4));
  CHECK(copies.wait(1, 0).empty());
  const PendingCopies::Bound done = copies.end(&one);
  REQUIRE(done.size() == 1);
  CHECK((done.front().thread == 1 && done.front().time == 10 && done.front().copy.site == 1));
  CHECK(copies.end(&one).empty());
  SECTION("nobody has seen it") {
    CHECK(sites_of(copies.leave(1)) == Sites{4, 1});
  }
  SECTION("somebody has") {
    copies.see(&one);
    CHECK(sites_of(copies.leave(1)) == Sites{4});
  }
  CHECK(sites_of(copies.leave(2)) == Sites{2});
  CHECK(sites_of(copies.leave(3)) == Sites{3});
  CHECK(copies.none());
}

TEST_CASE("a barrier may end what a thread has committed before") {
  const int barrier = 0;
  PendingCopies copies;
  copies.start(1, copy_of(1));
  copies.commit(1);
  copies.start(1, copy_of(2));
  copies.bind(1, 5, &barrier, true);
  CHECK(copies.end(&barrier).size() == 2);
  copies.see(&barrier);
  CHECK(copies.none());
}

TEST_CASE("lanes that are gone are held against the mask that names them") {
  const Site call{"a.cu", 7, 3};
  const Site other_call{"a.cu", 9, 3};
  constexpr std::uint64_t kAll = 0xf;
  constexpr std::uint64_t kLow = 0x3;
  constexpr std::uint64_t kHigh = 0xc;
  LaneMeetings meetings;
  SECTION("they came to the same call with another mask") {
    CHECK_FALSE(meetings.note(call, kHigh, kHigh, kAll));
    const auto other = meetings.note(call, kAll, kLow, kLow);
    REQUIRE(other);
    CHECK((other->mask == kHigh && other->lanes == kHigh));
  }
  SECTION("they came to it once before") {
    CHECK_FALSE(meetings.note(call, kHigh, kHigh, kAll));
    CHECK_FALSE(meetings.note(call, kLow, kLow, kLow));
    CHECK_FALSE(meetings.note(call, kAll, kLow, kLow));
  }
  SECTION("they came with the same mask") {
    CHECK_FALSE(meetings.note(call, kAll, kAll, kAll));
    CHECK_FALSE(meetings.note(call, kAll, kLow, kLow));
  }
  SECTION("they came to another call") {
    CHECK_FALSE(meetings.note(other_call, kHigh, kHigh, kAll));
    CHECK_FALSE(meetings.note(call, kAll, kLow, kLow));
  }
  SECTION("they are still there") {
    CHECK_FALSE(meetings.note(call, kHigh, kHigh, kAll));
    CHECK_FALSE(meetings.note(call, kLow, kLow, kAll));
  }
}

TEST_CASE("values are told as their type prints them") {
  alignas(8) const float floats[2] = {1.5F, -2.0F};
  CHECK(value_text(&floats[1], 4, "volatile float [2]", bytes_around(&floats[1])) == "-2");
  CHECK(value_text(&floats[0], 1, "float", bytes_around(&floats[0])) == "1.5");
  const double wide = 0.25;
  // A race is held against one word at a time.
  CHECK(value_text(reinterpret_cast<const char*>(&wide) + 4, 4, "double", bytes_around(&wide)) == "0.25");
  alignas(8) const unsigned char bytes[8] = {1, 2, 3, 4, 5, 250, 7, 8};
  CHECK(value_text(bytes + 5, 1, "unsigned char [8]", bytes_around(bytes)) == "250");
  alignas(8) const int number = -7;
  CHECK(value_text(&number, 4, "", bytes_around(&number)) == "-7");
  CHECK(value_text(bytes + 1, 2, "", bytes_around(bytes)).empty());
  CHECK(value_text(bytes, 4, "Tile<float, 16>", bytes_around(bytes)).empty());
}

TEST_CASE("a number is printed as its layout says") {
  using record::LayoutForm;
  using record::NumberForm;
  using record::TypeLayout;
  alignas(8) const float floats[2] = {0.5F, -2};
  const TypeLayout number{.form = LayoutForm::number, .encoding = NumberForm::floating_point, .bytes = 4};
  CHECK(value_text(&floats[1], number, bytes_around(floats)) == "-2");
  const TypeLayout pointer{.form = LayoutForm::pointer, .bytes = 8};
  CHECK(value_text(floats, pointer, bytes_around(floats)).empty());
}

TEST_CASE("cases fold by hazard and by both instructions") {
  Violations cases;
  REQUIRE(cases.last() == nullptr);
  REQUIRE(cases.add(ViolationKind::race, 1, 2) != nullptr);
  CHECK(cases.add(ViolationKind::race, 1, 2) == nullptr);
  CHECK(cases.last() == &cases.all().front());
  CHECK(cases.add(ViolationKind::race, 2, 1) != nullptr);
  CHECK(cases.add(ViolationKind::same_value, 1, 2) != nullptr);
  CHECK(cases.all().size() == 3);
  CHECK(cases.all().front().repeats == 1);
}

TEST_CASE("beyond the most cases new ones are dropped and known ones still counted") {
  Violations cases;
  for (unsigned site = 1; site <= Violations::kMost; ++site)
    REQUIRE(cases.add(ViolationKind::race, 0, site) != nullptr);
  CHECK(cases.add(ViolationKind::race, 0, Violations::kMost + 1) == nullptr);
  CHECK(cases.last() == nullptr);
  CHECK(cases.add(ViolationKind::race, 0, Violations::kMost) == nullptr);
  CHECK(cases.last() == &cases.all().back());
  CHECK(cases.dropped() == 1);
  CHECK(cases.all().size() == Violations::kMost);
  cases.clear();
  CHECK(cases.last() == nullptr);
  CHECK(cases.dropped() == 0);
}

TEST_CASE("A site is a number of its own for each way that calls lead to it, and keeps the instruction") {
  static const char code[2]{};
  const unsigned alone_here = number_of_site(&code[0]);
  const record::StackId outer = stack_of({7});
  const record::StackId inner = stack_of({5, 7});
  const unsigned by_one = number_of_site(alone_here, outer);
  const unsigned by_two = number_of_site(alone_here, inner);
  CHECK(by_one != alone_here);
  CHECK(by_two != by_one);
  CHECK(number_of_site(alone_here, inner) == by_two);
  for (const unsigned site : {alone_here, by_one, by_two}) {
    CHECK(alone(site) == alone_here);
    CHECK(instruction_of_site(site) == &code[0]);
  }
  CHECK(callers_of_site(by_two) == inner);
  CHECK(callers_of_site(alone_here) == record::StackId::none);
  CHECK(alone(number_of_site(number_of_site(&code[1]), outer)) != alone_here);
}

TEST_CASE("Of many ways to one pair of instructions a few are cases of their own, and the rest are counted") {
  static const char code{};
  const unsigned site = number_of_site(&code);
  Violations cases;
  constexpr unsigned kWays = 40;
  for (unsigned round = 0; round < 2; ++round) {
    for (std::uintptr_t way = 1; way <= kWays; ++way) {
      cases.add(ViolationKind::race, number_of_site(site, stack_of({way})), site);
    }
  }
  REQUIRE(cases.all().size() == Violations::kMostWays);
  std::uint64_t seen = 0;
  for (const Violation& one : cases.all()) seen += 1 + one.repeats;
  CHECK(seen == 2 * kWays);
  CHECK(cases.dropped() == 0);
}

// SPDX-License-Identifier: Apache-2.0
// Which flag or lock handed over between two threads, and which side has a fence.
#include "check/order/hand_overs.hpp"

#include <array>

#include "support/catch.hpp"

using namespace warpfiber::check;

namespace {

constexpr unsigned kBits = 8;
constexpr std::uint64_t kOne = 1U << kBits;    // thread 0 of block 1
constexpr std::uint64_t kOther = 2U << kBits;  // of block 2
constexpr AtomicUse kChange{.reads = true, .writes = true};
constexpr AtomicUse kLoad{.reads = true};
constexpr AtomicUse kExchange{.reads = true, .writes = true, .blind = true};

}  // namespace

TEST_CASE("a counter hands over from its first change, however often it is read") {
  HandOvers uses(kBits);
  unsigned flag = 0;
  uses.use(&flag, kChange, {kOne, 5, 11});
  CHECK_FALSE(uses.find(kOne, 5, kOther, {}).has_value());
  for (unsigned i = 0; i < 20; ++i) uses.use(&flag, kLoad, {kOther, 5, 12});
  const auto found = uses.find(kOne, 5, kOther, {});
  REQUIRE(found.has_value());
  CHECK(found->word == &flag);
  CHECK(found->set_site == 11);
  CHECK(found->seen_site == 12);
  CHECK_FALSE(found->is_lock);
  CHECK_FALSE(found->fenced_before_set);
  CHECK_FALSE(found->fenced_after_seen);
  CHECK_FALSE(uses.find(kOne, 6, kOther, {}).has_value());
  CHECK_FALSE(uses.find(kOne, 5, kOther, {&flag}).has_value());
  CHECK_FALSE(uses.find(kOne, 5, kOther, {nullptr, 11}).has_value());
}

TEST_CASE("a word whose old value is used keeps its place against sums that nobody reads") {
  HandOvers uses(kBits);
  constexpr AtomicUse kSum{.reads = true, .writes = true, .use_follows = true};
  std::array<unsigned, 256> bins{};
  unsigned count = 0;
  for (const std::uint64_t thread : {kOne, kOther}) {
    for (unsigned& bin : bins) uses.use(&bin, kSum, {thread, 5, 10});
    uses.fence(Scope::device, thread, 6);
    uses.use(&count, kSum, {thread, 6, 11});
    uses.uses_found(&count, thread);
  }
  uses.fence(Scope::device, kOther, 7);
  const auto found = uses.find(kOne + 1, 5, kOther, {&bins[1]});
  REQUIRE(found.has_value());
  CHECK(found->word == &count);
  CHECK(found->set_by == kOne);
  CHECK(found->fenced_before_set);
  CHECK(found->fenced_after_seen);
}

TEST_CASE("a fence after a word's first change is none before it") {
  HandOvers uses(kBits);
  unsigned flag = 0;
  uses.use(&flag, kChange, {kOne, 5, 11});
  uses.fence(Scope::device, kOne, 5);
  uses.use(&flag, kLoad, {kOther, 5, 12});
  uses.fence(Scope::device, kOther, 5);
  const auto found = uses.find(kOne, 5, kOther, {});
  REQUIRE(found.has_value());
  CHECK_FALSE(found->fenced_before_set);
  CHECK(found->fenced_after_seen);
}

TEST_CASE("a fence before a word's first change counts") {
  HandOvers uses(kBits);
  unsigned flag = 0;
  uses.fence(Scope::device, kOne, 5);
  uses.use(&flag, kChange, {kOne, 5, 11});
  uses.use(&flag, kLoad, {kOther, 5, 12});
  const auto found = uses.find(kOne, 5, kOther, {});
  REQUIRE(found.has_value());
  CHECK(found->fenced_before_set);
  CHECK_FALSE(found->fenced_after_seen);
}

TEST_CASE("a word that is taken and exchanged by one thread is a lock") {
  HandOvers uses(kBits);
  unsigned lock = 0;
  uses.use(&lock, kChange, {kOne, 5, 11});
  uses.use(&lock, kExchange, {kOne, 5, 12});
  uses.use(&lock, kChange, {kOther, 5, 13});
  const auto found = uses.find(kOne, 5, kOther, {});
  REQUIRE(found.has_value());
  CHECK(found->is_lock);
  CHECK(found->set_site == 12);
  CHECK(found->seen_site == 13);
}

TEST_CASE("bins around a flag do not take its place, and take each other's") {
  HandOvers uses(kBits);
  // Places are unique within an aligned line of 64 words; where the line begins may not depend on the stack.
  alignas(256) unsigned words[4096]{};
  uses.use(&words[0], kChange, {kOne, 5, 11});
  for (unsigned i = 1; i < 64; ++i) uses.use(&words[i], kChange, {kOne, 5, 20});
  uses.use(&words[0], kLoad, {kOther, 5, 12});
  CHECK(uses.find(kOne, 5, kOther, {}).has_value());
  for (unsigned i = 64; i < 4096; ++i) uses.use(&words[i], kChange, {kOne, 5, 20});
  CHECK_FALSE(uses.find(kOne, 5, kOther, {}).has_value());
}

TEST_CASE("a counter of more blocks than are kept reports all of them") {
  HandOvers uses(kBits);
  unsigned count = 0;
  for (std::uint64_t block = 1; block <= 20; ++block) {
    uses.fence(Scope::block, block << kBits, 4);
    uses.use(&count, kChange, {block << kBits, 5, 11});
  }
  uses.use(&count, kLoad, {30U << kBits, 5, 12});
  const auto found = uses.find(kOne, 5, 30U << kBits, {});
  REQUIRE(found.has_value());
  CHECK(found->is_guess);
  CHECK(found->set_by == kOne);
  CHECK(found->narrow_before_set);
  uses.use(&count, kChange, {kOther, 6, 13});
  uses.use(&count, kLoad, {30U << kBits, 5, 12});
  CHECK_FALSE(uses.find(kOne, 5, 30U << kBits, {}).has_value());
}

TEST_CASE("who sets a word for another thread of its block is told") {
  HandOvers uses(kBits);
  unsigned count = 0;
  uses.fence(Scope::device, kOne, 5);
  uses.use(&count, kChange, {kOne, 6, 11});
  uses.use(&count, kLoad, {kOther, 5, 12});
  uses.fence(Scope::device, kOther + 3, 5);
  const auto found = uses.find(kOne + 7, 5, kOther + 3, {});
  REQUIRE(found.has_value());
  CHECK(found->set_by == kOne);
  CHECK(found->fenced_before_set);
  CHECK(found->fenced_after_seen);
  CHECK_FALSE(found->is_guess);
}

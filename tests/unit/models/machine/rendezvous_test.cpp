// SPDX-License-Identifier: Apache-2.0
// Counting arrivals, exits and phases, without threads.
#include "machine/rendezvous.hpp"

#include <thread>
#include <vector>

#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::machine;

namespace {

constexpr Site kHere{"kernel.cu", 10, 3};
constexpr Site kThere{"kernel.cu", 20, 3};

/// As much of a barrier that kernels inline as arrive() needs.
struct Counts {
  unsigned arrived = 0;
  Site site{};
};

}  // namespace

TEST_CASE("each kind of rendezvous has its row") {
  for (std::size_t i = 0; i < kRendezvous.size(); ++i) {
    const auto kind = static_cast<RendezvousKind>(i);
    CAPTURE(i);
    CHECK(traits_of(kind).kind == kind);
  }
  CHECK(kRendezvous.size() == static_cast<std::size_t>(RendezvousKind::group) + 1);
}

TEST_CASE("threads wait for a phase of their own kind, or for one that has a phase") {
  for (const RendezvousTraits& row : kRendezvous) {
    CAPTURE(static_cast<unsigned>(row.kind));
    CHECK(has_phase(row.phase));
    CHECK(has_phase(row.kind) == (row.kind != RendezvousKind::split_barrier));
    CHECK(row.scope == traits_of(row.phase).scope);
  }
}

TEST_CASE("numbers and sets of members are complete when all have come") {
  CHECK_FALSE(is_complete(0U, 0U));
  CHECK_FALSE(is_complete(1U, 2U));
  CHECK(is_complete(2U, 2U));
  CHECK_FALSE(is_complete(std::uint64_t{5}, std::uint64_t{7}));
  CHECK(is_complete(std::uint64_t{7}, std::uint64_t{7}));
}

TEST_CASE("the last of the members completes a phase") {
  for (unsigned members = 1; members <= 64; members *= 2) {
    Rendezvous rendezvous;
    rendezvous.start(members);
    for (unsigned phase = 0; phase < 3; ++phase) {
      CHECK(rendezvous.phase == phase);
      CHECK_FALSE(rendezvous.is_open());
      for (unsigned i = 1; i < members; ++i) {
        CHECK_FALSE(rendezvous.arrive());
        CHECK(rendezvous.missing() == members - i);
        CHECK_FALSE(rendezvous.is_complete());
      }
      CHECK(rendezvous.arrive());
      CHECK(rendezvous.is_complete());
      CHECK(rendezvous.complete() == members);
    }
  }
}

TEST_CASE("warps of threads arrive at once") {
  Rendezvous rendezvous;
  rendezvous.start(96);
  CHECK_FALSE(rendezvous.arrive(32));
  CHECK_FALSE(rendezvous.arrive(32));
  CHECK(rendezvous.arrive(32));
}

TEST_CASE("a phase is complete when those who have not come leave") {
  Rendezvous rendezvous;
  rendezvous.start(4);
  rendezvous.arrive();
  rendezvous.arrive();
  rendezvous.leave();
  CHECK_FALSE(rendezvous.is_complete());
  rendezvous.leave();
  CHECK(rendezvous.is_complete());
  CHECK(rendezvous.complete() == 2);
  CHECK(rendezvous.members == 2);
}

TEST_CASE("a rendezvous that nobody has come to is not complete when all have left") {
  Rendezvous rendezvous;
  rendezvous.start(2);
  rendezvous.leave(2);
  CHECK_FALSE(rendezvous.is_complete());
}

TEST_CASE(
    "an arrival from another place is not counted where the rule asks "
    "for one place") {
  Counts same;
  CHECK(arrive(same, 2, SiteRule::same, kHere) == Arrival::waits);
  CHECK(arrive(same, 2, SiteRule::same, kThere) == Arrival::elsewhere);
  CHECK(same.arrived == 1);
  CHECK(arrive(same, 2, SiteRule::same, kHere) == Arrival::completes);

  Counts any;
  CHECK(arrive(any, 2, SiteRule::any, kHere) == Arrival::waits);
  CHECK(arrive(any, 2, SiteRule::any, kThere) == Arrival::completes);
  CHECK(any.site == kHere);
}

TEST_CASE("each phase may have a place of its own") {
  Counts counts;
  for (const Site& site : {kHere, kThere, kHere}) {
    CHECK(arrive(counts, 2, SiteRule::same, site) == Arrival::waits);
    CHECK(arrive(counts, 2, SiteRule::same, site) == Arrival::completes);
    counts.arrived = 0;
  }
}

TEST_CASE("one of several OS threads completes each phase of what they share") {
  constexpr unsigned kThreads = 4;
  constexpr unsigned kPhases = 200;
  SharedRendezvous shared;
  std::atomic<unsigned> last{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (unsigned phase = 0; phase < kPhases; ++phase) {
        if (shared.arrive(kThreads)) {
          last.fetch_add(1);
          shared.complete();
        }
        while (shared.phase() == phase) std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(last.load() == kPhases);
  CHECK(shared.phase() == kPhases);
}

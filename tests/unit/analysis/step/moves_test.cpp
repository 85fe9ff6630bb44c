// SPDX-License-Identifier: Apache-2.0
// Where each move of a stepper ends, and what is counted on the way.
#include <warpfiber/translated/statements.hpp>

#include <functional>
#include <vector>

#include "launches/observing/observers.hpp"
#include "step/observer.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using step::StepMove;
using step::StepState;
using step::StepStop;

namespace {

/// A stop, as a debugger sees it.
struct Seen {
  StepStop stop;
  std::uint64_t position;
  std::uint64_t launch;  // among those of the session, from 0
  std::uint64_t block;
  std::uint64_t thread;
  unsigned line;
  std::uint64_t epoch;
  friend bool operator==(const Seen&, const Seen&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Seen& seen) {
    return out << "stop " << static_cast<unsigned>(seen.stop) << " at " << seen.position << ": launch " << seen.launch
               << ", block " << seen.block << ", thread " << seen.thread << ", line " << seen.line << ", epoch "
               << seen.epoch;
  }
};

/// Launches while it lives are stepped through: at each stop the next of `moves` is asked for, about the thread that
/// runs.
class Session {
 public:
  struct Ask {
    StepMove move;
    std::uint64_t times = 1;
  };

  Session(std::uint64_t first, std::vector<Ask> moves) : stepper_(first, on_stop), moves_(std::move(moves)) {
    current() = this;
    launches::add_launch_observer(factory_);
  }
  ~Session() {
    launches::remove_launch_observer(factory_);
    current() = nullptr;
  }

  std::vector<Seen> seen;

  std::uint64_t count(unsigned line) const {
    stepper_.mutex.assume_alone();  // no launch runs any more
    std::uint64_t sum = 0;
    for (const step::StepFile& file : stepper_.counts.files()) sum += line < file.lines ? file.counts[line] : 0;
    return sum;
  }
  std::uint64_t position() const {
    stepper_.mutex.assume_alone();  // likewise
    return stepper_.state.position;
  }

 private:
  static Session*& current() {
    static Session* session = nullptr;
    return session;
  }

  static void on_stop(const StepState* state) { current()->note(*state); }

  void note(const StepState& state) {
    const auto& [launch, block, thread] = state.running;
    const step::StepBlock& running =
        *std::find_if(state.blocks, state.blocks + state.slots,
                      [rank = block](const auto& one) { return one.places != nullptr && one.rank == rank; });
    if (seen.empty()) first_launch_ = launch;
    seen.push_back({state.stop, state.position, launch - first_launch_, block, thread, running.places[thread].line,
                    running.epoch});
    stepper_.mutex.assume_held();  // at a stop
    StepState& asked = stepper_.state;
    if (seen.size() > moves_.size()) return;
    asked.move = moves_[seen.size() - 1].move;
    asked.times = moves_[seen.size() - 1].times;
    asked.moving = state.running;
    asked.from = running.epoch;
  }

  step::Stepper stepper_;
  step::StepFactory factory_{stepper_};
  std::vector<Ask> moves_;
  std::uint64_t first_launch_ = 0;
};

/// Two statements, a barrier, and one behind it; odd threads have another one in front of it.
void launch_with_barrier(unsigned blocks = 2, unsigned threads = 64) {
  good_launch({.grid = blocks, .block = threads, .workers = 1}, [] {
    cuda::Reports reports(false);
    reports.statement(10);
    if (threadIdx.x % 2 == 1) reports.statement(11);
    reports.statement(12);
    __syncthreads();
    reports.statement(13);
  });
}

/// No thread waits.
void launch_without_wait() {
  good_launch({.grid = 2, .block = 4, .workers = 1}, [] {
    cuda::Reports reports(false);
    reports.statement(20);
    reports.statement(21);
  });
}

}  // namespace

TEST_CASE("statements are counted by line") {
  Session session(0, {});
  launch_with_barrier();
  CHECK(session.count(10) == 128);
  CHECK(session.count(11) == 64);
  CHECK(session.count(13) == 128);
  CHECK(session.position() == 128 * 3 + 64);
  CHECK(session.seen.empty());
}

TEST_CASE("a position names the same statement in each run") {
  for (int run = 0; run < 2; ++run) {
    Session session(7, {});
    launch_with_barrier();
    CHECK(session.seen == std::vector<Seen>{{StepStop::position, 7, 0, 0, 2, 12, 0}});
  }
}

TEST_CASE("a thread is followed over a barrier that others have to reach first") {
  Session session(1, {{StepMove::line}, {StepMove::line}});
  launch_with_barrier();
  CHECK(session.seen == std::vector<Seen>{{StepStop::position, 1, 0, 0, 0, 10, 0},
                                          {StepStop::move, 2, 0, 0, 0, 12, 0},
                                          {StepStop::move, 162, 0, 0, 0, 13, 1}});
}

TEST_CASE("a thread that has returned ends a move by lines in the next one's first") {
  SECTION("it has waited") {
    Session session(161, {{StepMove::line, 5}});
    launch_with_barrier();
    CHECK(session.seen.back() == Seen{StepStop::returned, 162, 0, 0, 0, 13, 1});
  }
  SECTION("it has not") {
    Session session(1, {{StepMove::line}, {StepMove::line}});
    launch_without_wait();
    CHECK(session.seen.back() == Seen{StepStop::returned, 3, 0, 0, 1, 20, 0});
  }
  SECTION("it was the last of its block") {
    Session session(8, {{StepMove::line}});
    launch_without_wait();
    CHECK(session.seen.back() == Seen{StepStop::returned, 9, 0, 1, 0, 20, 0});
  }
  SECTION("it was the last of its launch") {
    Session session(16, {{StepMove::line}});
    launch_without_wait();
    launch_without_wait();
    CHECK(session.seen.back() == Seen{StepStop::returned, 17, 1, 0, 0, 20, 0});
  }
}

TEST_CASE("moves to another lane, warp, epoch, block and launch") {
  Session session(1, {{StepMove::lane}, {StepMove::warp}, {StepMove::epoch}, {StepMove::block}, {StepMove::launch}});
  launch_with_barrier();
  launch_with_barrier();
  CHECK(session.seen == std::vector<Seen>{{StepStop::position, 1, 0, 0, 0, 10, 0},
                                          {StepStop::move, 3, 0, 0, 1, 10, 0},
                                          {StepStop::move, 81, 0, 0, 32, 10, 0},
                                          {StepStop::move, 161, 0, 0, 63, 13, 1},  // the last to come goes on first
                                          {StepStop::move, 225, 0, 1, 0, 10, 0},
                                          {StepStop::move, 449, 1, 0, 0, 10, 0}});
}

TEST_CASE("a move is repeated") {
  Session session(1, {{StepMove::lane, 3}, {StepMove::line, 2}});
  launch_with_barrier();
  CHECK(session.seen == std::vector<Seen>{{StepStop::position, 1, 0, 0, 0, 10, 0},
                                          {StepStop::move, 8, 0, 0, 3, 10, 0},
                                          {StepStop::move, 10, 0, 0, 3, 12, 0}});
}

TEST_CASE("an epoch ends with its block where no barrier follows") {
  Session session(161, {{StepMove::epoch}});
  launch_with_barrier();
  CHECK(session.seen.back() == Seen{StepStop::returned, 225, 0, 1, 0, 10, 0});
}

TEST_CASE("under a random schedule a thread is followed as well") {
  Session session(1, {{StepMove::line}, {StepMove::line}, {StepMove::line}});
  good_launch({.block = 64, .workers = 1, .policy = "random", .seed = 3}, [] {
    cuda::Reports reports(false);
    reports.statement(10);
    __syncwarp();
    reports.statement(11);
    __syncthreads();
    reports.statement(12);
  });
  REQUIRE(session.seen.size() == 4);
  CHECK(session.seen[1].thread == session.seen[0].thread);
  CHECK(session.seen[1].line == 11);
  CHECK(session.seen[2].thread == session.seen[0].thread);
  CHECK(session.seen[2].line == 12);
  CHECK(session.seen[3].stop == StepStop::returned);
}

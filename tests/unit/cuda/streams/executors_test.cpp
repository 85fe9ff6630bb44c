// SPDX-License-Identifier: Apache-2.0
// How many threads are made, sleep and are woken. The test and the threads hold the mutex of the queues whenever they
// look, so that what one of them does before it waits has happened for the others.
#include "streams/host/executors.hpp"

#include <atomic>
#include <chrono>
#include <optional>

#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::streams;

namespace {

std::atomic<unsigned> made{0};

/// Threads that sleep whenever they are not woken.
class Sleepers {
 public:
  Sleepers() { made = 0; }

  /// Wakes threads and makes them until so many look for work, and waits until all of these sleep again.
  void employ(unsigned threads) WARPFIBER_REQUIRES(queues_mutex()) {
    const unsigned before = rounds_;
    all.employ(threads);
    while (rounds_ != before + threads) changed_.wait(queues_mutex());
  }

  Executors all{[] { ++made; }, [this](Executor&) { serve(); }};

 private:
  void serve() {
    const base::Lock lock(queues_mutex());
    do {
      ++rounds_;
      changed_.notify_all();
    } while (all.sleep(std::nullopt) && !all.are_dismissed());
  }

  base::Condition changed_;
  unsigned rounds_ WARPFIBER_GUARDED_BY(queues_mutex()) = 0;
};

}  // namespace

TEST_CASE("threads that sleep are woken before others are made") {
  Sleepers threads;
  {
    const base::Lock lock(queues_mutex());
    threads.employ(2);
    CHECK(made == 2);
    threads.employ(1);
    threads.employ(2);
    CHECK(made == 2);
    threads.employ(3);
    CHECK(made == 3);
    CHECK_FALSE(threads.all.are_short());
    threads.all.dismiss();
  }
  threads.all.join();
}

TEST_CASE("nobody is employed where others look for work, or after the end") {
  Sleepers threads;
  {
    const base::Lock lock(queues_mutex());
    threads.all.begin_looking();
    CHECK(threads.all.employ(1));
    CHECK(made == 0);
    threads.all.end_looking();
    threads.all.dismiss();
    CHECK(threads.all.employ(1));
    CHECK(made == 0);
  }
  threads.all.join();
}

TEST_CASE("a thread that nobody wakes looks for work again when its time is over") {
  Sleepers threads;
  const base::Lock lock(queues_mutex());
  threads.all.begin_looking();
  CHECK_FALSE(threads.all.sleep(std::chrono::milliseconds(1)));
  CHECK(threads.all.employ(1));
  CHECK(made == 0);
}

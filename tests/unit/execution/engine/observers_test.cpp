// SPDX-License-Identifier: Apache-2.0
// What observers of launches hear of blocks, threads and barriers, whoever runs next and on however many workers.
#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "launches/observing/observers.hpp"
#include "record/observer.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
namespace record = warpfiber::record;
namespace memory = warpfiber::memory;

namespace {

struct EventCounts {
  std::atomic<unsigned> launches{0};
  std::atomic<unsigned> blocks_begun{0};
  std::atomic<unsigned> blocks_ended{0};
  std::atomic<unsigned> threads_begun{0};
  std::atomic<unsigned> threads_ended{0};
  std::atomic<unsigned> releases[4]{};  // by width
  std::atomic<bool> consistent{true};

  unsigned released(record::Width width) const { return releases[static_cast<unsigned>(width)]; }
};

/// Counts events of one worker, and checks that they fit each other.
class EventCounter final : public record::Observer {
 public:
  EventCounter(EventCounts& counts, bool threads) : counts_(counts), threads_(threads) {}

  bool observes_threads() const override { return threads_; }
  void launch_begin(const record::LaunchBegin& launch) override {
    expect(!open_);
    open_ = true;
    if (launch.worker == 0) ++counts_.launches;
  }
  void launch_end(const record::LaunchEnd&) override {
    expect(open_);
    open_ = false;
  }
  void block_begin(const record::BlockId& block, const memory::SharedArena&) override {
    ++counts_.blocks_begun;
    if (resident_.size() <= block.slot) resident_.resize(block.slot + 1);
    expect(open_ && !resident_[block.slot].has_value());
    resident_[block.slot] = block.rank;
  }
  void block_end(const record::BlockId& block) override {
    ++counts_.blocks_ended;
    expect(is_resident(block));
    resident_[block.slot].reset();
  }
  void block_runs(const record::BlockId& block) override { expect(is_resident(block)); }
  void threads_begin(const record::ThreadRange& threads) override {
    expect(is_resident(threads.block));
    counts_.threads_begun += threads.last - threads.first;
  }
  void threads_end(const record::ThreadRange& threads) override {
    expect(is_resident(threads.block));
    counts_.threads_ended += threads.last - threads.first;
  }
  void release(const record::Release& threads) override {
    expect(std::ranges::all_of(threads.blocks, [this](const record::BlockId& block) { return is_resident(block); }));
    ++counts_.releases[static_cast<unsigned>(threads.width)];
  }

 private:
  bool is_resident(const record::BlockId& block) const {
    return block.slot < resident_.size() && resident_[block.slot] == block.rank;
  }
  void expect(bool holds) {
    if (!holds) counts_.consistent = false;
  }

  EventCounts& counts_;
  bool threads_;
  bool open_ = false;
  std::vector<std::optional<std::uint64_t>> resident_;  // ranks by slot
};

/// While it lives, events of launches are counted.
class CountedLaunches final : public record::ObserverFactory {
 public:
  explicit CountedLaunches(bool threads = true) : threads_(threads) { launches::add_launch_observer(*this); }
  ~CountedLaunches() { launches::remove_launch_observer(*this); }
  std::unique_ptr<record::Observer> make() override { return std::make_unique<EventCounter>(counts, threads_); }

  EventCounts counts;

 private:
  bool threads_;
};

}  // namespace

TEST_CASE("an observer sees each block, thread and barrier of a launch once") {
  const Way way = every_way();
  const unsigned threads = GENERATE(1U, 33U, 96U);
  CAPTURE(way, threads);
  CountedLaunches counted;
  good_launch(way.apply({.grid = 7, .block = threads}), [] {
    __syncthreads();
    if (threadIdx.x % 3 == 0) return;
    __syncthreads();
  });
  CHECK(counted.counts.launches == 1);
  CHECK(counted.counts.blocks_begun == 7);
  CHECK(counted.counts.blocks_ended == 7);
  CHECK(counted.counts.threads_begun == 7 * threads);
  CHECK(counted.counts.threads_ended == 7 * threads);
  CHECK(counted.counts.released(record::Width::block) == (threads == 1 ? 7 : 14));
  CHECK(counted.counts.consistent);
}

TEST_CASE("an observer sees threads that never wait, in launches of many blocks") {
  const Way way = every_way();
  CAPTURE(way);
  CountedLaunches counted;
  std::vector<int> out(300 * 40);
  good_launch(way.apply({.grid = 300, .block = 40}), [&out] { out[blockIdx.x * 40 + threadIdx.x] = 1; });
  good_launch(way.apply({.grid = 300, .block = 40}), [] {});
  CHECK(counted.counts.launches == 2);
  CHECK(counted.counts.blocks_ended == 600);
  CHECK(counted.counts.threads_begun == 600 * 40);
  CHECK(counted.counts.threads_ended == 600 * 40);
  CHECK(counted.counts.consistent);
}

TEST_CASE("an observer sees lanes that meet, and the barriers of clusters and grids") {
  const Way way = every_way();
  CAPTURE(way);
  CountedLaunches counted;
  good_launch(way.apply({.grid = 2, .block = 64}), [] { __shfl_xor_sync(~LaneBits{0}, threadIdx.x, 1); });
  CHECK(counted.counts.released(record::Width::warp) == 4);
  good_launch(way.apply({.grid = 4, .block = 32, .cluster = 2}), [] { sync_cluster(); });
  CHECK(counted.counts.released(record::Width::cluster) == 2);
  good_launch(way.apply({.grid = 4, .block = 32, .cooperative = true}), [] { sync_grid(); });
  CHECK(counted.counts.released(record::Width::grid) == 1);
  CHECK(counted.counts.launches == 3);
  CHECK(counted.counts.consistent);
}

TEST_CASE("an observer that asks for no threads hears of none") {
  CountedLaunches counted(false);
  good_launch({.grid = 2, .block = 64}, [] { __syncthreads(); });
  CHECK(counted.counts.blocks_ended == 2);
  CHECK(counted.counts.threads_begun == 0);
  CHECK(counted.counts.threads_ended == 0);
}

TEST_CASE("several observers hear the same, and nothing of launches before and after") {
  good_launch({.block = 64}, [] { __syncthreads(); });
  {
    CountedLaunches one;
    CountedLaunches other;
    good_launch({.block = 64}, [] { __syncthreads(); });
    for (const CountedLaunches* counted : {&one, &other}) {
      CHECK(counted->counts.launches == 1);
      CHECK(counted->counts.threads_ended == 64);
      CHECK(counted->counts.released(record::Width::block) == 1);
    }
  }
  check_correct_launch();
}

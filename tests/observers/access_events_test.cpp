// SPDX-License-Identifier: Apache-2.0
// What observers see of the accesses and fences of a program that is built with hooks, and that they change nothing.
#include <warpfiber/testing.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "launches/observing/observers.hpp"
#include "observers/kernels.hpp"
#include "record/observer.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using record::AccessKind;
using record::AccessScope;
using record::MemoryAccess;

namespace {

struct AccessLog {
  std::vector<MemoryAccess> accesses;
  std::vector<AccessScope> fences;

  std::size_t count(const Buffer<unsigned>& buffer, bool reads, bool writes, AccessKind kind) const {
    const auto* begin = reinterpret_cast<const char*>(buffer.data());
    return static_cast<std::size_t>(std::ranges::count_if(accesses, [&](const MemoryAccess& access) {
      const auto* at = static_cast<const char*>(access.address);
      return at >= begin && at < begin + buffer.size() * sizeof(unsigned) && access.reads == reads &&
             access.writes == writes && access.kind == kind && access.bytes == sizeof(unsigned);
    }));
  }
};

class AccessObserver final : public record::Observer {
 public:
  explicit AccessObserver(AccessLog& log) : log_(log) {}
  bool observes_accesses() const override { return true; }
  void access(const MemoryAccess& access) override { log_.accesses.push_back(access); }
  void fence(AccessScope scope) override { log_.fences.push_back(scope); }

 private:
  AccessLog& log_;
};

/// While it lives, accesses of launches are logged.
class LoggedAccesses final : public record::ObserverFactory {
 public:
  LoggedAccesses() { launches::add_launch_observer(*this); }
  ~LoggedAccesses() { launches::remove_launch_observer(*this); }
  std::unique_ptr<record::Observer> make() override { return std::make_unique<AccessObserver>(log); }

  AccessLog log;
};

/// One that does not ask for accesses.
class BlockObserver final : public record::Observer {
 public:
  explicit BlockObserver(unsigned& events) : events_(events) {}
  void block_begin(const record::BlockId&, const memory::SharedArena&) override { ++events_; }
  void access(const MemoryAccess&) override { events_ += 1000; }

 private:
  unsigned& events_;
};

class CountedBlocks final : public record::ObserverFactory {
 public:
  CountedBlocks() { launches::add_launch_observer(*this); }
  ~CountedBlocks() { launches::remove_launch_observer(*this); }
  std::unique_ptr<record::Observer> make() override { return std::make_unique<BlockObserver>(events); }

  unsigned events = 0;
};

/// The id and the report of what the checker finds in a launch with a race.
std::string found_race(Buffer<unsigned>& words) {
  const testing::FoundErrors found;
  race(words.data(), static_cast<unsigned>(words.size()));
  return found.first_id() == nullptr ? "" : std::string(found.first_id()) + '\n' + found.first_report();
}

}  // namespace

TEST_CASE("an observer sees each access of each thread, in all policies") {
  constexpr unsigned kThreads = 70;
  const char* policy = GENERATE("in-order", "random", "lock-step");
  CAPTURE(policy);
  const Buffer<unsigned> in(std::vector<unsigned>(kThreads, 5));
  Buffer<unsigned> out(kThreads);
  LoggedAccesses logged;
  REQUIRE(copy_words(in.data(), out.data(), kThreads, policy).ok());
  CHECK(logged.log.count(in, true, false, AccessKind::plain) == kThreads);
  CHECK(logged.log.count(out, false, true, AccessKind::plain) == kThreads);
  std::set<const void*> written;
  for (const MemoryAccess& access : logged.log.accesses) {
    CHECK(access.instruction != nullptr);
    if (access.writes) written.insert(access.address);
  }
  CHECK(written.size() == kThreads);
  CHECK(out.download() == std::vector<unsigned>(kThreads, 5));
}

TEST_CASE("an observer sees atomics with their scope, volatile reads, and fences") {
  constexpr unsigned kThreads = 40;
  Buffer<unsigned> word(std::vector<unsigned>{0});
  LoggedAccesses logged;
  REQUIRE(count_threads(word.data(), kThreads).ok());
  CHECK(logged.log.count(word, true, true, AccessKind::atomic) == kThreads);
  CHECK(logged.log.accesses.front().scope == AccessScope::device);
  CHECK(std::ranges::count(logged.log.fences, AccessScope::device) == kThreads);
  CHECK(std::ranges::count(logged.log.fences, AccessScope::block) == kThreads);
  REQUIRE(poll_word(word.data(), kThreads).ok());
  CHECK(logged.log.count(word, true, false, AccessKind::is_volatile) == kThreads);
}

TEST_CASE("an observer of accesses changes no finding") {
  Buffer<unsigned> words(64);
  const std::string alone = found_race(words);
  CHECK(alone.starts_with("race-global\n"));
  const LoggedAccesses logged;
  CHECK(found_race(words) == alone);
  CHECK_FALSE(logged.log.accesses.empty());
}

TEST_CASE("an observer that asks for no accesses sees none next to one that does") {
  const Buffer<unsigned> in(std::vector<unsigned>(32, 1));
  Buffer<unsigned> out(32);
  const CountedBlocks blocks;
  REQUIRE(copy_words(in.data(), out.data(), 32, "in-order").ok());
  const LoggedAccesses logged;
  REQUIRE(copy_words(in.data(), out.data(), 32, "in-order").ok());
  CHECK(blocks.events == 2);
  CHECK(logged.log.accesses.size() == 64);
}

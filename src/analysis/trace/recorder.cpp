// SPDX-License-Identifier: Apache-2.0
// Which blocks findings name is known only when the launch ends. Until then the events of all blocks are kept, those of
// the oldest that ended are dropped first, and at the end those of the sample remain.
#include "trace/recorder.hpp"

#include <warpfiber/detail/collective.hpp>
#include <warpfiber/detail/current_thread.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/random.hpp"
#include "memory/objects.hpp"
#include "memory/shared_arena.hpp"
#include "trace/trace.hpp"
#include "trace/watch/sampler.hpp"

namespace warpfiber::trace {
namespace {

/// How often a thread has come to an instruction since its block's last barrier.
struct SeenAccess {
  std::uint32_t epoch = 0;
  std::uint32_t count = 0;
  std::uint32_t event = 0;  // the last that was kept
};

struct RecordedBlock {
  BlockTrace trace;
  const memory::SharedArena* shared = nullptr;
  std::uint32_t epoch = 1;
  std::size_t accesses = 0;
  bool in_sample = false;
  std::vector<std::vector<SeenAccess>> seen;  // by site and thread
  WatchedBlock watched;
};

class SiteTable {
 public:
  std::uint32_t of(const void* instruction) {
    if (instruction == last_ && !sites_.empty()) return last_index_;
    const auto [found, fresh] = by_instruction_.try_emplace(instruction, sites_.size());
    if (fresh) sites_.push_back({.instruction = instruction});
    last_ = instruction;
    return last_index_ = static_cast<std::uint32_t>(found->second);
  }

  std::uint32_t of(const Site& site) {
    for (const std::size_t call : calls_) {
      if (sites_[call].site == site) return static_cast<std::uint32_t>(call);
    }
    calls_.push_back(sites_.size());
    sites_.push_back({.site = site});
    return static_cast<std::uint32_t>(calls_.back());
  }

  TraceSite& operator[](std::uint32_t index) { return sites_[index]; }
  std::vector<TraceSite> take() { return std::move(sites_); }

 private:
  std::vector<TraceSite> sites_;
  std::vector<std::size_t> calls_;
  std::unordered_map<const void*, std::size_t> by_instruction_;
  const void* last_ = nullptr;
  std::uint32_t last_index_ = 0;
};

class TraceRecorder final : public record::Observer {
 public:
  TraceRecorder(Trace& trace, const Watches& watches) : trace_(trace), watches_(watches) {}

  bool observes_threads() const override { return true; }
  bool observes_accesses() const override { return true; }

  void launch_begin(const record::LaunchBegin& launch) override {
    launch_ = {.facts = launch.facts,
               .kernel = launch.kernel,
               .number = launch.order.number,
               .stream = launch.order.stream,
               .begin = trace_.next_step(),
               .found = {},
               .watched = {},
               .workers = {}};
    worker_.worker = launch.worker;
    grid_ = launch.grid;
    blocks_of_grid_ = base::volume(launch.grid);
    threads_ = launch.block.x * launch.block.y * launch.block.z;
    warp_size_ = launch.warp_size;
    sampled_ = sampled_block(launch.order.number, blocks_of_grid_);
    if (!watches_.expressions.empty()) begin_watching(launch);
  }

  void launch_end(const record::LaunchEnd& end) override {
    launch_.end = trace_.next_step();
    std::vector<std::uint64_t> named;
    const auto add = [&](const record::Finding& finding) {
      if (std::ranges::find(launch_.found, finding.verdict) == launch_.found.end())
        launch_.found.push_back(finding.verdict);
      std::ranges::copy(blocks_of(finding, grid_), std::back_inserter(named));
    };
    if (end.ended_by.has_value()) add(*end.ended_by);
    std::ranges::for_each(end.found, add);
    if (named.size() > kBlocksOfFindings) named.resize(kBlocksOfFindings);
    keep_sample(named);
    worker_.sites = sites_.take();
    trace_.add(std::move(launch_), std::move(worker_));
  }

  void block_begin(const record::BlockId& block, const memory::SharedArena& shared) override {
    if (block.slot >= resident_.size()) resident_.resize(block.slot + 1);
    auto made = std::make_unique<RecordedBlock>();
    made->trace = {.rank = block.rank, .slot = block.slot, .begin = trace_.next_step(), .events = {}};
    made->shared = &shared;
    if (!sampler_.is_idle()) made->watched = sampler_.block_begins(block.rank, shared);
    made->in_sample = block.rank == 0 || block.rank + 1 == blocks_of_grid_ || block.rank == sampled_;
    resident_[block.slot] = std::move(made);
    if (running_ == nullptr) running_ = resident_[block.slot].get();
  }

  void block_end(const record::BlockId& block) override {
    if (block.slot >= resident_.size() || resident_[block.slot] == nullptr) return;
    std::unique_ptr<RecordedBlock> ended = std::move(resident_[block.slot]);
    if (running_ == ended.get()) running_ = nullptr;
    ended->trace.end = trace_.next_step();
    watch(*ended, ended->trace.end);
    retire(std::move(ended));
    make_room();
  }

  void block_runs(const record::BlockId& block) override { running_ = find(block); }

  void threads_begin(const record::ThreadRange& threads) override { add(TraceEventKind::threads_begin, threads); }
  void threads_end(const record::ThreadRange& threads) override { add(TraceEventKind::threads_end, threads); }

  void release(const record::Release& threads) override {
    TraceEvent event{.step = trace_.next_step(),
                     .site = sites_.of(threads.site),
                     .kind = TraceEventKind::release,
                     .width = threads.width};
    if (!threads.threads.empty()) return add_group(event, threads);
    if (threads.lanes != 0) {
      event.address = threads.lanes;
      event.thread = threads.warp;
      event.count = static_cast<std::uint32_t>(std::popcount(threads.lanes));
    } else {
      event.count = threads_;
    }
    for (const record::BlockId& id : threads.blocks) {
      RecordedBlock* const block = find(id);
      if (block == nullptr) continue;
      add(*block, event);
      if (threads.lanes != 0) continue;
      ++block->epoch;
      watch(*block, event.step);
    }
  }

  void arrive(const void* /*phase*/) override { add_of_running(TraceEventKind::arrive, 0); }
  void wait(const void* /*phase*/) override { add_of_running(TraceEventKind::wait, 0); }

  void phase_end(const record::PhaseEnd& phase) override {
    const TraceStep step = trace_.next_step();
    for (const std::unique_ptr<RecordedBlock>& block : resident_) {
      if (block == nullptr) continue;
      std::uint32_t waiting = 0;
      for (const record::ThreadId& thread : phase.waiting) waiting += thread.block.rank == block->trace.rank ? 1U : 0U;
      if (waiting != 0 || block.get() == running_)
        add(*block, {.step = step, .count = waiting, .kind = TraceEventKind::phase_end});
    }
  }

  void fence(record::AccessScope /*scope*/) override { add_of_running(TraceEventKind::fence, 0); }

  void access(const record::MemoryAccess& access) override {
    const TraceStep step = trace_.next_step();
    ++worker_.accesses;
    const std::uint32_t site = sites_.of(access.instruction);
    sites_[site].reads += access.reads ? 1 : 0;
    sites_[site].writes += access.writes ? 1 : 0;
    RecordedBlock* const block = running_;
    if (block == nullptr) return;
    const unsigned thread = detail::thread_rank();
    SeenAccess* const seen = seen_at(*block, site, thread);
    if (seen == nullptr || !has_room(*block)) {
      ++block->trace.left_out;
      return;
    }
    if (seen->epoch != block->epoch) *seen = {.epoch = block->epoch};
    TraceEvent event = event_of(*block, access);
    if (seen->count++ >= kEachThread) {
      TraceEvent& kept = block->trace.events[seen->event];
      ++kept.repeats;
      kept.spins += kept.address == event.address ? 1 : 0;
      kept.last = step;
      return;
    }
    event.step = event.last = step;
    event.thread = thread;
    event.site = site;
    seen->event = static_cast<std::uint32_t>(block->trace.events.size());
    ++block->accesses;
    others_ += block->in_sample ? 0 : 1;
    block->trace.events.push_back(event);
  }

 private:
  void begin_watching(const record::LaunchBegin& launch) {
    sampler_.begin(watches_.expressions, {.kernel = launch.kernel,
                                          .arguments = static_cast<const char*>(launch.arguments),
                                          .argument_bytes = launch.argument_bytes,
                                          .device = detail::current_thread.device,
                                          .grid = launch.grid,
                                          .block = launch.block,
                                          .warp_size = launch.warp_size,
                                          .kernel_name = watches_.kernel_name(launch.kernel),
                                          .shared_tag = watches_.shared_tag(launch.kernel)});
    launch_.watched = sampler_.described();
  }

  /// An epoch of the block ends.
  void watch(RecordedBlock& block, TraceStep step) {
    if (sampler_.is_idle()) return;
    const std::size_t changes = sampler_.sample(block.watched, block.trace.watched, step);
    others_ += block.in_sample ? 0 : changes;
  }

  RecordedBlock* find(const record::BlockId& block) const {
    return block.slot < resident_.size() ? resident_[block.slot].get() : nullptr;
  }

  void add(RecordedBlock& block, const TraceEvent& event) {
    if (block.trace.events.size() < 2 * kEventsOfBlock) block.trace.events.push_back(event);
  }

  void add(TraceEventKind kind, const record::ThreadRange& threads) {
    RecordedBlock* const block = find(threads.block);
    const TraceStep step = trace_.next_step();
    if (block == nullptr) return;
    add(*block, {.step = step, .thread = threads.first, .count = threads.last - threads.first, .kind = kind});
  }

  void add_of_running(TraceEventKind kind, std::uint32_t site) {
    const TraceStep step = trace_.next_step();
    if (running_ == nullptr) return;
    add(*running_, {.step = step, .thread = detail::thread_rank(), .count = 1, .site = site, .kind = kind});
  }

  /// Threads of a group may be of several warps: an event for each.
  void add_group(TraceEvent event, const record::Release& group) {
    RecordedBlock* const block = find(group.blocks.front());
    if (block == nullptr) return;
    for (std::size_t at = 0; at < group.threads.size();) {
      event.thread = group.threads[at] / warp_size_;
      event.address = 0;
      event.count = 0;
      for (; at < group.threads.size() && group.threads[at] / warp_size_ == event.thread; ++at, ++event.count)
        event.address |= std::uint64_t{1} << group.threads[at] % warp_size_;
      add(*block, event);
    }
  }

  bool has_room(const RecordedBlock& block) const {
    return block.accesses < kEventsOfBlock && (block.in_sample || others_ < kEventsOfOthers);
  }

  SeenAccess* seen_at(RecordedBlock& block, std::uint32_t site, unsigned thread) {
    if (site >= block.seen.size()) block.seen.resize(site + 1);
    std::vector<SeenAccess>& threads = block.seen[site];
    if (threads.empty()) {
      const std::size_t bytes = threads_ * sizeof(SeenAccess);
      if (seen_bytes_ + bytes > kSeenBytes) return nullptr;
      seen_bytes_ += bytes;
      threads.resize(threads_);
    }
    return &threads[thread];
  }

  TraceEvent event_of(const RecordedBlock& block, const record::MemoryAccess& access) {
    TraceEvent event{.address = reinterpret_cast<std::uintptr_t>(access.address),
                     .count = static_cast<std::uint32_t>(access.bytes)};
    event.flags = static_cast<std::uint8_t>((access.reads ? kReads : 0) | (access.writes ? kWrites : 0) |
                                            (access.kind == record::AccessKind::atomic ? kAtomic : 0) |
                                            (access.kind == record::AccessKind::is_volatile ? kVolatile : 0));
    const auto* const at = static_cast<const char*>(access.address);
    const char* const shared = block.shared->base();
    const bool is_shared = shared != nullptr && at >= shared && at + access.bytes <= shared + block.shared->bytes();
    if (is_shared) {
      event.flags |= kShared;
      event.address = static_cast<std::uint64_t>(at - shared);
    }
    if (access.reads && access.bytes <= sizeof(event.value) && (is_shared || is_readable(at, access.bytes))) {
      std::memcpy(&event.value, at, access.bytes);
      event.flags |= kHasValue;
    }
    return event;
  }

  /// An access may be out of bounds, and is reported and stopped later.
  bool is_readable(const char* at, std::size_t bytes) {
    const std::uint64_t generation = memory::objects_generation();
    if (generation != generation_ || !range_.contains(at, bytes)) {
      range_ = memory::range_around(at);
      generation_ = generation;
    }
    return range_.kind.has_value() && !range_.freed && range_.contains(at, bytes);
  }

  /// The block runs no more.
  void retire(std::unique_ptr<RecordedBlock> block) {
    const BlockTrace& trace = block->trace;
    if (worker_.residencies.size() < kResidencies) {
      worker_.residencies.push_back({trace.rank, trace.slot, trace.begin, trace.end});
    } else {
      ++worker_.left_out_residencies;
    }
    if (block->in_sample) note_areas(*block);
    for (const auto& threads : block->seen) seen_bytes_ -= threads.size() * sizeof(SeenAccess);
    block->seen = {};
    block->watched.last = {};
    (block->in_sample ? sample_ : ended_).push_back(std::move(block));
  }

  /// The block's shared memory is still its own.
  static void note_areas(RecordedBlock& block) {
    std::vector<TraceArea>& areas = block.trace.areas;
    if (!areas.empty()) return;
    const char* const base = block.shared->base();
    for (const TraceEvent& event : block.trace.events) {
      if (event.kind != TraceEventKind::access || areas.size() == kAreasOfBlock) continue;
      const bool shared = (event.flags & kShared) != 0;
      const bool known = std::ranges::any_of(areas, [&](const TraceArea& area) {
        return area.shared == shared && event.address - area.address < area.bytes;
      });
      if (known) continue;
      const auto object = shared ? block.shared->object_at(base + event.address)
                                 : memory::object_at(reinterpret_cast<const void*>(event.address));
      if (!object.has_value() || object->bytes == 0) continue;
      const std::uint64_t address =
          shared ? static_cast<std::uint64_t>(object->base - base) : reinterpret_cast<std::uintptr_t>(object->base);
      areas.push_back({address, object->bytes, shared, object->name, object->type, object->made_by});
    }
  }

  /// Half of the room for blocks that are in no sample is for those that run.
  void make_room() {
    while (!ended_.empty() && (others_ > kEventsOfOthers / 2 || ended_.size() > kEventsOfOthers / 64)) {
      others_ -= ended_.front()->accesses + ended_.front()->watched.changes;
      ended_.pop_front();
      ++worker_.left_out_blocks;
    }
  }

  void keep_sample(const std::vector<std::uint64_t>& named) {
    for (std::unique_ptr<RecordedBlock>& block : resident_) {
      if (block == nullptr) continue;
      if (std::ranges::find(named, block->trace.rank) != named.end()) note_areas(*block);
      watch(*block, launch_.end);
      retire(std::move(block));
    }
    for (std::unique_ptr<RecordedBlock>& block : ended_) {
      if (std::ranges::find(named, block->trace.rank) != named.end()) {
        sample_.push_back(std::move(block));
      } else {
        ++worker_.left_out_blocks;
      }
    }
    std::ranges::sort(sample_, {}, [](const auto& block) { return block->trace.rank; });
    for (const std::unique_ptr<RecordedBlock>& block : sample_) {
      worker_.left_out_accesses += block->trace.left_out;
      worker_.blocks.push_back(std::move(block->trace));
    }
  }

  Trace& trace_;
  const Watches& watches_;
  WatchSampler sampler_;
  LaunchTrace launch_;
  WorkerTrace worker_;
  SiteTable sites_;
  base::Triple grid_{1, 1, 1};
  std::uint64_t blocks_of_grid_ = 1;
  std::uint64_t sampled_ = 0;
  unsigned threads_ = 1;
  unsigned warp_size_ = 32;
  std::vector<std::unique_ptr<RecordedBlock>> resident_;  // by slot
  RecordedBlock* running_ = nullptr;
  std::deque<std::unique_ptr<RecordedBlock>> ended_;
  std::deque<std::unique_ptr<RecordedBlock>> sample_;
  std::size_t others_ = 0;      // accesses that are kept of blocks in no sample
  std::size_t seen_bytes_ = 0;  // of all blocks' `seen`
  memory::AddressRange range_{};
  std::uint64_t generation_ = ~std::uint64_t{0};
};

}  // namespace

std::vector<std::uint64_t> blocks_of(const record::Finding& finding, const base::Triple& grid) {
  constexpr std::size_t kOfParty = 2;
  std::vector<std::uint64_t> blocks;
  for (const record::Party& party : finding.parties) {
    std::size_t count = 0;
    for (const record::Run& run : party.who.blocks) {
      const std::uint64_t last = base::linear_index(run.last, grid);
      for (std::uint64_t block = base::linear_index(run.first, grid); block <= last && count < kOfParty; ++block) {
        if (std::ranges::find(blocks, block) == blocks.end()) blocks.push_back(block);
        ++count;
      }
    }
  }
  return blocks;
}

std::uint64_t sampled_block(std::uint64_t launch, std::uint64_t blocks) {
  return base::mix(launch, blocks) % blocks;
}

std::unique_ptr<record::Observer> TraceFactory::make() {
  return std::make_unique<TraceRecorder>(trace_, watches_);
}

}  // namespace warpfiber::trace

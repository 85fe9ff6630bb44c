// SPDX-License-Identifier: Apache-2.0
// What the checker (src/check) is told of a launch: who is resident and who has met whom.
#include <sys/mman.h>

#include <algorithm>
#include <memory>
#include <span>
#include <unordered_map>

#include "base/ids.hpp"
#include "base/index.hpp"
#include "base/room.hpp"
#include "check/findings.hpp"
#include "engine/findings/findings.hpp"
#include "engine/own_scope.hpp"
#include "engine/worker.hpp"
#include "report/locate.hpp"
#include "report/symbolise.hpp"

namespace warpfiber::engine {

using detail::SplitBarrier;

namespace {

/// Whether a call returns to code of the user's. Reading debug information takes more stack than a fiber may have left.
check::IsUsers users_code() {
  return [symboliser = std::make_shared<report::Symboliser>()](std::uintptr_t returns_to) {
    bool found = false;
    const auto look = [&] { found = std::ranges::any_of(symboliser->frames(returns_to - 1), report::is_user_frame); };
    return base::with_room(look) && found;
  };
}

/// Whether threads of `block` have exited otherwise than by a `return`, which says where it stands.
bool ran_to_the_end(const ResidentBlock& block) {
  return block.threads - block.live > block.noted_returns;
}

/// What debug information knows of memory of the host, and of those who access it. Belongs to one worker.
class HostMemoryLookup {
 public:
  check::HostMemory operator()(const void* address, bool in_program, const void* instruction) {
    check::HostMemory made;
    made.of_library = is_of_library(instruction);
    made.is_judged = !made.of_library && !in_program;
    if (!made.of_library && in_program) add_variable(address, made);
    return made;
  }

 private:
  /// Whether the library itself makes the access, to what it keeps of blocks and groups.
  bool is_of_library(const void* instruction) {
    const auto [entry, fresh] = of_library_.try_emplace(instruction);
    if (fresh) entry->second = is_of_own_object(static_cast<const char*>(instruction) - 1);
    return entry->second;
  }

  /// Static variables of functions may be the device's: in functions of the device they are.
  void add_variable(const void* address, check::HostMemory& made) {
    const auto found = symboliser_.variable(reinterpret_cast<std::uintptr_t>(address));
    if (!found.has_value()) return;
    made.is_judged = !found->in_function && report::is_user_frame({.place = found->place, .folder = found->folder});
    made.base = found->base;
    made.bytes = found->bytes;
    made.name = found->name;
    made.file = found->place.file;
    made.line = found->place.line;
  }

  report::Symboliser symboliser_;
  std::unordered_map<const void*, bool> of_library_;
};

/// As with the lines of calls, debug information is read on a stack of its own.
check::AskHostMemory host_memory() {
  return
      [lookup = std::make_shared<HostMemoryLookup>()](const void* address, bool in_program, const void* instruction) {
        check::HostMemory made;  // where there is no room it is not known, so nothing is said of it
        base::with_room([&] { made = (*lookup)(address, in_program, instruction); });
        return made;
      };
}

}  // namespace

void Worker::begin_watch() {
  const GridRequest& request = grid_->request;
  const auto owner = [this](const void* address) -> std::optional<unsigned> {
    const detail::Fiber* fiber = stacks_.owner_of(address);
    if (fiber == nullptr) return std::nullopt;
    if (fiber == running() || fiber->warp == nullptr) return detail::thread_rank();
    return fiber->warp->index * grid_->request.warp_size + fiber->lane;
  };
  watch_ = std::make_unique<check::Watch>(check::Shape{.grid = base::to_triple(request.grid),
                                                       .block = base::to_triple(request.block),
                                                       .cluster = base::to_triple(request.cluster),
                                                       .warp_size = request.warp_size},
                                          request.order, owner);
  if (request.policy.kind == schedule::PolicyKind::lock_step) watch_->step_with([this] { step_to_next_lane(); });
  if (callers_ == nullptr) callers_ = std::make_unique<check::Callers>(users_code());
  callers_->begin(reinterpret_cast<const void*>(request.run_threads));
  watch_->ask(*callers_);
  if (!host_memory_) host_memory_ = host_memory();
  watch_->ask_host_memory(host_memory_);
  if (request.last_writes) watch_->keep_last_writes();
  if (request.strict) watch_->be_strict();
  missing_block_.reset();
  releases_by_exits_.clear();
  watch_->arguments(request.closure, request.closure_bytes);
  check::watching = watch_.get();
  // A launch may have ended within a thread's atomic.
  detail::set_checked_scope(detail::checked_device_scope);
}

/// `barrier` of `block`, at `site`, is complete although some threads of the block have exited.
void Worker::note_release_by_exits(const ResidentBlock& block, const char* barrier, bool of_grid, Site site) {
  constexpr std::size_t kMost = 64;
  const bool passed_by = ran_to_the_end(block) && is_in_body(grid_->request.body, site);
  if (!of_grid && !passed_by && !grid_->request.strict) return;
  const auto known = std::ranges::find(releases_by_exits_, site, &ReleaseByExits::site);
  if (known != releases_by_exits_.end()) {
    ++known->repeats;
    return;
  }
  if (releases_by_exits_.size() == kMost) return;
  ReleaseByExits& made = releases_by_exits_.emplace_back();
  made.barrier = barrier;
  made.of_grid = of_grid;
  made.site = site;
  for (unsigned thread = 0; thread < block.threads; ++thread) {
    const unsigned warp = warp_of(thread);
    const bool lives = (block.warp_storage[warp].live >> (thread - warp * grid_->request.warp_size) & 1) != 0;
    const base::FiberId id = base::fiber_id(block.rank, thread, grid_->threads);
    if (lives) {
      made.arrived.push_back(id);
      continue;
    }
    const Site place = place_of_return(block, thread);
    const auto same = std::ranges::find(made.exited, place, [](const auto& one) { return one.first; });
    (same != made.exited.end() ? *same : made.exited.emplace_back(place, std::vector<base::FiberId>()))
        .second.push_back(id);
  }
  made.follows = std::ranges::any_of(std::span(releases_by_exits_).first(releases_by_exits_.size() - 1),
                                     [&made](const auto& one) { return one.exited == made.exited; });
}

void Worker::end_watch() {
  watch_->put_down();
  check::watching = nullptr;
  const record::LaunchFacts& facts = grid_->request.facts;
  const std::lock_guard lock(grid_->mutex);
  const bool ended = grid_->finding.has_value();
  const check::Cut cut = ended ? check::cut_by(*grid_->finding) : check::Cut::none;
  // Races and unwritten values may follow from a barrier that not all threads have reached, so it comes first.
  std::vector<record::Finding> found;
  for (const ReleaseByExits& release : releases_by_exits_) {
    if (auto made = released_by_exits(release, grid_->request)) found.push_back(std::move(*made));
  }
  std::ranges::move(check::findings_of(*watch_, facts, cut), std::back_inserter(found));
  // What the processor refuses, the checker knows better.
  using enum record::Verdict;
  const bool refused = ended && (grid_->finding->verdict == oob_global || grid_->finding->verdict == misaligned);
  if (auto known = check::finding_of_refused(*watch_, facts); refused && known.has_value()) grid_->finding = known;
  if (ended && grid_->finding->verdict == cg_misuse) {
    if (auto early = check::early_read(*watch_, facts)) grid_->finding->parties.push_back(std::move(*early));
  }
  grid_->hazards_dropped += watch_->cases().dropped();
  watch_.reset();
  std::ranges::move(found, std::back_inserter(grid_->hazards));
}

std::vector<record::Finding> Worker::found_so_far() const {
  if (watch_ == nullptr) return {};
  return check::findings_of(*watch_, grid_->request.facts, check::Cut::stopped);
}

namespace {

// Where the shared memory of blocks that do not exist is: as far as any shared memory reaches, and untouchable.
constexpr std::size_t kNowhereBytes = std::size_t{1} << 20;

char* nowhere() {
  static char* const memory =
      static_cast<char*>(::mmap(nullptr, kNowhereBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  return memory;
}

}  // namespace

/// As on the device, a rank that the cluster has not is no error until somebody goes there; both lines are then told.
char* Worker::memory_of_no_block(record::Finding finding) {
  missing_block_ = std::move(finding);
  watch_->leave_alone(nowhere(), kNowhereBytes);
  return nowhere();
}

const record::Finding* Worker::missing_block_at(const void* address) const {
  if (!missing_block_.has_value()) return nullptr;
  const auto* at = static_cast<const char*>(address);
  return at >= nowhere() && at < nowhere() + kNowhereBytes ? &*missing_block_ : nullptr;
}

void Worker::watch_start(ResidentBlock& block) {
  if (block.watched == nullptr) block.watched = std::make_unique<check::WatchedBlock>();
  watch_->start(*block.watched, block.rank, block.arena);
}

void Worker::watch_group(ResidentBlock& block, const GroupGather& gather) {
  std::vector<unsigned> threads;
  for (const detail::GroupPart* part = gather.parts; part != nullptr; part = part->next) {
    threads.push_back(part->fiber->warp->index * grid_->request.warp_size + part->fiber->lane);
  }
  if (threads.size() == block.live) {
    watch_->meet_block(*block.watched);
    watch_->passed(record::Width::block, gather.parts->site);
    return;
  }
  std::ranges::sort(threads);
  watch_->meet_threads(*block.watched, threads);
  watch_->passed(record::Width::warp, gather.parts->site);
}

/// What arrivals at a barrier in two parts leave behind for those who wait.
const void* Worker::split_token(const Grid& grid, const ResidentBlock& block, SplitBarrier barrier) {
  switch (barrier) {
    case SplitBarrier::block: return &block.barrier;
    case SplitBarrier::cluster:
      return block.cluster != nullptr ? static_cast<const void*>(&block.cluster->phase) : &block.alone_phase;
    case SplitBarrier::grid: return &grid.barrier_phase;
  }
  return nullptr;
}

void Worker::append_waiters(const ResidentBlock& block, const detail::WaitList& waiting, unsigned warp_size,
                            std::vector<check::Waiter>& to) {
  waiting.each([&](const detail::Fiber* fiber) {
    to.push_back({block.watched.get(), fiber->warp->index * warp_size + fiber->lane});
  });
}

void Worker::watch_cluster(Cluster& cluster) {
  if (!std::exchange(cluster.split, false)) {
    std::vector<check::WatchedBlock*> blocks;
    for (const ResidentBlock* member : cluster.blocks) blocks.push_back(member->watched.get());
    watch_->meet_blocks(blocks, false);
    watch_->passed(record::Width::cluster, cluster.blocks.front()->cluster_barrier.site);
    return;
  }
  std::vector<check::Waiter> waiters;
  for (ResidentBlock* member : cluster.blocks) {
    member->watched->met_cluster = true;
    append_waiters(*member, member->cluster_barrier.waiting, grid_->request.warp_size, waiters);
  }
  watch_->open_split(&cluster.phase, waiters);
}

void Worker::watch_grid() {
  if (!grid_->barrier_split.exchange(false)) {
    std::vector<check::WatchedBlock*> blocks;
    for (const ResidentBlock* block : resident_) blocks.push_back(block->watched.get());
    watch_->meet_blocks(blocks, true);
    if (!resident_.empty()) watch_->passed(record::Width::grid, resident_.front()->grid_barrier.site);
    return;
  }
  std::vector<check::Waiter> waiters;
  for (const ResidentBlock* block : resident_) {
    append_waiters(*block, block->grid_barrier.waiting, grid_->request.warp_size, waiters);
  }
  watch_->open_split(&grid_->barrier_phase, waiters);
}

}  // namespace warpfiber::engine

// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp come together at a barrier of all of them, or of their block. Until then each runs on, so the
// requests of a warp stay open.
#include "profile/observer.hpp"

#include <warpfiber/detail/collective.hpp>
#include <warpfiber/detail/current_thread.hpp>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <tuple>

#include "memory/device_space.hpp"
#include "memory/shared_arena.hpp"
#include "profile/executed_lines.hpp"
#include "profile/lane_positions.hpp"
#include "profile/warp_requests.hpp"

namespace warpfiber::profile {
namespace {

using detail::current_thread;

class ProfileObserver final : public record::Observer {
 public:
  ProfileObserver(Profile& profile, ProfileFactory::FindVariable variable_around)
      : profile_(profile), variable_around_(variable_around) {}

  bool observes_accesses() const override { return true; }
  bool observes_statements() const override { return true; }
  bool observes_threads() const override { return true; }  // exited threads do not wait at barriers

  void launch_begin(const record::LaunchBegin& launch) override {
    kernel_ = launch.kernel;
    pauses_ = 0;
    variable_ = {};
    counters_ = {};
    if (launch.worker == 0) {
      counters_.launches = 1;
      const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
      counters_.residency = residency_of(blocks, launch.resident_blocks);
    }
    grid_ = launch.grid;
    block_ = launch.block;
    block_threads_ = launch.block.x * launch.block.y * launch.block.z;
    has_clusters_ = launch.cluster.x * launch.cluster.y * launch.cluster.z > 1;
    has_warps_ = launch.warp_size == kLanes;
    running_ = {};
    requests_.begin((block_threads_ + kLanes - 1) / kLanes);
    lines_.begin(block_threads_);
    positions_.begin(block_threads_);
  }

  void launch_end(const record::LaunchEnd&) override {
    counters_.instructions = requests_.take();
    counters_.lines = lines_.take();
    counters_.left_out += requests_.take_left_out() + lines_.take_left_out();
    for (const auto& [call, its] : meetings_) {
      const char* file = std::get<const char*>(call);
      counters_.meetings[{file != nullptr ? file : "", std::get<unsigned>(call), std::get<MeetingWidth>(call)}] += its;
    }
    meetings_.clear();
    profile_.add(kernel_, counters_);
  }

  void block_begin(const record::BlockId& block, const memory::SharedArena&) override {
    running_ = {};
    requests_.block_begin(block.slot);
    lines_.block_begin(block.slot);
    positions_.block_begin(block.slot);
  }
  void block_end(const record::BlockId& block) override {
    ++counters_.blocks;
    counters_.threads += block_threads_;
    requests_.complete_block(block.slot);
    lines_.complete_block(block.slot);
  }
  void threads_end(const record::ThreadRange& threads) override { lines_.threads_end(threads); }
  void block_runs(const record::BlockId& block) override {
    running_ = {};
    slot_ = block.slot;
  }

  void release(const record::Release& threads) override {
    if (threads.lanes != 0) {
      ++counters_.barriers.warp;
      note_meeting(threads.site, MeetingWidth::warp, {1, static_cast<unsigned>(std::popcount(threads.lanes))});
      if (threads.lanes != threads.live) return;
      const WarpId warp{threads.blocks.front().slot, threads.warp};
      requests_.complete(warp);
      lines_.complete(warp);
      return;
    }
    if (!threads.threads.empty()) return note_meeting(threads.site, MeetingWidth::group, {1, threads.threads.size()});
    std::uint64_t& count = threads.width == record::Width::grid      ? counters_.barriers.grid
                           : threads.width == record::Width::cluster ? counters_.barriers.cluster
                                                                     : counters_.barriers.block;
    const BarrierWait wait = lines_.complete_barrier(threads.blocks);
    note_meeting(threads.site,
                 threads.width == record::Width::grid      ? MeetingWidth::grid
                 : threads.width == record::Width::cluster ? MeetingWidth::cluster
                                                           : MeetingWidth::block,
                 {.meetings = 1,
                  .threads = threads.blocks.size() * block_threads_,
                  .waited = wait.steps,
                  .longest_wait = wait.longest,
                  .block = base::unlinear(wait.block, grid_),
                  .thread = base::unlinear(wait.thread, block_)});
    for (const record::BlockId& block : threads.blocks) {
      ++count;
      requests_.complete_block(block.slot);
    }
  }

  void pause(record::PauseAt) override { ++pauses_; }
  void resume() override { --pauses_; }

  void statement(const Site& where) override {
    if (!has_warps_) return;
    const RunningThread& thread = running();
    thread.position->statement(where.line);
    lines_.statement(thread.lines, where, thread.position->value());
  }
  void control_flow(detail::ControlFlow what, unsigned loop) override {
    if (has_warps_) running().position->change(what, loop);
  }

  void access(const record::MemoryAccess& access) override {
    if (pauses_ != 0) return;
    const std::optional<AccessSpace> space = space_of(access.address);
    if (!space.has_value()) return;
    if (!has_warps_) {
      ++counters_.left_out;
      return;
    }
    const RunningThread& thread = running();
    const AccessOperation operation = access.kind == record::AccessKind::atomic ? AccessOperation::atomic
                                      : access.writes                           ? AccessOperation::store
                                                                                : AccessOperation::load;
    const auto at = reinterpret_cast<std::uintptr_t>(access.address);
    const AccessInstruction instruction{access.instruction, *space, operation};
    const bool is_one =
        access.bytes <= kMostBytes && std::has_single_bit(access.bytes) && (at & (access.bytes - 1)) == 0;
    if (is_one) [[likely]] {
      requests_.access(*thread.requests, {.instruction = instruction,
                                          .lane = thread.lines.lane,
                                          .address = at,
                                          .bytes = static_cast<std::uint32_t>(access.bytes),
                                          .position = thread.position->value()});
    } else {
      access_in_pieces(thread, instruction, at, access.bytes);
    }
  }

 private:
  static constexpr std::size_t kMostBytes = 16;  // of one instruction

  /// What is kept of the thread that runs.
  struct RunningThread {
    uint3 index{~0U, ~0U, ~0U};  // no thread's
    LanePosition* position = nullptr;
    WarpRequests::OpenRequests* requests = nullptr;
    ExecutedLines::Thread lines{};
  };

  const RunningThread& running() {
    const bool is_known = threadIdx.x == running_.index.x && threadIdx.y == running_.index.y &&  //
                          threadIdx.z == running_.index.z;
    if (!is_known) [[unlikely]] {
      const unsigned thread = detail::thread_rank();
      running_ = {threadIdx, &positions_.of(slot_, thread), &requests_.of({slot_, thread / kLanes}),
                  lines_.of(slot_, thread)};
    }
    return running_;
  }

  __attribute__((noinline)) void access_in_pieces(const RunningThread& thread, const AccessInstruction& instruction,
                                                  std::uintptr_t at, std::size_t left) {
    LaneAccess piece{.instruction = instruction, .lane = thread.lines.lane, .position = thread.position->value()};
    for (; left != 0; left -= piece.bytes, at += piece.bytes) {
      piece.address = at;
      piece.bytes = bytes_of_instruction(at, left);
      requests_.access(*thread.requests, piece);
    }
  }

  /// What one instruction may access of an object that is copied: a power of two that the address is aligned to.
  static std::uint32_t bytes_of_instruction(std::uintptr_t address, std::size_t left) {
    const std::size_t aligned = std::size_t{1} << std::countr_zero(address | kMostBytes);
    return static_cast<std::uint32_t>(std::min(aligned, std::bit_floor(std::min(left, kMostBytes))));
  }

  /// Nothing for memory that no device has.
  std::optional<AccessSpace> space_of(const void* address) {
    const auto* at = static_cast<const char*>(address);
    if (at >= current_thread.shared && at < current_thread.shared + current_thread.shared_bytes)
      return AccessSpace::shared;
    if (has_clusters_ && memory::shared_object_at(address).has_value()) return AccessSpace::distributed;
    if (memory::in_device_space(address)) return AccessSpace::global;
    if (reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(variable_.begin) >= variable_.bytes) {
      const std::optional<VariableMemory> variable = variable_around_(address);
      if (!variable.has_value()) return std::nullopt;
      variable_ = *variable;
    }
    return variable_.is_constant ? AccessSpace::constant : AccessSpace::global;
  }

  void note_meeting(const Site& site, MeetingWidth width, const MeetingCounters& counters) {
    meetings_[{site.file, site.line, width}] += counters;
  }

  Profile& profile_;
  ProfileFactory::FindVariable variable_around_;
  VariableMemory variable_;  // that was accessed last
  unsigned pauses_ = 0;
  RunningThread running_;
  WarpRequests requests_;
  ExecutedLines lines_;
  LanePositions positions_;
  KernelCounters counters_;
  std::map<std::tuple<const char*, unsigned, MeetingWidth>, MeetingCounters> meetings_;  // by file, line
  const void* kernel_ = nullptr;
  unsigned slot_ = 0;
  base::Triple grid_{1, 1, 1};
  base::Triple block_{1, 1, 1};
  unsigned block_threads_ = 1;
  bool has_clusters_ = false;
  bool has_warps_ = true;  // of 32 lanes, as all GPUs of CUDA have
};

}  // namespace

std::unique_ptr<record::Observer> ProfileFactory::make() {
  return std::make_unique<ProfileObserver>(profile_, variable_around_);
}

}  // namespace warpfiber::profile

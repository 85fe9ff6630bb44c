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
#include "profile/warp_requests.hpp"

namespace warpfiber::profile {
namespace {

using detail::current_thread;

class ProfileObserver final : public record::Observer {
 public:
  ProfileObserver(Profile& profile, ProfileFactory::FindVariable variable_around)
      : profile_(profile), variable_around_(variable_around) {}

  bool observes_accesses() const override { return true; }

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
    block_threads_ = launch.block.x * launch.block.y * launch.block.z;
    has_clusters_ = launch.cluster.x * launch.cluster.y * launch.cluster.z > 1;
    has_warps_ = launch.warp_size == kLanes;
    requests_.begin((block_threads_ + kLanes - 1) / kLanes);
  }

  void launch_end(const record::LaunchEnd&) override {
    counters_.instructions = requests_.take();
    counters_.left_out += requests_.take_left_out();
    for (const auto& [call, its] : meetings_) {
      const char* file = std::get<const char*>(call);
      counters_.meetings[{file != nullptr ? file : "", std::get<unsigned>(call), std::get<MeetingWidth>(call)}] += its;
    }
    meetings_.clear();
    profile_.add(kernel_, counters_);
  }

  void block_end(const record::BlockId& block) override {
    ++counters_.blocks;
    counters_.threads += block_threads_;
    requests_.complete_block(block.slot);
  }
  void block_runs(const record::BlockId& block) override { slot_ = block.slot; }

  void release(const record::Release& threads) override {
    if (threads.lanes != 0) {
      ++counters_.barriers.warp;
      note_meeting(threads.site, MeetingWidth::warp, static_cast<unsigned>(std::popcount(threads.lanes)));
      if (threads.lanes == threads.live) requests_.complete(WarpId{threads.blocks.front().slot, threads.warp});
      return;
    }
    if (!threads.threads.empty()) return note_meeting(threads.site, MeetingWidth::group, threads.threads.size());
    std::uint64_t& count = threads.width == record::Width::grid      ? counters_.barriers.grid
                           : threads.width == record::Width::cluster ? counters_.barriers.cluster
                                                                     : counters_.barriers.block;
    note_meeting(threads.site,
                 threads.width == record::Width::grid      ? MeetingWidth::grid
                 : threads.width == record::Width::cluster ? MeetingWidth::cluster
                                                           : MeetingWidth::block,
                 threads.blocks.size() * block_threads_);
    for (const record::BlockId& block : threads.blocks) {
      ++count;
      requests_.complete_block(block.slot);
    }
  }

  void pause(record::PauseAt) override { ++pauses_; }
  void resume() override { --pauses_; }

  void access(const record::MemoryAccess& access) override {
    if (pauses_ != 0) return;
    const std::optional<AccessSpace> space = space_of(access.address);
    if (!space.has_value()) return;
    if (!has_warps_) {
      ++counters_.left_out;
      return;
    }
    const unsigned thread = detail::thread_rank();
    const AccessOperation operation = access.kind == record::AccessKind::atomic ? AccessOperation::atomic
                                      : access.writes                           ? AccessOperation::store
                                                                                : AccessOperation::load;
    LaneAccess piece{.instruction = {access.instruction, *space, operation}, .lane = thread % kLanes};
    auto at = reinterpret_cast<std::uintptr_t>(access.address);
    for (std::size_t left = access.bytes; left != 0; left -= piece.bytes, at += piece.bytes) {
      piece.address = at;
      piece.bytes = bytes_of_instruction(at, left);
      requests_.access(WarpId{slot_, thread / kLanes}, piece);
    }
  }

 private:
  /// What one instruction may access of an object that is copied: a power of two that the address is aligned to.
  static std::uint32_t bytes_of_instruction(std::uintptr_t address, std::size_t left) {
    constexpr std::size_t kMost = 16;
    const std::size_t aligned = std::size_t{1} << std::countr_zero(address | kMost);
    return static_cast<std::uint32_t>(std::min(aligned, std::bit_floor(std::min(left, kMost))));
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

  void note_meeting(const Site& site, MeetingWidth width, std::size_t threads) {
    meetings_[{site.file, site.line, width}] += {1, threads};
  }

  Profile& profile_;
  ProfileFactory::FindVariable variable_around_;
  VariableMemory variable_;  // that was accessed last
  unsigned pauses_ = 0;
  WarpRequests requests_;
  KernelCounters counters_;
  std::map<std::tuple<const char*, unsigned, MeetingWidth>, MeetingCounters> meetings_;  // by file, line
  const void* kernel_ = nullptr;
  unsigned slot_ = 0;
  unsigned block_threads_ = 1;
  bool has_clusters_ = false;
  bool has_warps_ = true;  // of 32 lanes, as all GPUs of CUDA have
};

}  // namespace

std::unique_ptr<record::Observer> ProfileFactory::make() {
  return std::make_unique<ProfileObserver>(profile_, variable_around_);
}

}  // namespace warpfiber::profile

// SPDX-License-Identifier: Apache-2.0
// The path of an access that no fast path takes, word by word, and the beginning and end of blocks.
#include "check/launch/launch_checker.hpp"

#include <warpfiber/detail/checked.hpp>

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "base/system/address_space.hpp"
#include "check/cells/check_state.hpp"
#include "check/cells/word_parts.hpp"
#include "check/running/moved_values.hpp"
#include "memory/objects.hpp"

namespace warpfiber::check {

constinit thread_local LaunchChecker* active_checker WARPFIBER_RUNTIMES_TLS_MODEL = nullptr;

// The parts that come first refer to later ones, which they use only when the launch runs.
LaunchChecker::LaunchChecker(const GridShape& shape, const record::LaunchOrder& order, CheckerServices services,
                             const record::CheckRequest& options)
    : numbering_(shape),
      identity_(numbering_, order),
      running_(numbering_, identity_),
      counted_(numbering_, identity_, running_, *this),
      sites_(services.callers),
      options_(options),
      log_(numbering_, running_, resident_),
      values_(log_.violations()),
      bounds_(running_, log_, values_, reachable_),
      outside_(running_, log_, bounds_, reachable_, std::move(services.stack_owner), std::move(services.stack_frame),
               std::move(services.left_stack), std::move(services.host_memory)),
      left_(numbering_, identity_, running_, outside_, std::move(services.has_returned)),
      peers_(numbering_, running_, resident_, log_),
      sync_(numbering_, identity_, running_, resident_),
      races_(numbering_, identity_, running_, log_, sync_.hand_overs(), reachable_),
      widths_(running_, log_),
      strong_(numbering_, running_, log_, sync_.hand_overs(), races_.stores(),
              {.every_exchange = options.strict || options.lock_step, .in_step = options.lock_step}),
      copies_(identity_, running_, counted_),
      calls_(numbering_, identity_, running_, counted_, sites_, log_, values_, outside_, options.strict) {
  if (options.lock_step || options.last_writes || options.every_access) running_.see_every_access();
  if (CheckState::of_process().meets_some) running_.keep_all();
}

void LaunchChecker::begin_block(BlockShadow& block, std::uint64_t rank, const memory::SharedArena& arena) {
  counted_.flush();
  sync_.begin_block(block, rank, arena);
  resident_.add(block);
  // Another block of the cluster may be the first to use a variable of this one, before the block that had the memory
  // before is forgotten there.
  if (numbering_.has_clusters() && arena.bytes() != 0) forget_memory(arena.base(), arena.bytes());
}

void LaunchChecker::end_block(BlockShadow& block) {
  counted_.flush();
  peers_.check_end(block);
  check_pending_copies(block);
  values_.end_store();
  const std::uint64_t first = block.clocks.block() << numbering_.thread_bits();
  const std::uint64_t last = first + (std::uint64_t{1} << numbering_.thread_bits()) - 1;
  races_.finish(first, last);
  log_.unwritten().finish(first, last);
  calls_.dependencies().end_block(block.clocks.block());
  values_.forget(first, last);
  block.ended = true;
  if (!numbering_.has_clusters()) resident_.remove(block);
  bounds_.forget(*block.arena);
}

/// Those that the block's threads leave pending.
void LaunchChecker::check_pending_copies(const BlockShadow& block) {
  for (unsigned rank = 0; rank < numbering_.threads_of_block() && !copies_.none(); ++rank) {
    const std::uint64_t number = numbering_.number_of(block.clocks.block(), rank);
    for (const PendingCopy& copy : copies_.leave(number)) {
      const Side now{.thread = number, .launch = identity_.number(), .site = copy.site, .write = true};
      log_.add(ViolationKind::async_pending, nullptr, now, copy.to, kWordBytes);
    }
  }
}

bool LaunchChecker::access(const void* address, std::size_t bytes, const Use& use, const void* instruction) {
  counted_.flush();
  opened_ = false;
  if (bytes == sizeof(void*) && !use.write) left_.look_at(address);
  access_at(address, bytes, use, sites_.number(instruction, own_frame()));
  const bool whole_words = (reinterpret_cast<std::uintptr_t>(address) | bytes) % kWordBytes == 0;
  if (opened_ && whole_words && !use.strong && identity_.is_alone()) {
    if (SiteLine* line = sites_.lines().known(instruction)) remember(*line, address, bounds_.last(), use.write);
  }
  return !bounds_.leaves_out();
}

/// Blocks take their shared memory along.
void LaunchChecker::remember(SiteLine& line, const void* address, const KnownObject& known, bool write) const {
  if (running_.block().arena->owns(known.begin) || !shadow.covers(known.begin) || !(known.initialised || write)) return;
  const std::size_t region = memory::Shadow::region_of(shadow.index_of(address));
  const std::size_t begin = shadow.index_of(known.begin + kWordBytes - 1);
  const std::size_t end = begin + static_cast<std::size_t>(known.end - shadow.address_of(begin)) / kWordBytes;
  line.first_word = std::max(begin, region);
  line.words = static_cast<std::uint32_t>(std::min(end, region + memory::Shadow::kRegionWords) - line.first_word);
  line.generation = static_cast<std::uint32_t>(bounds_.generation());
}

void LaunchChecker::access_word(const char* address, bool write, unsigned site) {
  access_at(address, kWordBytes, Use{.read = !write, .write = write}, site);
}

void LaunchChecker::access_at(const void* address, std::size_t bytes, const Use& use, unsigned site) {
  running_.here();
  begin_access(address, bytes, use, site);
  for_each_part(static_cast<const char*>(address), bytes,
                [&](std::size_t index, unsigned part) { check_word(index, part, use, site); });
  end_access(address, bytes, use, site);
}

void LaunchChecker::begin_access(const void* address, std::size_t bytes, const Use& use, unsigned site) {
  bounds_.begin_access();
  if (races_.has_racing_stores()) races_.come_to_access(use);
  if (!log_.unwritten().none())
    log_.unwritten().come(running_.thread(), static_cast<const char*>(address), bytes, use.write, site);
  if (running_.sees_every_access()) values_.end_store();
  if (log_.bad_indices().waits()) [[unlikely]]
    log_.follow_bad_index(address, bytes, use, site);
  if (numbering_.has_clusters()) peers_.check(static_cast<const char*>(address), use, site);
}

void LaunchChecker::end_access(const void* address, std::size_t bytes, const Use& use, unsigned site) {
  // What is only partly written may be a structure with padding, which copies read. What others may yet write without
  // order is a race, which is found when they do.
  if (bytes != 0 && bounds_.fresh_bytes() == bytes && identity_.follows_all()) {
    log_.unwritten().add(running_.side(use, site), static_cast<const char*>(address), bytes);
  }
  if (bounds_.refused()) [[unlikely]]
    log_.note_overrun(static_cast<const char*>(address), bytes);
  if (running_.sees_every_access() && use.write && !bounds_.refused())
    values_.begin_store(running_.thread(), address, bytes);
  const bool waits_for_index = log_.bad_indices().waits();
  const bool plain = !numbering_.has_clusters() && !bounds_.refused() && !races_.has_racing_stores() &&
                     log_.unwritten().none() && !waits_for_index;
  if (!plain) counted_.flush();
  running_.set_plain(plain);
  // Of a thread that waits to be seen no store may look like a repetition.
  if (waits_for_index || !log_.unwritten().none()) [[unlikely]]
    running_.end_segment();
}

void LaunchChecker::check_word(std::size_t index, unsigned bytes, const Use& use, unsigned site) {
  const Cell first = shadow.plane(0)[index];
  if (first != 0 && launch_of(first) == identity_.number()) {
    // Another block has used the word, which may be its shared memory.
    const bool is_others = numbering_.block_of(thread_of(first)) != numbering_.block_of(running_.thread());
    const char* address = shadow.address_of(index) + std::countr_zero(bytes);
    if (is_others && !bounds_.contain(address, static_cast<unsigned>(std::popcount(bytes)), use, site)) return;
    ShadowWord word(shadow, index);
    if (const unsigned fresh = bytes & ~initialised_of(word.notes); fresh != 0) {
      if (use.read) bounds_.count_fresh(index, fresh);
      word.notes |= initialised(bytes);
    }
    races_.check(word, bytes, use, site);
    word.store(shadow);
    return;
  }
  if (identity_.is_alone()) return open_word(index, bytes, use, site);
  // Of two launches on two OS threads, the second one finds what the first one leaves here.
  auto& openings = CheckState::of_process().openings;
  const base::Lock turn(openings[index % openings.size()]);
  open_word(index, bytes, use, site);
}

/// The first access of the launch to a word: is there such memory, does it hold anything? Where there is none, no cell
/// is left behind.
void LaunchChecker::open_word(std::size_t index, unsigned bytes, const Use& use, unsigned site) {
  const char* address = shadow.address_of(index) + std::countr_zero(bytes);
  const auto size = static_cast<unsigned>(std::popcount(bytes));
  if (!bounds_.contain(address, size, use, site)) return;
  shadow.touch(index);
  unsigned initialised_bytes = bounds_.last().initialised ? byte_bits(0, kWordBytes) : 0;
  if (const Cell first = shadow.plane(0)[index]; first != 0) {
    const Notes notes = shadow.plane(1)[index];
    initialised_bytes |= initialised_of(notes);
    if (!identity_.is_alone() && !calls_.dependencies().has_waited_for(launch_of(first)))
      races_.check_against_launches(index, first, notes, use, site);
  }
  const unsigned fresh = bytes & ~initialised_bytes;
  if (fresh != 0 && use.read) bounds_.count_fresh(index, fresh);
  initialised_bytes |= bytes;
  opened_ = true;
  shadow.plane(0)[index] = running_.cell_of(bytes, use);
  shadow.plane(1)[index] = notes_for(site, use.scope) | initialised(initialised_bytes);
}

bool LaunchChecker::atomic(const void* address, unsigned bytes, const AtomicUse& use, const void* instruction) {
  const Use does{.read = use.reads && !use.blind,
                 .write = use.writes,
                 .strong = true,
                 .scope = use.scope,
                 .use_follows = use.use_follows};
  counted_.flush();
  const unsigned site = sites_.number(instruction, own_frame());
  const std::size_t index = shadow.index_of_whole(address);
  const SiteLine& line = sites_.lines().line(instruction);
  if (bytes == sizeof(void*) && use.reads) left_.look_at(address);
  if (!use.is_volatile) widths_.access(address, bytes, does, site);
  const bool changes_word = bytes == kWordBytes && does.read && does.write && index < shadow.words();
  if (!changes_word || line.instruction != instruction || !races_.repeat_atomic(index, does, line)) {
    access_at(address, bytes, does, site);
    if (bounds_.leaves_out()) return false;
  }
  strong_.access(address, bytes, use, site);
  sync_.atomic(address, use, site);
  return true;
}

void LaunchChecker::uses_found(const void* address, unsigned bytes) {
  const auto* const at = static_cast<const char*>(address);
  if (!shadow.covers(at) && !shadow.covers_also(at)) return;
  running_.here();
  for_each_part(at, bytes, [this](std::size_t index, unsigned) { races_.follow_updates(index); });
  sync_.uses_found(address);
}

void LaunchChecker::misaligned(const void* address, unsigned bytes, bool write, const void* instruction) {
  running_.here();
  const unsigned site = sites_.number(instruction, own_frame());
  const Use use{.read = !write, .write = write};
  // The bytes count as written for those who read them.
  if (write && bounds_.holds(static_cast<const char*>(address), bytes)) access_at(address, bytes, use, site);
  bounds_.refuse();
  if (log_.refusals().is_expected(address)) return;
  const Side now = running_.side(use, site);
  log_.add(ViolationKind::misaligned, nullptr, now, address, bytes);
  counted_.flush();
  running_.set_plain(false);
}

void LaunchChecker::copy_async(void* to, const void* from, std::size_t bytes, std::size_t room, const Site& call) {
  counted_.flush();
  const unsigned site = sites_.number(call, own_frame());
  if (bytes != 0 && shadow.covers(from)) access_at(from, bytes, Use{.read = true}, site);
  if (room != 0 && shadow.covers(to)) access_at(to, room, Use{.write = true}, site);
  copies_.start({static_cast<const char*>(to), static_cast<const char*>(from), bytes, room, site});
}

OutsideJudgement LaunchChecker::outside(const void* address, std::size_t bytes, const Use& use,
                                        const void* instruction) {
  if (const OutsideMemory::Variable* variable = outside_.variable_at(address); variable != nullptr) {
    if (!use.write || !variable->is_constant)
      return access(address, bytes, use, instruction) ? OutsideJudgement::allowed : OutsideJudgement::left_out;
    running_.here();
    const Side now = running_.side(use, sites_.number(instruction, own_frame()));
    log_.add(ViolationKind::constant, nullptr, now, address, static_cast<unsigned>(bytes));
    return OutsideJudgement::left_out;
  }
  if (outside_.is_harmless(address, bytes)) return OutsideJudgement::allowed;
  const SiteLine* line = sites_.lines().known(instruction);
  if (values_.none() && line != nullptr && outside_.is_of_library(line->number())) return OutsideJudgement::allowed;
  running_.here();
  if (bounds_.is_led_by_undefined(static_cast<const char*>(address))) {
    bounds_.refuse();
    return base::is_readable(address) ? OutsideJudgement::left_out : OutsideJudgement::fails;
  }
  return outside_.check(address, bytes, use, instruction, sites_.number(instruction, own_frame()));
}

void forget_memory(const void* from, std::size_t bytes) {
  if (active_checker != nullptr) active_checker->flush();
  if (bytes == 0 || !shadow.covers(from)) return;
  shadow.clear(from, bytes);
  moved_values().remove(static_cast<const char*>(from), bytes);
}

}  // namespace warpfiber::check

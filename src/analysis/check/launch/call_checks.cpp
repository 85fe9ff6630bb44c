// SPDX-License-Identifier: Apache-2.0
// Each call becomes a violation at its site, or is followed to the access that shows whether it is a defect.
#include "check/launch/call_checks.hpp"

#include <bit>

#include "check/cells/word_parts.hpp"
#include "check/races/race_detector.hpp"
#include "check/races/shadow_word.hpp"

namespace warpfiber::check {

ShuffleCaller CallChecks::caller() {
  const std::uint64_t thread = running_.here().thread();
  return {thread, thread - running_.rank() % numbering_.shape().warp_size};
}

/// Of a call that is no access; null where the violation is not new.
Violation* CallChecks::add(ViolationKind kind, unsigned site, bool write) {
  Violation* made = log_.violations().add(kind, kUnknownSite, site);
  if (made != nullptr) made->now = running_.side(Use{.read = !write, .write = write}, site);
  return made;
}

unsigned CallChecks::foreign_lane(std::uint64_t mask, unsigned source, bool named, const void* instruction) {
  const ShuffleCaller caller = this->caller();
  const unsigned site = sites_.number(instruction, own_frame());
  values_.foreign_lane(caller, mask, source, named, running_.side(Use{.read = true}, site));
  return site;
}

std::uint64_t CallChecks::foreign_value(unsigned site, const Operand& operand, std::uint64_t value) {
  if (operand.kind == ValueKind::other) return value;
  running_.see_every_access();  // to see what is stored
  const ShuffleCaller caller = this->caller();
  running_.end_segment();
  return values_.give(caller, site, operand);
}

void CallChecks::active_lanes(std::uint64_t mask, unsigned line, bool diverged, const void* instruction) {
  if (!diverged && !strict_) return;
  running_.here();
  Violation* made = add(ViolationKind::active_lanes, sites_.number(instruction, own_frame()), false);
  if (made == nullptr) return;
  made->mask = mask;
  made->value = line;
}

void CallChecks::one_memory(const TwoNames& names, const void* instruction) {
  running_.here();
  Violation* made = add(ViolationKind::one_memory, sites_.number(instruction, own_frame()), false);
  if (made == nullptr) return;
  made->detail = std::string(names.name) + ", stored at line " + std::to_string(names.stored) +
                 " and overwritten at line " + std::to_string(names.overwritten) + " as " + names.other;
}

void CallChecks::rank_beyond(int rank, unsigned size, const void* instruction) {
  running_.here();
  if (Violation* made = add(ViolationKind::rank_beyond, sites_.number(instruction, own_frame()), false))
    made->detail = "rank " + std::to_string(rank) + " of a tile of " + std::to_string(size);
}

void CallChecks::conversion(const std::string& detail, const void* instruction) {
  running_.here();
  if (Violation* made = add(ViolationKind::conversion, sites_.number(instruction, own_frame()), false))
    made->detail = detail;
}

void CallChecks::odd_bool(unsigned byte, const void* instruction) {
  running_.here();
  if (Violation* made = add(ViolationKind::odd_bool, sites_.number(instruction, own_frame()), false))
    made->detail = "byte " + std::to_string(byte) + " as bool";
}

void CallChecks::promised(const void* address, std::size_t alignment, const Site& call) {
  if (!strict_) return;
  running_.here();
  const memory::SharedArena* arena = log_.arena_of(address);
  const unsigned site = sites_.number(call, own_frame());
  if (arena == nullptr || !outside_.is_first_look(site)) return;
  const auto object = arena->object_at(address);
  if (!object.has_value() || object->alignment == 0 || object->alignment >= alignment) return;
  Violation* made = add(ViolationKind::aligned_by_luck, site, true);
  if (made == nullptr) return;
  made->address = address;
  made->size = static_cast<unsigned>(alignment);
  made->place = log_.place_of(address);
  made->detail = "aligned to " + std::to_string(alignment) + " by promise, to " + std::to_string(object->alignment) +
                 " by declaration";
}

void CallChecks::index_outside(const record::OutsideIndex& bad, const void* instruction) {
  running_.here();
  const unsigned site = sites_.number(instruction, own_frame());
  if (IndexSite* made = log_.bad_indices().begin(site, running_.thread())) made->bad = bad;
  if (Violation* made = add(ViolationKind::index, site, false))
    made->detail = "index " + number_of(bad) + " of " + bad.array;
  // The next access comes to the slow path.
  counted_.flush();
  running_.set_plain(false);
  running_.end_segment();
}

void CallChecks::read_only_load(const void* address, std::size_t bytes, const void* instruction) {
  counted_.flush();
  running_.here();
  const unsigned site = sites_.number(instruction, own_frame());
  for_each_part(static_cast<const char*>(address), bytes,
                [&](std::size_t index, unsigned part) { read_only_.check(index, part, site); });
}

// Sources: CUDA C++ Programming Guide, "Read-Only Data Cache Load Function" and "Texture Memory" (the texture cache is
// not kept coherent with writes of the same kernel).

void ReadOnlyLoads::check(std::size_t index, unsigned bytes, unsigned site) {
  const Cell first = shadow.plane(0)[index];
  if (first == 0 || launch_of(first) != launch_.number()) return;
  const ShadowWord word(shadow, index);
  for (unsigned i = 0; i < word.count; ++i) {
    const Cell cell = word.cells[i];
    const unsigned both = bytes_of(cell) & bytes;
    if (both == 0 || !is_write(cell) || is_pending(cell) || !running_.happens_after(cell)) continue;
    const Side earlier = RaceDetector::side_of(cell, site_of(word.notes, i), scope_of(word.notes, i));
    const char* address = shadow.address_of(index) + std::countr_zero(both);
    log_.add(ViolationKind::read_only_load, &earlier, running_.side(Use{.read = true}, site), address,
             static_cast<unsigned>(std::popcount(both)));
  }
}

}  // namespace warpfiber::check

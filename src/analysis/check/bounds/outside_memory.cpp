// SPDX-License-Identifier: Apache-2.0
// An address outside of the device space is a variable's, on a stack, in a red zone, or the host's.
#include "check/bounds/outside_memory.hpp"

#include <algorithm>
#include <utility>

#include "base/system/address_space.hpp"
#include "base/system/modules.hpp"
#include "check/calls/callers.hpp"
#include "memory/objects.hpp"

namespace warpfiber::check {
OutsideMemory::OutsideMemory(RunningThread& running, ViolationLog& log, ObjectBounds& bounds,
                             const ReachableMemory& reach, StackOwner stack_owner, AskStackFrame stack_frame,
                             AskLeftStack left_stack, AskHostMemory host_memory)
    : running_(running),
      log_(log),
      bounds_(bounds),
      reachable_(reach),
      stack_owner_(std::move(stack_owner)),
      stack_frame_(std::move(stack_frame)),
      left_stack_(std::move(left_stack)),
      host_memory_(std::move(host_memory)) {}

const OutsideMemory::Variable* OutsideMemory::variable_at(const void* address) {
  if (!shadow.covers_also(address)) return nullptr;
  if (const Variable* known = known_variable(address); known != nullptr) return known;
  NoVariable& none = no_variables_[reinterpret_cast<std::uintptr_t>(address) / sizeof(void*) % kNoVariables];
  const std::uint64_t generation = memory::objects_generation();
  if (none.address == address && none.generation == generation) return nullptr;
  const auto variable = memory::object_at(address);
  if (!variable.has_value()) {
    none = {address, generation};
    return nullptr;
  }
  variable_ = (variable_ + 1) % kKnownVariables;
  variables_[variable_] = {variable->base, variable->base + variable->bytes,
                           variable->kind == memory::ObjectKind::constant};
  return &variables_[variable_];
}

bool OutsideMemory::is_first_look(unsigned site) {
  if (site < looked_at_.size() && looked_at_[site]) return false;
  if (looked_at_.size() <= site) looked_at_.resize(site + 1);
  looked_at_[site] = true;
  return true;
}

bool OutsideMemory::is_harmless(const void* address, std::size_t bytes) const {
  return (address >= ignored_ && address < ignored_end_) || reachable_.is_argument(address) ||
         (harmless_.contains(address, bytes) && harmless_since_ == memory::objects_generation());
}

OutsideJudgement OutsideMemory::check(const void* address, std::size_t bytes, const Use& use, const void* instruction,
                                      unsigned site) {
  if (is_of_library(site)) return OutsideJudgement::allowed;
  const std::optional<unsigned> owner = stack_owner_(address);
  if (owner.has_value()) {
    if (*owner == running_.rank()) {
      if (left_pointer_.to != nullptr) check_own_stack(address, bytes, use, site);
      return OutsideJudgement::allowed;
    }
    Violation* made =
        log_.add_outside(ViolationKind::local_of_another, Space::local, running_.side(use, site), address, bytes);
    if (made != nullptr && stack_frame_) made->frames = {stack_frame_(address)};
    return OutsideJudgement::allowed;
  }
  if (const auto left = left_stack_ ? left_stack_(address) : std::nullopt; left.has_value())
    return check_left_stack(*left, address, bytes, use, site);
  if (memory::in_red_zone(address)) {
    log_.add(ViolationKind::outside, nullptr, running_.side(use, site), address, static_cast<unsigned>(bytes));
    return OutsideJudgement::left_out;
  }
  return check_host_memory(address, bytes, use, instruction, site);
}

/// The first access to its stack of a thread that has read such a pointer may be by that. It is not left out: after all
/// it may be the thread's own.
void OutsideMemory::check_own_stack(const void* address, std::size_t bytes, const Use& use, unsigned site) {
  constexpr std::ptrdiff_t kMostOfObject = 4096;
  if (left_pointer_.thread != running_.thread()) return;
  const char* const to = std::exchange(left_pointer_.to, nullptr);
  const std::ptrdiff_t offset = static_cast<const char*>(address) - to;
  if (offset < 0 || offset >= kMostOfObject) return;
  const auto left = left_stack_ ? left_stack_(address) : std::nullopt;
  if (left.has_value()) check_left_stack(*left, address, bytes, use, site);
}

/// What is there may be the engine's by now, so the access is left out.
OutsideJudgement OutsideMemory::check_left_stack(const record::LeftStack& left, const void* address, std::size_t bytes,
                                                 const Use& use, unsigned site) {
  const ViolationKind kind = left.is_ended ? ViolationKind::local_of_ended : ViolationKind::local_of_another;
  Violation* made = log_.add_outside(kind, Space::local, running_.side(use, site), address, bytes);
  if (made == nullptr) return OutsideJudgement::left_out;
  made->frames = frames_around(left.runs_threads, left.depth);
  made->value = reinterpret_cast<std::uintptr_t>(kernel_run_by(left.runs_threads));
  return OutsideJudgement::left_out;
}

OutsideJudgement OutsideMemory::check_host_memory(const void* address, std::size_t bytes, const Use& use,
                                                  const void* instruction, unsigned site) {
  harmless_since_ = memory::objects_generation();
  harmless_ = memory::range_around(address);
  if (harmless_.kind.has_value()) return OutsideJudgement::allowed;
  harmless_ = {};
  const std::optional<base::ModulePart> part = base::module_part_at(address);
  if (part.has_value() && (part->is_constant || !host_memory_)) {
    harmless_ = {.begin = reinterpret_cast<const char*>(part->begin), .end = reinterpret_cast<const char*>(part->end)};
    return OutsideJudgement::allowed;
  }
  const HostMemory known =
      host_memory_ ? host_memory_(address, part.has_value(), instruction) : HostMemory{.is_judged = true};
  if (known.of_library) {
    if (of_library_.size() <= site) of_library_.resize(site + 1);
    of_library_[site] = true;
    return OutsideJudgement::allowed;
  }
  if (!known.is_judged) {
    if (known.base != nullptr) harmless_ = {.begin = known.base, .end = known.base + known.bytes};
    return OutsideJudgement::allowed;
  }
  if (!base::is_readable(address)) return refuse_unmapped(address, bytes, use, site);
  log_.add_outside(ViolationKind::host_memory, Space::host, running_.side(use, site), address, bytes);
  bounds_.refuse();
  Violation* made = log_.violations().last();
  if (made == nullptr || known.base == nullptr) return OutsideJudgement::fails;
  MemoryPlace& place = made->place;
  place.name = known.name;
  place.file = known.file;
  place.line = known.line;
  place.offset = static_cast<std::uint64_t>(static_cast<const char*>(address) - known.base);
  place.extent = known.bytes;
  return OutsideJudgement::fails;
}

/// Nothing is there: the processor would refuse the access.
OutsideJudgement OutsideMemory::refuse_unmapped(const void* address, std::size_t bytes, const Use& use, unsigned site) {
  log_.add_outside(ViolationKind::unmapped, Space::none, running_.side(use, site), address, bytes);
  bounds_.refuse();
  return OutsideJudgement::fails;
}

}  // namespace warpfiber::check

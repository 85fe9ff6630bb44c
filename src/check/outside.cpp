// SPDX-License-Identifier: Apache-2.0
// Accesses outside of the device space: variables of device 0, which are the program's own, stacks, memory of the host.
// And what is told that concerns no access.
#include <link.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "check/watch.hpp"
#include "memory/objects.hpp"
#include "memory/red_zones.hpp"

namespace warpfiber::check {
namespace {

/// Whether an address is in the code or data of the program or of a library.
bool is_in_module(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto contains = [](dl_phdr_info* module, std::size_t, void* wanted) {
    for (int i = 0; i < module->dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = module->dlpi_phdr[i];
      const std::uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
      const std::uintptr_t place = *static_cast<const std::uintptr_t*>(wanted);
      if (segment.p_type == PT_LOAD && place >= begin && place < begin + segment.p_memsz) return 1;
    }
    return 0;
  };
  auto wanted = at;
  return ::dl_iterate_phdr(contains, &wanted) != 0;
}

}  // namespace

unsigned Watch::foreign_lane(std::uint64_t mask, unsigned source, bool named, const void* instruction) {
  here();
  const unsigned site = reached(instruction, own_frame());
  if (Case* made = cases_.add(Hazard::foreign_neighbour, kUnknownSite, site)) {
    made->now = side_now(Use{.read = true}, site);
    made->value = source;
    made->mask = mask;
  }
  if (!named) return site;
  // A lane beside the caller's may be named by counting, too. One that all name is meant.
  const auto [thread, warp] = caller_here();
  const auto [last, fresh] = named_lanes_.try_emplace(warp << kSiteBits | site, NamedLane{thread, source});
  const bool meant = !fresh && last->second.source == source && last->second.thread != thread;
  last->second = {thread, source};
  if (meant || std::has_single_bit(mask))
    cases_.turn(Hazard::foreign_neighbour, kUnknownSite, site, Hazard::foreign_lane);
  return site;
}

ShuffleCaller Watch::caller_here() {
  const std::uint64_t thread = here().thread();
  return {thread, thread - rank_here() % shape_.warp_size};
}

std::uint64_t Watch::foreign_value(unsigned site, const Operand& operand, std::uint64_t value) {
  if (operand.kind == ValueKind::other) return value;
  every_access_ = true;  // to see what is stored
  const ShuffleCaller caller = caller_here();
  new_time();
  return undefined_.give(caller, site, operand);
}

void Watch::offer(const Operand& operand) {
  if (!undefined_.none()) undefined_.offer(caller_here(), operand);
}

void Watch::receive(const Operand& operand, std::uint64_t value) {
  if (!undefined_.none()) undefined_.receive(caller_here(), operand, value);
}

/// Memory holds now what the access is about to replace.
void Watch::begin_store(const void* address, std::size_t bytes) {
  constexpr std::size_t kMost = 16;
  if (undefined_.none() || bytes > kMost) return;
  store_ = Store{segment_.thread(), address, bytes};
  std::memcpy(&store_.before, address, std::min(bytes, sizeof store_.before));
}

/// Whether the last store was of a value made of an undefined one.
void Watch::settle_store() {
  if (store_.address == nullptr) return;
  const Store last = std::exchange(store_, {});
  const auto site = undefined_.stored(last.thread, last.address, last.bytes, last.before);
  if (site.has_value()) cases_.turn(Hazard::foreign_neighbour, kUnknownSite, *site, Hazard::foreign_used);
}

void Watch::rank_beyond(int rank, unsigned size, const void* instruction) {
  here();
  const unsigned site = reached(instruction, own_frame());
  Case* made = cases_.add(Hazard::rank_beyond, kUnknownSite, site);
  if (made == nullptr) return;
  made->now = side_now(Use{.read = true}, site);
  made->detail = "rank " + std::to_string(rank) + " of a tile of " + std::to_string(size);
}

void Watch::promised(const void* address, std::size_t alignment, const Site& call) {
  if (!strict_) return;
  here();
  const WatchedBlock* owner = owner_of_shared(address);
  const unsigned site = reached(call, own_frame());
  if (owner == nullptr || (site < judged_.size() && judged_[site])) return;
  if (judged_.size() <= site) judged_.resize(site + 1);
  judged_[site] = true;
  const auto object = owner->arena->object_at(address);
  if (!object.has_value() || object->alignment == 0 || object->alignment >= alignment) return;
  Case* made = cases_.add(Hazard::aligned_by_luck, kUnknownSite, site);
  if (made == nullptr) return;
  made->now = side_now(Use{.write = true}, site);
  made->address = address;
  made->size = static_cast<unsigned>(alignment);
  made->place = place_of(address);
  made->detail = "aligned to " + std::to_string(alignment) + " by promise, to " + std::to_string(object->alignment) +
                 " by declaration";
}

void Watch::conversion(const std::string& detail, const void* instruction) {
  here();
  const unsigned site = reached(instruction, own_frame());
  Case* made = cases_.add(Hazard::conversion, kUnknownSite, site);
  if (made == nullptr) return;
  made->now = side_now(Use{.read = true}, site);
  made->detail = detail;
}

/// Null where there is none.
const Watch::Variable* Watch::variable_at(const void* address) {
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

/// Whether one look at the instruction's accesses to memory that is no device's was enough.
bool Watch::is_judged(const void* instruction) const {
  const SiteLine& line = sites_.line(instruction);
  return line.instruction == instruction && line.number() < judged_.size() && judged_[line.number()];
}

void Watch::outside(const void* address, std::size_t bytes, const Use& use, const void* instruction) {
  const Variable* variable = shadow.covers_also(address) ? variable_at(address) : nullptr;
  if (variable != nullptr) {
    if (use.write && variable->is_constant) {
      here();
      add_case(Hazard::constant, nullptr, side_now(use, reached(instruction, own_frame())), address,
               static_cast<unsigned>(bytes));
    }
    access(address, bytes, use, instruction);
    return;
  }
  if (address >= left_alone_ && address < left_alone_end_) return;
  if (undefined_.none() && is_judged(instruction)) return;
  here();
  if (is_led_by_undefined(static_cast<const char*>(address))) {
    refused_ = true;
    return;
  }
  const unsigned site = reached(instruction, own_frame());
  if (site < judged_.size() && judged_[site]) return;
  const std::optional<unsigned> owner = stack_owner_(address);
  if (owner.has_value()) {
    if (*owner != rank_here()) add_outside(Hazard::local_of_another, Space::local, address, bytes, use, site);
    return;
  }
  if (memory::is_null(address)) return;  // it is about to fault, which says so
  if (judged_.size() <= site) judged_.resize(site + 1);
  judged_[site] = true;
  if (memory::in_red_zone(address)) {
    add_case(Hazard::outside, nullptr, side_now(use, site), address, static_cast<unsigned>(bytes));
    return;
  }
  if (memory::object_at(address).has_value() || is_in_module(address) || reach_.is_argument(address)) return;
  add_outside(Hazard::host_memory, Space::none, address, bytes, use, site);
}

void Watch::add_outside(Hazard hazard, Space space, const void* address, std::size_t bytes, const Use& use,
                        unsigned site) {
  Case* made = cases_.add(hazard, kUnknownSite, site);
  if (made == nullptr) return;
  made->now = side_now(use, site);
  made->address = address;
  made->size = static_cast<unsigned>(bytes);
  made->place.space = space;
}

}  // namespace warpfiber::check

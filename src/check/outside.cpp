// SPDX-License-Identifier: Apache-2.0
// Accesses outside of the device space: variables of device 0, which are the program's own, stacks, memory of the host.
// And what is told that concerns no access.
#include <link.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "check/watch.hpp"
#include "memory/objects.hpp"
#include "memory/red_zones.hpp"

namespace warpfiber::check {
namespace {

/// Part of the program or of a library that is loaded.
struct ModulePart {
  const char* begin = nullptr;
  const char* end = nullptr;
  bool is_constant = false;
};

/// The part that an address is in; none where it is in no module. What the dynamic linker protects once it has
/// relocated it, such as tables of virtual functions, is constant as well.
std::optional<ModulePart> module_part_at(const void* address) {
  struct Search {
    std::uintptr_t at;
    std::optional<ModulePart> found{};
  } search{reinterpret_cast<std::uintptr_t>(address)};
  const auto look = [](dl_phdr_info* module, std::size_t, void* data) {
    Search& wanted = *static_cast<Search*>(data);
    for (int i = 0; i < module->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = module->dlpi_phdr[i];
      const std::uintptr_t begin = module->dlpi_addr + part.p_vaddr;
      if (wanted.at < begin || wanted.at >= begin + part.p_memsz) continue;
      const bool relocated = part.p_type == PT_GNU_RELRO;
      if (part.p_type != PT_LOAD && !relocated) continue;
      wanted.found =
          ModulePart{reinterpret_cast<const char*>(begin), reinterpret_cast<const char*>(begin + part.p_memsz),
                     relocated || (part.p_flags & PF_W) == 0};
      if (wanted.found->is_constant) return 1;
    }
    return wanted.found.has_value() ? 1 : 0;
  };
  ::dl_iterate_phdr(look, &search);
  return search.found;
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
  if (owner == nullptr || !is_first_look(site)) return;
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

/// Whether the library itself makes the instruction's accesses, as was found before.
bool Watch::is_of_library(const void* instruction) const {
  const SiteLine& line = sites_.line(instruction);
  return line.instruction == instruction && line.number() < of_library_.size() && of_library_[line.number()];
}

bool Watch::is_first_look(unsigned site) {
  if (site < judged_.size() && judged_[site]) return false;
  if (judged_.size() <= site) judged_.resize(site + 1);
  judged_[site] = true;
  return true;
}

bool Watch::is_harmless(const void* address, std::size_t bytes) const {
  return reach_.is_argument(address) ||
         (harmless_.contains(address, bytes) && harmless_since_ == memory::objects_generation());
}

bool Watch::outside(const void* address, std::size_t bytes, const Use& use, const void* instruction) {
  const Variable* variable = shadow.covers_also(address) ? variable_at(address) : nullptr;
  if (variable != nullptr) {
    if (use.write && variable->is_constant) {
      here();
      add_case(Hazard::constant, nullptr, side_now(use, reached(instruction, own_frame())), address,
               static_cast<unsigned>(bytes));
    }
    access(address, bytes, use, instruction);
    return false;
  }
  if (address >= left_alone_ && address < left_alone_end_) return false;
  if (is_harmless(address, bytes) || (undefined_.none() && is_of_library(instruction))) return false;
  here();
  if (is_led_by_undefined(static_cast<const char*>(address))) {
    refused_ = true;
    return false;
  }
  const unsigned site = reached(instruction, own_frame());
  if (site < of_library_.size() && of_library_[site]) return false;
  const std::optional<unsigned> owner = stack_owner_(address);
  if (owner.has_value()) {
    if (*owner != rank_here()) add_outside(Hazard::local_of_another, Space::local, address, bytes, use, site);
    return false;
  }
  if (memory::is_null(address)) return false;  // it is about to fault, which says so
  if (memory::in_red_zone(address)) {
    if (is_first_look(site))
      add_case(Hazard::outside, nullptr, side_now(use, site), address, static_cast<unsigned>(bytes));
    return false;
  }
  return host_memory(address, bytes, use, instruction, site);
}

bool Watch::host_memory(const void* address, std::size_t bytes, const Use& use, const void* instruction,
                        unsigned site) {
  harmless_since_ = memory::objects_generation();
  harmless_ = memory::range_around(address);
  if (harmless_.kind.has_value()) return false;
  harmless_ = {};
  const std::optional<ModulePart> part = module_part_at(address);
  if (part.has_value() && (part->is_constant || !host_memory_)) {
    harmless_ = {.begin = part->begin, .end = part->end};
    return false;
  }
  const HostMemory known =
      host_memory_ ? host_memory_(address, part.has_value(), instruction) : HostMemory{.is_judged = true};
  if (known.of_library) {
    if (of_library_.size() <= site) of_library_.resize(site + 1);
    of_library_[site] = true;
    return false;
  }
  if (!known.is_judged) {
    if (known.base != nullptr) harmless_ = {.begin = known.base, .end = known.base + known.bytes};
    return false;
  }
  add_outside(Hazard::host_memory, Space::host, address, bytes, use, site);
  refused_ = true;
  Case* made = cases_.last();
  if (made == nullptr || known.base == nullptr) return true;
  Place& place = made->place;
  place.name = known.name;
  place.file = known.file;
  place.line = known.line;
  place.offset = static_cast<std::uint64_t>(static_cast<const char*>(address) - known.base);
  place.extent = known.bytes;
  return true;
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

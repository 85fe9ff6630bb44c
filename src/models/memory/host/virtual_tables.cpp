// SPDX-License-Identifier: Apache-2.0
//
// Before each table stands the address of the class's type_info, whose own table is one of three in the C++ library
// (Itanium C++ ABI, "Virtual Table Layout" and "RTTI Layout"). Where the program has none (-fno-rtti), 0 stands there,
// and the symbol of the table says what it is.
#include "memory/host/virtual_tables.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "base/system/modules.hpp"
#include "base/text.hpp"
#include "memory/host/host_addresses.hpp"
#include "memory/memory_state.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::memory {
namespace {

// Objects are at the beginning of what is copied, or nowhere in it.
constexpr std::size_t kLooked = 4096;

}  // namespace

/// What was loaded when a copy was made last. A signal handler may read it, so the ones before are kept.
struct LoadedImages {
  base::ModuleCounts counts;
  std::vector<base::ModulePart> parts;  // by address
  const LoadedImages* before;
};

namespace {

/// Most words of a copy are before or behind all of them.
const base::ModulePart* part_with(const void* pointer) {
  const LoadedImages* images = MemoryState::of_process().loaded_images.load(std::memory_order_acquire);
  if (images == nullptr) {
    follow_loaded_libraries();
    images = MemoryState::of_process().loaded_images.load(std::memory_order_acquire);
  }
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::vector<base::ModulePart>& all = images->parts;
  if (address < all.front().begin || address >= all.back().end) return nullptr;
  const auto& part = *std::prev(std::ranges::upper_bound(all, address, {}, &base::ModulePart::begin));
  return address < part.end ? &part : nullptr;
}

/// Whether a pointer to data is at `pointer`, or may be.
bool is_in_image(const void* pointer) {
  if (reinterpret_cast<std::uintptr_t>(pointer) % alignof(void*) != 0) return false;
  const base::ModulePart* part = part_with(pointer);
  return part != nullptr && !part->is_code && reinterpret_cast<std::uintptr_t>(pointer) + sizeof(void*) <= part->end;
}

bool is_code(const void* pointer) {
  const base::ModulePart* part = part_with(pointer);
  return part != nullptr && part->is_code;
}

struct One {
  virtual ~One() = default;
};
struct Derived : One {};
struct Other {
  virtual ~Other() = default;
};
struct OfTwo : One, Other {};

/// Of an image, at any place: what lies between variables AddressSanitizer would refuse.
__attribute__((no_sanitize_address)) const void* word_at(const void* place) {
  return *static_cast<const void* const volatile*>(place);
}

bool is_type_info(const void* pointer) {
  const auto table_of = [](const std::type_info& type) { return *reinterpret_cast<const void* const*>(&type); };
  static const void* const tables[] = {table_of(typeid(One)), table_of(typeid(Derived)), table_of(typeid(OfTwo))};
  return is_in_image(pointer) && std::ranges::find(tables, word_at(pointer)) != std::end(tables);
}

/// Gives each word of an object what `change` makes of it, null for no change.
template <class Change>
void change_words(char* memory, std::size_t bytes, Change change) {
  bool is_found = false;
  const std::size_t skipped = -reinterpret_cast<std::uintptr_t>(memory) % sizeof(void*);
  for (std::size_t at = skipped; at + sizeof(void*) <= bytes && (at < kLooked || is_found); at += sizeof(void*)) {
    const void*& word = *reinterpret_cast<const void**>(memory + at);
    const void* const changed = change(word);
    if (changed == nullptr) continue;
    word = changed;
    is_found = true;
  }
}

constexpr std::string_view kTableOf = "vtable for ";

/// What the linker calls the table of which the address is part, if it is one; else empty.
std::string class_of_symbol(const void* pointer) {
  const std::string symbol = symbols::Symboliser::of_process().symbol(reinterpret_cast<std::uintptr_t>(pointer));
  const std::string name = base::demangled(symbol.c_str()).value_or(symbol);
  return name.starts_with(kTableOf) ? name.substr(kTableOf.size()) : std::string();
}

/// Whether it may point to the table of a class without a type_info: code is there, and before it 0 and the offset to
/// the whole object.
bool may_be_plain_table(const void* pointer) {
  constexpr std::intptr_t kMostOffset = 1 << 20;
  if (!is_in_image(pointer)) return false;
  const void* const* const table = static_cast<const void* const*>(pointer);
  if (!is_in_image(table - 2) || !is_code(word_at(table)) || word_at(table - 1) != nullptr) return false;
  const auto offset = reinterpret_cast<std::intptr_t>(word_at(table - 2));
  return offset <= 0 && offset > -kMostOffset;
}

}  // namespace

/// Tables of classes without a type_info, and what those are called; empty: it is none.
struct PlainTables {
  base::Mutex mutex;
  std::map<const void*, std::string> classes WARPFIBER_GUARDED_BY(mutex);
};

namespace {

PlainTables& plain_tables() {
  return MemoryState::of_process().plain_tables.get();
}

/// Empty where it is no such table, or nobody has asked look_for_plain_table().
std::string class_of_plain_table(const void* table) {
  const base::Lock lock(plain_tables().mutex);
  const auto found = plain_tables().classes.find(table);
  return found == plain_tables().classes.end() ? std::string() : found->second;
}

/// Not in a signal handler nor in a kernel: reads symbols of what it has not been asked for.
bool look_for_plain_table(const void* pointer) {
  if (!may_be_plain_table(pointer)) return false;
  const base::Lock lock(plain_tables().mutex);
  const auto [entry, fresh] = plain_tables().classes.try_emplace(pointer);
  if (fresh) entry->second = class_of_symbol(pointer);
  return !entry->second.empty();
}

bool has_type_info(const void* pointer) {
  const void* const* const before = static_cast<const void* const*>(pointer) - 1;
  return is_in_image(before) && is_type_info(word_at(before));
}

}  // namespace

void follow_loaded_libraries() {
  std::atomic<const LoadedImages*>& last = MemoryState::of_process().loaded_images;
  const LoadedImages* before = last.load(std::memory_order_acquire);
  const base::ModuleCounts now = base::module_counts();
  if (before != nullptr && before->counts == now) return;
  auto* images = new LoadedImages{now, base::loaded_parts(), before};
  while (!last.compare_exchange_weak(images->before, images)) {
  }
}

bool is_virtual_table(const void* pointer) {
  if (!is_in_image(pointer)) return false;
  return has_type_info(pointer) || (may_be_plain_table(pointer) && !class_of_plain_table(pointer).empty());
}

bool finds_virtual_table(const void* pointer) {
  return is_virtual_table(pointer) || look_for_plain_table(pointer);
}

const void* virtual_table_with(const void* address) {
  constexpr int kEntries = 256;
  const void* const* table = static_cast<const void* const*>(address);
  for (int i = 0; i < kEntries && is_in_image(table); ++i, --table) {
    if (is_virtual_table(table)) return table;
    if (!is_code(word_at(table))) return nullptr;
  }
  return nullptr;
}

std::string class_of_virtual_table(const void* table) {
  if (!has_type_info(table)) return class_of_plain_table(table);
  const char* const name = static_cast<const std::type_info* const*>(table)[-1]->name();
  return base::demangled(name).value_or(name);
}

void put_virtual_tables_out_of_reach(char* memory, std::size_t bytes) {
  change_words(memory, bytes,
               [](const void* word) { return finds_virtual_table(word) ? out_of_reach(word) : nullptr; });
}

void put_virtual_tables_in_reach(char* memory, std::size_t bytes) {
  if (!MemoryState::of_process().has_out_of_reach.load(std::memory_order_relaxed)) return;
  change_words(memory, bytes, [](const void* word) -> const void* {
    const void* const meant = turned(word);
    return is_virtual_table(meant) && meant_by(word) == meant ? meant : nullptr;
  });
}

}  // namespace warpfiber::memory

// SPDX-License-Identifier: Apache-2.0
//
// One list of places under one mutex. A place leaves it when its word is found to be another's: a kernel has
// constructed an object there, or the program has other data. Whether an address is mapped is a call of the system, so
// it is asked once for each table.
#include "memory/host/built_by_host.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "memory/device_space.hpp"
#include "memory/host/host_addresses.hpp"
#include "memory/host/virtual_tables.hpp"
#include "memory/memory_state.hpp"

namespace warpfiber::memory {
namespace {

using TablePointer = const void*;

// What a launch may spend on them is a fraction of a millisecond.
constexpr std::size_t kMostPlaces = 16384;
// Objects are at the beginning of memory, or nowhere in it.
constexpr std::size_t kMostLooked = 4096;

}  // namespace

struct BuiltByHost {
  struct PlaceOfTable {
    TablePointer* at;
    TablePointer kept;  // the table that has been put out of reach there; null: none has
  };

  base::Mutex mutex;
  std::vector<PlaceOfTable> places WARPFIBER_GUARDED_BY(mutex);               // by address
  std::map<TablePointer, TablePointer> faulting WARPFIBER_GUARDED_BY(mutex);  // in place of tables
  std::atomic<std::size_t> count{0};                                          // of places
  unsigned kernels WARPFIBER_GUARDED_BY(mutex) = 0;

  /// The first place that is not before `address`.
  std::vector<PlaceOfTable>::iterator from(std::uintptr_t address) WARPFIBER_REQUIRES(mutex) {
    return std::ranges::lower_bound(
        places, address, {}, [](const PlaceOfTable& place) { return reinterpret_cast<std::uintptr_t>(place.at); });
  }
};

namespace {

BuiltByHost& built() {
  return MemoryState::of_process().built_by_host.get();
}

/// A kernel may read it at the same time.
TablePointer load(const TablePointer* place) {
  return __atomic_load_n(place, __ATOMIC_RELAXED);
}

void store(TablePointer* place, TablePointer word) {
  __atomic_store_n(place, word, __ATOMIC_RELAXED);
}

/// The table that a word which faults stands for; null: none.
TablePointer table_behind(TablePointer word) {
  if (!MemoryState::of_process().has_out_of_reach.load(std::memory_order_relaxed)) return nullptr;
  const TablePointer meant = turned(word);
  return is_virtual_table(meant) && meant_by(word) == meant ? meant : nullptr;
}

/// What faults in place of `word`; null where that is no table.
TablePointer out_of_table(BuiltByHost& all, TablePointer word) WARPFIBER_REQUIRES(all.mutex) {
  const auto known = all.faulting.find(word);
  if (known != all.faulting.end()) return known->second;
  return finds_virtual_table(word) ? all.faulting.emplace(word, out_of_reach(word)).first->second : nullptr;
}

/// Registered memory may be gone without a call.
bool exists(const TablePointer* place) {
  return in_device_space(place) || is_mapped(place);
}

/// False where no table is.
bool put_out(BuiltByHost& all, TablePointer* place, TablePointer& kept) WARPFIBER_REQUIRES(all.mutex) {
  if (!exists(place)) return false;
  const TablePointer word = load(place);
  const TablePointer faulting = out_of_table(all, word);
  if (faulting == nullptr || faulting == word) return faulting != nullptr;
  kept = word;
  store(place, faulting);
  return true;
}

/// False where it was put out of reach and is another's by now.
bool put_back(TablePointer* place, TablePointer& kept) {
  if (kept == nullptr) return true;
  if (!exists(place) || load(place) != turned(kept)) return false;
  store(place, kept);
  kept = nullptr;
  return true;
}

/// Null where there are too many.
BuiltByHost::PlaceOfTable* add(BuiltByHost& all, TablePointer* at) WARPFIBER_REQUIRES(all.mutex) {
  auto place = all.from(reinterpret_cast<std::uintptr_t>(at));
  if (place == all.places.end() || place->at != at) {
    if (all.places.size() == kMostPlaces) return nullptr;
    place = all.places.insert(place, {at, nullptr});
    all.count = all.places.size();
  }
  return &*place;
}

/// Of a complete object: false where no table is.
bool add_object(BuiltByHost& all, TablePointer* at) WARPFIBER_REQUIRES(all.mutex) {
  if (out_of_table(all, load(at)) == nullptr) return false;
  BuiltByHost::PlaceOfTable* const added = add(all, at);
  if (all.kernels != 0 && added != nullptr) put_out(all, at, added->kept);
  return true;
}

/// Those for which `keeps` returns true.
template <class Keeps>
void keep_places(BuiltByHost& all, Keeps keeps) WARPFIBER_REQUIRES(all.mutex) {
  std::erase_if(all.places, [&keeps](BuiltByHost::PlaceOfTable& place) { return !keeps(place.at, place.kept); });
  all.count = all.places.size();
}

void erase(BuiltByHost& all, const void* memory, std::size_t bytes) WARPFIBER_REQUIRES(all.mutex) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  all.places.erase(all.from(begin), all.from(begin + bytes));
  all.count = all.places.size();
}

/// Calls `visit` with each word of `bytes` bytes at most; beyond the first ones only if it returned true for one.
template <class Visit>
void for_words(char* memory, std::size_t bytes, Visit visit) {
  bool is_found = false;
  const std::size_t skipped = -reinterpret_cast<std::uintptr_t>(memory) % sizeof(TablePointer);
  for (std::size_t at = skipped; at + sizeof(TablePointer) <= bytes && (at < kMostLooked || is_found);
       at += sizeof(TablePointer)) {
    if (visit(reinterpret_cast<TablePointer*>(memory + at))) is_found = true;
  }
}

/// Offsets of those places that are in the memory.
std::vector<std::size_t> offsets_in(const char* memory, std::size_t bytes) {
  std::vector<std::size_t> found;
  BuiltByHost& all = built();
  if (all.count == 0) return found;
  const base::Lock lock(all.mutex);
  for (auto place = all.from(reinterpret_cast<std::uintptr_t>(memory)); place != all.places.end(); ++place) {
    const auto offset = static_cast<std::size_t>(reinterpret_cast<const char*>(place->at) - memory);
    if (offset + sizeof(TablePointer) > bytes) break;
    found.push_back(offset);
  }
  return found;
}

/// After a copy from memory of a device alone: what faults there was the host's.
void note_faulting(char* memory, std::size_t bytes) {
  if (!MemoryState::of_process().has_out_of_reach.load(std::memory_order_relaxed)) return;
  BuiltByHost& all = built();
  const base::Lock lock(all.mutex);
  for_words(memory, bytes, [&all](TablePointer* place) {
    all.mutex.assume_held();  // by the caller, as below
    const TablePointer table = table_behind(load(place));
    if (table == nullptr) return false;
    store(place, table);
    return add_object(all, place);
  });
}

/// After a copy from memory of both, in which these were the host's.
void note_copied(char* memory, const std::vector<std::size_t>& offsets, Accessors accessors) {
  if (offsets.empty()) return;
  BuiltByHost& all = built();
  const base::Lock lock(all.mutex);
  for (const std::size_t offset : offsets) {
    // What is not aligned as the object was can be none.
    TablePointer* const place = reinterpret_cast<TablePointer*>(memory + offset);
    if (reinterpret_cast<std::uintptr_t>(place) % sizeof(TablePointer) != 0) continue;
    if (const TablePointer table = table_behind(load(place)); table != nullptr) store(place, table);
    TablePointer kept = nullptr;
    accessors == Accessors::device ? put_out(all, place, kept) : add_object(all, place);
  }
}

}  // namespace

void note_table_of_host(void* place) {
  follow_loaded_libraries();
  BuiltByHost& all = built();
  const base::Lock lock(all.mutex);
  add(all, static_cast<TablePointer*>(place));
}

void note_object_of_host(void* object, std::size_t bytes, const void* end) {
  follow_loaded_libraries();
  BuiltByHost& all = built();
  const base::Lock lock(all.mutex);
  for_words(static_cast<char*>(object), bytes, [&](TablePointer* place) {
    all.mutex.assume_held();
    const TablePointer table = load(place);
    if (!add_object(all, place)) return false;
    char* next = reinterpret_cast<char*>(place) + bytes;
    for (; next + sizeof(TablePointer) <= static_cast<const char*>(end); next += bytes) {
      TablePointer* const of_next = reinterpret_cast<TablePointer*>(next);
      if (load(of_next) != table || !add_object(all, of_next)) break;
    }
    return true;
  });
}

void note_objects_of_host(char* memory, std::size_t bytes) {
  follow_loaded_libraries();
  BuiltByHost& all = built();
  const base::Lock lock(all.mutex);
  for_words(memory, bytes, [&all](TablePointer* place) {
    all.mutex.assume_held();
    return add_object(all, place);
  });
}

void forget_objects_of_host(const void* memory, std::size_t bytes) {
  BuiltByHost& all = built();
  if (all.count == 0) return;
  const base::Lock lock(all.mutex);
  erase(all, memory, bytes);
}

void begin_kernel_of_tables() {
  BuiltByHost& all = built();
  const base::Lock lock(all.mutex);
  if (all.kernels++ != 0) return;
  // Where no table is any more there may be one of a kernel's later.
  keep_places(all, [&all](TablePointer* place, TablePointer& kept) {
    all.mutex.assume_held();
    return put_out(all, place, kept);
  });
}

void end_kernel_of_tables() {
  BuiltByHost& all = built();
  const base::Lock lock(all.mutex);
  if (--all.kernels != 0) return;
  keep_places(all, put_back);
}

bool put_registers_in_reach(const void* address, long long* const* registers, std::size_t count) {
  if (meant_by(address) == nullptr) return false;
  bool is_found = false;
  for (std::size_t i = 0; i < count; ++i) {
    const TablePointer table = table_behind(reinterpret_cast<TablePointer>(*registers[i]));
    if (table == nullptr) continue;
    *registers[i] = reinterpret_cast<long long>(table);
    is_found = true;
  }
  return is_found;
}

void copy_with_tables(char* to, Accessors of_destination, const char* from, Accessors of_source, std::size_t bytes) {
  follow_loaded_libraries();
  const bool of_both = of_source == Accessors::both;
  const std::vector<std::size_t> objects = of_both ? offsets_in(from, bytes) : std::vector<std::size_t>();
  std::memmove(to, from, bytes);
  if (of_destination == Accessors::both) forget_objects_of_host(to, bytes);
  if (of_destination == Accessors::host) {
    if (of_source != Accessors::host) put_virtual_tables_in_reach(to, bytes);
  } else if (of_source == Accessors::host) {
    of_destination == Accessors::device ? put_virtual_tables_out_of_reach(to, bytes) : note_objects_of_host(to, bytes);
  } else if (of_both) {
    note_copied(to, objects, of_destination);
  } else if (of_destination == Accessors::both) {
    note_faulting(to, bytes);
  }
}

}  // namespace warpfiber::memory

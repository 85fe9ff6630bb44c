// SPDX-License-Identifier: Apache-2.0
// What every address of device memory belongs to: allocations, variables, and the shared memory of blocks, those that
// were freed included until their addresses are another's. Any thread may call.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpfiber::memory {

enum class ObjectKind { global, managed, pinned, heap, shared, dynamic_shared, variable, constant };

/// Where an object is declared, and as what; what is not known is empty.
struct Declared {
  std::string name{};
  std::string type{};
  const void* type_pointer = nullptr;  // by which debug information is asked of the type
  std::string file{};
  unsigned line = 0;
};

struct Object {
  const char* base = nullptr;
  std::size_t bytes = 0;
  ObjectKind kind = ObjectKind::global;
  bool freed = false;
  bool initialised = false;  // it began with defined content, or the host writes it without calls or hooks
  int device = 0;            // -1: of the block that it is shared memory of
  std::string name{};
  std::string type{};
  const void* type_pointer = nullptr;  // as in Declared
  const void* made_by = nullptr;       // what the user's call that allocated it returns to; null: unknown
  const void* freed_by = nullptr;      // likewise
  std::string file{};
  unsigned line = 0;
  std::size_t alignment = 0;  // that its declaration asks for; 0: of no static shared variable
};

/// What is known of an object when it comes to be.
struct Birth {
  ObjectKind kind = ObjectKind::global;
  int device = 0;
  bool initialised = false;
  const void* made_by = nullptr;
  std::shared_ptr<const Declared> declared{};
  bool closes = false;  // to the host, which cannot reach it on a machine with a GPU (GlobalHeap::close())
};

/// `bytes` from `base` are one object from now on; what was freed there is forgotten.
void add_object(const void* base, std::size_t bytes, const Birth& birth);

/// Nothing is an object in these bytes any more.
void forget_objects(const void* base, std::size_t bytes);

enum class Freeing { done, twice, inside, unknown };
/// The object that begins at `base` is freed. Nothing changes where none does, or one that was freed already, or where
/// `base` is inside of one; nor, with `unknown`, where it is one of another kind than `only`.
Freeing free_object(const void* base, const void* freed_by, std::optional<ObjectKind> only = std::nullopt);

/// What free_object() would answer, and nothing changes.
Freeing freeing_of(const void* base, std::optional<ObjectKind> only = std::nullopt);

/// The object that begins at `base` is no memory of a device any more; its memory stays as it is.
void remove_object(const void* base);

/// The object that contains the address, live or freed.
std::optional<Object> object_at(const void* address);

/// Addresses in a row: those of one object, or all between two neighbours.
struct AddressRange {
  const char* begin = nullptr;
  const char* end = nullptr;
  std::optional<ObjectKind> kind{};  // of the object; none between objects
  bool freed = false;

  bool contains(const void* address, std::size_t bytes) const {
    const auto* at = static_cast<const char*>(address);
    return at >= begin && at < end && bytes <= static_cast<std::size_t>(end - at);
  }
};
/// Those around an address. The shared memory of blocks is no object here.
AddressRange range_around(const void* address);

/// The object that contains the address or is nearest to it. Outside of the device space, where only variables and the
/// host's own memory are, none that is further away than a page.
std::optional<Object> nearest_object(const void* address);

/// How often an object has come to be or was freed, or doubt_objects() was called.
extern constinit std::atomic<std::uint64_t> object_changes;
/// What anybody has found out about objects he finds out again.
inline void doubt_objects() {
  object_changes.fetch_add(1);
}
/// Changes whenever an object comes to be or is freed, or may be used by more than before.
inline std::uint64_t objects_generation() {
  return object_changes.load(std::memory_order_acquire);
}

/// Whether an address is that of a null pointer, or of an element or member of one. Nothing is ever there.
inline bool is_null(const void* address) {
  constexpr std::uintptr_t kNullBytes = 4096;
  return reinterpret_cast<std::uintptr_t>(address) < kNullBytes;
}

/// Whether a pointer of the host's processor can hold the address.
inline bool is_canonical(const void* address) {
  constexpr unsigned kUnused = 16;
  const auto bits = reinterpret_cast<std::intptr_t>(address);
  return static_cast<std::intptr_t>(static_cast<std::uintptr_t>(bits) << kUnused) >> kUnused == bits;
}

/// The objects of a kind that live, by address: on one device, or on any.
std::vector<Object> live_objects(ObjectKind kind, std::optional<int> device = std::nullopt);

/// The type in the text that type_text<T>() (detail/shared_variable.hpp) gives; empty for null.
std::string type_in(const char* text);

// Memory of the program that lies behind variables of device 0 and belongs to nothing (src/compiler/translate/
// device_variables.cpp): an index that runs out of a variable gets there, and not into the next one.
// Zones are added before main, or when a library is loaded, and stay until that is unloaded. Any thread may call.

/// `bytes` that reach to `end`, if the compiler has put that behind them, as it was asked to.
void add_red_zone(const void* begin, std::size_t bytes, const void* end);

/// Those that begin in a range of addresses, which are a library's that is unloaded.
void remove_red_zones(const void* begin, const void* end);

bool in_red_zone(const void* address);

}  // namespace warpfiber::memory

// SPDX-License-Identifier: Apache-2.0
//
// Before each table stands the address of the class's type_info, whose own table is one of three in the C++ library
// (Itanium C++ ABI, "Virtual Table Layout" and "RTTI Layout").
#include "memory/host/virtual_tables.hpp"

#include <cxxabi.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <typeinfo>
#include <vector>

#include "memory/out_of_reach.hpp"

namespace warpfiber::memory {
namespace {

// Objects lie at the begin of what is copied, or nowhere in it.
constexpr std::size_t kLooked = 4096;

struct Range {
  std::uintptr_t begin;
  std::uintptr_t end;
};

/// Where the program's and its libraries' variables and constants are.
const std::vector<Range>& images() {
  static const std::vector<Range> ranges = [] {
    std::vector<Range> found;
    ::dl_iterate_phdr(
        [](dl_phdr_info* image, std::size_t, void* to) {
          for (int i = 0; i < image->dlpi_phnum; ++i) {
            const ElfW(Phdr)& part = image->dlpi_phdr[i];
            const std::uintptr_t begin = image->dlpi_addr + part.p_vaddr;
            const bool is_data = part.p_type == PT_LOAD && (part.p_flags & PF_X) == 0;
            if (is_data) static_cast<std::vector<Range>*>(to)->push_back({begin, begin + part.p_memsz});
          }
          return 0;
        },
        &found);
    return found;
  }();
  return ranges;
}

bool is_in_image(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (address % alignof(void*) != 0) return false;
  return std::ranges::any_of(images(), [address](const Range& range) {
    return range.begin <= address && address + sizeof(void*) <= range.end;
  });
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

}  // namespace

bool is_virtual_table(const void* pointer) {
  if (!is_in_image(pointer)) return false;
  const void* const* const before = static_cast<const void* const*>(pointer) - 1;
  return is_in_image(before) && is_type_info(word_at(before));
}

const void* virtual_table_with(const void* address) {
  constexpr int kEntries = 256;
  const void* const* table = static_cast<const void* const*>(address);
  for (int i = 0; i < kEntries && is_in_image(table); ++i, --table) {
    if (is_virtual_table(table)) return table;
    if (is_in_image(word_at(table)) || word_at(table) == nullptr) return nullptr;  // an entry is code
  }
  return nullptr;
}

std::string class_of_virtual_table(const void* table) {
  const char* const name = static_cast<const std::type_info* const*>(table)[-1]->name();
  const std::unique_ptr<char, decltype(&std::free)> readable(abi::__cxa_demangle(name, nullptr, nullptr, nullptr),
                                                             &std::free);
  return readable != nullptr ? readable.get() : name;
}

void put_virtual_tables_out_of_reach(char* memory, std::size_t bytes) {
  change_words(memory, bytes, [](const void* word) { return is_virtual_table(word) ? out_of_reach(word) : nullptr; });
}

void put_virtual_tables_in_reach(char* memory, std::size_t bytes) {
  change_words(memory, bytes, [](const void* word) -> const void* {
    const void* const meant = turned(word);
    return is_virtual_table(meant) && meant_by(word) == meant ? meant : nullptr;
  });
}

}  // namespace warpfiber::memory

// SPDX-License-Identifier: Apache-2.0
// Copies are kept by the address of their originals; another one takes a place over.
#include "instrument/x86/code_area.hpp"

#include <warpfiber/detail/config.hpp>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <new>

#include "base/targets.hpp"
#include "instrument/x86/steps.hpp"

namespace warpfiber::instrument::x86 {

constinit thread_local LeavingState of_thread WARPFIBER_TLS_MODEL;

namespace {

#if defined(__linux__) && WARPFIBER_HOST_IS_X86_64

/// Instructions that name memory relative to themselves have to reach the same memory from here. Null: there is none.
void* map_near(const void* code, std::size_t bytes) {
  constexpr std::uintptr_t kStep = std::uintptr_t{16} << 20;
  constexpr unsigned kSteps = 96;
  constexpr int kUse = PROT_READ | PROT_WRITE | PROT_EXEC;
  constexpr int kKind = MAP_PRIVATE | MAP_ANONYMOUS;
  const auto from = reinterpret_cast<std::uintptr_t>(code) & ~(kStep - 1);
  for (unsigned i = 1; i <= kSteps && from > i * kStep; ++i) {
    void* const wanted = reinterpret_cast<void*>(from - i * kStep);
    void* const made = ::mmap(wanted, bytes, kUse, kKind | MAP_FIXED_NOREPLACE, -1, 0);
    if (made == wanted) return made;
    if (made != MAP_FAILED) ::munmap(made, bytes);
  }
  void* const made = ::mmap(nullptr, bytes, kUse, kKind, -1, 0);
  return made == MAP_FAILED ? nullptr : made;
}

void unmap(void* memory, std::size_t bytes) {
  ::munmap(memory, bytes);
}

#else

void* map_near(const void*, std::size_t) {
  return nullptr;
}

void unmap(void*, std::size_t) {}

#endif

}  // namespace

std::size_t CodeArea::code_bytes() {
  constexpr std::size_t kPage = 4096;
  return (kCopies * kCopyBytes + kPage - 1) / kPage * kPage;
}

std::size_t CodeArea::mapped_bytes() {
  return code_bytes() + kMemoryBytes + sizeof(CodeArea);
}

CodeArea* CodeArea::make(const void* code) {
  void* const mapping = map_near(code, mapped_bytes());
  if (mapping == nullptr) return nullptr;
  auto* const begin = static_cast<std::uint8_t*>(mapping);
  auto* const area = new (begin + code_bytes() + kMemoryBytes) CodeArea;
  area->code_ = begin;
  area->memory_ = begin + code_bytes();
  return area;
}

CodeArea* CodeArea::of_this_thread(const void* code) {
  if (of_thread.area == nullptr && !of_thread.is_refused) {
    of_thread.area = make(code);
    of_thread.is_refused = of_thread.area == nullptr;
  }
  return of_thread.area;
}

CodeArea* CodeArea::known() {
  return of_thread.area;
}

void CodeArea::release() {
  of_thread.is_refused = true;
  if (of_thread.area != nullptr) unmap(of_thread.area->code_, mapped_bytes());
  of_thread.area = nullptr;
}

void CodeArea::put_jump(std::uint8_t* at, const void* to) {
  // jmp *0(%rip), and the address behind it
  at[0] = 0xff;
  at[1] = 0x25;
  for (unsigned i = 2; i < 6; ++i) at[i] = 0;
  const auto address = reinterpret_cast<std::uintptr_t>(to);
  for (unsigned i = 0; i < sizeof address; ++i) at[6 + i] = static_cast<std::uint8_t>(address >> (8 * i));
}

/// What was stored last must not be loaded.
void CodeArea::clear_memory() {
  auto* const words = reinterpret_cast<volatile std::uint64_t*>(memory_);
  for (std::size_t i = 0; i < kOperandBytes / sizeof *words; ++i) words[i] = 0;
}

const std::uint8_t* CodeArea::without_access(const MachineInstruction& of, const std::uint8_t* code, const void* next) {
  if (of.has_vector_index || of.is_elsewhere) return nullptr;
  clear_memory();
  const std::size_t index = reinterpret_cast<std::uintptr_t>(code) % kCopies;
  std::uint8_t* const place = place_of(index);
  Copy& copy = copies_[index];
  if (copy.original == code && copy.next == next && copy.is_without) return place;
  copy = {};
  const unsigned bytes = with_operand(of, code, place, memory_);
  if (bytes == 0) return nullptr;
  put_jump(place + bytes, next);
  copy = {code, next, true};
  return place;
}

const std::uint8_t* CodeArea::followed_by(const MachineInstruction& of, const std::uint8_t* code, const void* next) {
  const std::size_t index = reinterpret_cast<std::uintptr_t>(code) % kCopies;
  std::uint8_t* const place = place_of(index);
  Copy& copy = copies_[index];
  if (copy.original == code && copy.next == next && !copy.is_without) return place;
  copy = {};
  unsigned bytes = of.bytes;
  if (of.is_relative) {
    const std::uint64_t operand =
        static_cast<std::uint64_t>(of.displacement) + reinterpret_cast<std::uintptr_t>(code) + of.bytes;
    bytes = with_operand(of, code, place, reinterpret_cast<const void*>(operand));
    if (bytes == 0) return nullptr;
  } else {
    for (unsigned i = 0; i < bytes; ++i) place[i] = code[i];
  }
  put_jump(place + bytes, next);
  copy = {code, next, false};
  return place;
}

const std::uint8_t* CodeArea::original_of(const void* instruction) const {
  const auto offset = reinterpret_cast<std::uintptr_t>(instruction) - reinterpret_cast<std::uintptr_t>(code_);
  return offset < kCopies * kCopyBytes ? copies_[offset / kCopyBytes].original : nullptr;
}

}  // namespace warpfiber::instrument::x86

// SPDX-License-Identifier: Apache-2.0
// Sources: pthread_atfork(3); madvise(2), MADV_WIPEONFORK.
#include "base/forking.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/system/address_space.hpp"

namespace warpfiber::base {
namespace {

constinit char never_used = 0;
constinit char without_page = 0;

constinit std::atomic<volatile char*> word{nullptr};  // null until the process uses CUDA

void on_child() {
  *word.load() = 0;
}

/// A word that is 0 in every child, also in those that are made without the handlers of fork().
volatile char* make_word() {
  const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* page = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return &without_page;
#ifdef MADV_WIPEONFORK
  ::madvise(page, bytes, MADV_WIPEONFORK);
#endif
  return static_cast<char*>(page);
}

bool begin() {
  grow_first_stack();
  volatile char* const made = make_word();
  *made = 1;
  word.store(made);
  ::pthread_atfork(nullptr, nullptr, on_child);
  detail::in_use.store(made, std::memory_order_release);
  return true;
}

}  // namespace

namespace detail {

constinit std::atomic<const volatile char*> in_use{&never_used};

bool begin_use() {
  if (is_forked_child()) return false;
  static const bool begun = begin();
  return begun;
}

}  // namespace detail

bool is_forked_child() {
  const volatile char* const made = word.load(std::memory_order_acquire);
  return made != nullptr && *made == 0;
}

}  // namespace warpfiber::base

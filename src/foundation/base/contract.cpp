// SPDX-License-Identifier: Apache-2.0
//
// Failing a contract. The way out allocates nothing and takes no lock that may be held: the heap or the launch may be
// what is broken, and the stack may be a fiber's.
#include "base/contract.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/locks/annotated_mutex.hpp"

namespace warpfiber::base {
namespace {

struct ReplayNote {
  Mutex mutex;
  std::array<char, 256> text WARPFIBER_GUARDED_BY(mutex){};
};

ReplayNote& replay_note() {
  static ReplayNote note;
  return note;
}

const char* below_src(const char* file) {
  const char* found = std::strstr(file, "/src/");
  return found ? found + std::strlen("/src/") : file;
}

}  // namespace

std::size_t describe_failed_contract(char* out, std::size_t size, const char* condition, const char* text,
                                     const char* file, unsigned line, const char* repeat) noexcept {
  const int length = std::snprintf(
      out, size,
      "warpfiber: internal error at %s:%u: %s\n"
      "  violated  %s\n"
      "  This is a defect of Warpfiber, not of your kernel. Please report it with this text.\n"
      "  again     %s\n",
      below_src(file), line, text, condition, *repeat ? repeat : "the same command; no launch was in progress");
  return length < 0 ? 0 : std::min(static_cast<std::size_t>(length), size - 1);
}

void contract_failed(const char* condition, const char* text, const char* file, unsigned line) noexcept {
  ReplayNote& note = replay_note();
  std::array<char, 1024> message;
  std::size_t length = 0;
  if (note.mutex.try_lock()) {
    const Lock lock(note.mutex, std::adopt_lock);
    length = describe_failed_contract(message.data(), message.size(), condition, text, file, line, note.text.data());
  } else {
    length = describe_failed_contract(message.data(), message.size(), condition, text, file, line, "");
  }
  for (std::size_t written = 0; written < length;) {
    const ssize_t step = ::write(STDERR_FILENO, message.data() + written, length - written);
    if (step <= 0) break;
    written += static_cast<std::size_t>(step);
  }
  std::abort();
}

void set_replay_note(std::string_view command) noexcept {
  ReplayNote& note = replay_note();
  const Lock lock(note.mutex);
  const std::size_t length = std::min(command.size(), note.text.size() - 1);
  std::copy_n(command.begin(), length, note.text.begin());
  note.text[length] = '\0';
}

}  // namespace warpfiber::base

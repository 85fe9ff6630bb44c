// SPDX-License-Identifier: Apache-2.0
// Sources: msync(2), mincore(2); proc(5), "MemAvailable".
#include "device_memory/host/host_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/index.hpp"
#include "base/system/control_groups.hpp"
#include "fiber/tools.hpp"

namespace warpfiber::device_memory {
namespace {

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

std::string text_of(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Takes four times as long as msync for a page.
bool have_own_pages(std::uintptr_t at, std::size_t bytes, std::size_t page) {
  std::array<unsigned char, 4096> resident;  // one for each page, not looked at
  while (bytes > 0) {
    const std::size_t piece = std::min(bytes, resident.size() * page);
    if (::mincore(reinterpret_cast<void*>(at), piece, resident.data()) != 0 && errno == ENOMEM) return false;
    at += piece;
    bytes -= piece;
  }
  return true;
}

std::size_t page_size() {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return page;
}

}  // namespace

std::size_t absent_bytes(const void* memory, std::size_t bytes) {
  const std::size_t page = page_size();
  const auto first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  std::size_t left = bytes / page * page;
  std::size_t absent = 0;
  std::array<unsigned char, 4096> resident;
  for (std::uintptr_t at = first; left > 0;) {
    const std::size_t piece = std::min(left, resident.size() * page);
    if (::mincore(reinterpret_cast<void*>(at), piece, resident.data()) != 0) return absent * page;
    const auto end = resident.begin() + static_cast<std::ptrdiff_t>(piece / page);
    absent += static_cast<std::size_t>(std::count_if(resident.begin(), end, [](unsigned char is) { return is == 0; }));
    at += piece;
    left -= piece;
  }
  return absent * page;
}

std::size_t available_in_meminfo(const std::string& text) {
  constexpr const char* kKey = "MemAvailable:";
  const std::size_t at = text.find(kKey);
  if (at == std::string::npos) return kUnknown;
  std::istringstream rest(text.substr(at + std::string(kKey).size()));
  std::size_t kibibytes = 0;
  return rest >> kibibytes ? kibibytes * 1024 : kUnknown;
}

bool is_mapped(const void* memory, std::size_t bytes) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  static const bool observed = fiber::is_observed();
  const auto first = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = first - first % page;
  // The system would round a size that wraps around up to nothing.
  if (bytes > base::kLargestSize - first) return false;
  const std::size_t size = bytes + (first - begin);
  // Linux starts no writing for MS_ASYNC and only looks what is there. To valgrind the call reads all of the pages.
  if (observed) return have_own_pages(begin, size, page);
  return ::msync(reinterpret_cast<void*>(begin), size, MS_ASYNC) == 0 || errno != ENOMEM;
}

std::size_t available_host_bytes() {
  return std::min(available_in_meminfo(text_of("/proc/meminfo")),
                  base::memory_left_in_groups(base::group_membership(), base::kControlGroups));
}

}  // namespace warpfiber::device_memory

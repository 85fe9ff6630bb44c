// SPDX-License-Identifier: Apache-2.0
// Sources: proc(5), "MemAvailable"; Linux kernel documentation, "Control Group v2", memory.max and memory.current.
#include "runtime/memory/host_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/text.hpp"

namespace warpfiber::runtime {
namespace {

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

std::string text_of(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::size_t number_of(const char* path) {
  const std::string text = text_of(path);
  const auto number = base::parse_number(text.substr(0, text.find('\n')));
  return number.has_value() ? static_cast<std::size_t>(*number) : kUnknown;
}

std::size_t left_in_control_group() {
  const std::size_t limit = number_of("/sys/fs/cgroup/memory.max");
  const std::size_t used = number_of("/sys/fs/cgroup/memory.current");
  if (limit == kUnknown || used == kUnknown) return kUnknown;
  return limit > used ? limit - used : 0;
}

}  // namespace

std::size_t available_in_meminfo(const std::string& text) {
  constexpr const char* kKey = "MemAvailable:";
  const std::size_t at = text.find(kKey);
  if (at == std::string::npos) return kUnknown;
  std::istringstream rest(text.substr(at + std::string(kKey).size()));
  std::size_t kibibytes = 0;
  return rest >> kibibytes ? kibibytes * 1024 : kUnknown;
}

std::size_t available_host_bytes() {
  return std::min(available_in_meminfo(text_of("/proc/meminfo")), left_in_control_group());
}

}  // namespace warpfiber::runtime

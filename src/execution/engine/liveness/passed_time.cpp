// SPDX-License-Identifier: Apache-2.0
// A worker's share of the time is that of its last interval, which is as long as a few others' looks.
#include "engine/liveness/passed_time.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace warpfiber::engine {

void PassedTime::look(std::size_t worker, std::int64_t now, std::int64_t queued) {
  Worker& one = workers_.at(worker);
  if (one.looked != 0 && now > one.looked) {
    const auto waited = static_cast<double>(queued - one.queued);
    one.share = std::clamp(1 - waited / static_cast<double>(now - one.looked), 0.0, 1.0);
  }
  one.looked = now;
  one.queued = queued;
  if (passed_up_to_ == 0) passed_up_to_ = now;
  last_look_ = now;
}

void PassedTime::add(double share) {
  const std::int64_t passed = std::min(last_look_ - passed_up_to_, longest_);
  passed_up_to_ = last_look_;
  now_.wall += passed;
  now_.granted += static_cast<std::int64_t>(static_cast<double>(passed) * share);
}

std::int64_t queued_in(std::string_view schedstat) {
  const std::size_t second = schedstat.find(' ');
  std::int64_t queued = 0;
  if (second != std::string_view::npos)
    std::from_chars(schedstat.data() + second + 1, schedstat.data() + schedstat.size(), queued);
  return queued;
}

std::int64_t time_queued() {
  const int file = ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 96> text{};
  const ssize_t length = ::read(file, text.data(), text.size());
  ::close(file);
  return length <= 0 ? 0 : queued_in({text.data(), static_cast<std::size_t>(length)});
}

}  // namespace warpfiber::engine

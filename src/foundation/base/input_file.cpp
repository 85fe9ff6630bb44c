// SPDX-License-Identifier: Apache-2.0
//
// The size of a device or a pipe is not known before it is read.
#include "base/input_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace warpfiber::base {

Result<std::string> read_input(const std::string& path, std::size_t most_mib) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return Failure{std::strerror(errno)};
  std::string text;
  std::string why;
  std::array<char, 1U << 16> part;
  for (ssize_t size = 1; size != 0 && why.empty();) {
    size = ::read(file, part.data(), part.size());
    if (size < 0 && errno != EINTR) why = std::strerror(errno);
    if (size > 0) text.append(part.data(), static_cast<std::size_t>(size));
    if (text.size() > most_mib << 20U) why = std::strerror(EFBIG);
  }
  ::close(file);
  if (!why.empty()) return Failure{why};
  return text;
}

}  // namespace warpfiber::base

// SPDX-License-Identifier: Apache-2.0
//
// A process of its own writes into a pipe of the program's. It ends with the program, so a pipe that nobody closes is
// no reason to wait. Between its begin and its end nothing is called that may not be called in a handler.
#include "tools/nvcc/processes/repeated_input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

namespace warpfiber::tools::nvcc {
namespace {

constexpr std::size_t kAtOnce = std::size_t{1} << 14;

void close_both(int (&ends)[2]) {
  for (int& end : ends) {
    if (end >= 0) ::close(end);
    end = -1;
  }
}

}  // namespace

RepeatedInput::RepeatedInput() {
  struct stat state {};
  if (::fstat(STDIN_FILENO, &state) != 0) return;
  if (S_ISFIFO(state.st_mode) || S_ISSOCK(state.st_mode)) kept_ = ::memfd_create("input", MFD_CLOEXEC);
  if (S_ISREG(state.st_mode)) begin_ = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
}

RepeatedInput::~RepeatedInput() {
  if (kept_ >= 0) ::close(kept_);
}

RepeatedInput::InputTurn::InputTurn(const RepeatedInput& input) : kept_(input.kept_) {
  if (input.begin_ >= 0) ::lseek(STDIN_FILENO, input.begin_, SEEK_SET);
  if (kept_ < 0) return;
  if (::pipe2(ends_, O_CLOEXEC) == 0 && ::pipe2(over_, O_CLOEXEC) == 0) {
    ::fcntl(ends_[1], F_SETFL, O_NONBLOCK);
    relay_ = ::fork();
  }
  if (relay_ == 0) pass_on();
  if (relay_ < 0) {
    close_both(ends_);
  } else {
    ::close(std::exchange(ends_[1], -1));
  }
}

RepeatedInput::InputTurn::~InputTurn() {
  close_both(over_);
  if (relay_ > 0) {
    while (::waitpid(relay_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close_both(ends_);
}

void RepeatedInput::InputTurn::pass_on() const {
  // It takes no signals: those of its parent's group, and those of a pipe that nobody reads any more.
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::close(ends_[0]);
  ::close(over_[1]);
  char buffer[kAtOnce];
  off_t written = 0;
  while (true) {
    const ssize_t kept = ::pread(kept_, buffer, sizeof buffer, written);
    if (kept > 0) {
      if (!write_all(buffer, static_cast<std::size_t>(kept))) break;
      written += kept;
      continue;
    }
    if (!is_ready(STDIN_FILENO, POLLIN)) break;
    const ssize_t size = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (size <= 0) break;
    // All processes have one position in the file: behind what there is.
    if (::write(kept_, buffer, static_cast<std::size_t>(size)) != size) break;
  }
  ::_exit(0);
}

/// False once nobody reads any more.
bool RepeatedInput::InputTurn::write_all(const char* data, std::size_t size) const {
  std::size_t written = 0;
  while (written < size) {
    if (!is_ready(ends_[1], POLLOUT)) return false;
    const ssize_t more = ::write(ends_[1], data + written, size - written);
    if (more < 0 && errno != EAGAIN) return false;
    if (more > 0) written += static_cast<std::size_t>(more);
  }
  return true;
}

/// False once nobody reads any more.
bool RepeatedInput::InputTurn::is_ready(int handle, short events) const {
  pollfd wanted[2] = {{.fd = over_[0], .events = POLLIN, .revents = 0}, {.fd = handle, .events = events, .revents = 0}};
  return ::poll(wanted, 2, -1) > 0 && wanted[0].revents == 0;
}

int run(const std::vector<std::string>& command, SpawnOptions spawn_options, const RepeatedInput* input) {
  if (input == nullptr) return run(command, spawn_options);
  const RepeatedInput::InputTurn turn(*input);
  spawn_options.input = turn.handle();
  return run(command, spawn_options);
}

}  // namespace warpfiber::tools::nvcc

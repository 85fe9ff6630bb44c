// SPDX-License-Identifier: Apache-2.0
#include "tools/nvcc/processes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "base/environment.hpp"

namespace warpfiber::tools::nvcc {
namespace {

constexpr int kCannotRun = 127;
constexpr int kSignalled = 128;
constexpr int kStopping[] = {SIGINT, SIGTERM};

// Of StoppedTogether, for its handler.
volatile std::sig_atomic_t running_child = 0;
volatile std::sig_atomic_t stopped_by = 0;

/// This process's variables with others in place of those of their names. The texts are borrowed.
std::vector<char*> environment(const std::vector<std::string>& own) {
  const auto is_replaced = [&own](const char* variable) {
    return std::any_of(own.begin(), own.end(), [variable](const std::string& text) {
      return std::strncmp(variable, text.c_str(), text.find('=') + 1) == 0;
    });
  };
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!is_replaced(*variable)) variables.push_back(*variable);
  }
  for (const std::string& text : own) variables.push_back(const_cast<char*>(text.c_str()));
  variables.push_back(nullptr);
  return variables;
}

/// Kills a child that takes longer than it may.
class Limit {
 public:
  Limit(pid_t child, const Surroundings& surroundings)
      : child_(child),
        out_of_time_(surroundings.out_of_time),
        is_set_(surroundings.most_seconds != 0),
        asks_(surroundings.is_asked),
        end_(std::chrono::steady_clock::now() + std::chrono::seconds(surroundings.most_seconds)) {}

  /// Whether the child has been killed, now or before.
  bool strike() {
    if (struck_ || !is_set_ || std::chrono::steady_clock::now() < end_) return struck_;
    if (std::exchange(asks_, false)) {
      constexpr std::chrono::seconds kTimeToAnswer{30};
      end_ += kTimeToAnswer;
      if (out_of_time_ != nullptr) *out_of_time_ = true;
      ::kill(child_, SIGXCPU);
      return false;
    }
    struck_ = ::kill(child_, SIGKILL) == 0;
    if (struck_ && out_of_time_ != nullptr) *out_of_time_ = true;
    return struck_;
  }

  /// Until the child has ended or was killed; at once where there is no limit.
  void wait() {
    if (!is_set_) return;
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, child_, 0));
    pollfd ended{.fd = handle, .events = POLLIN, .revents = 0};
    while (handle >= 0 && !strike()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now());
      const int patience = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
      if (::poll(&ended, 1, patience) > 0) break;
    }
    if (handle >= 0) ::close(handle);
  }

 private:
  const pid_t child_;
  bool* const out_of_time_;
  const bool is_set_;
  bool asks_;
  std::chrono::steady_clock::time_point end_;
  bool struck_ = false;
};

/// What a child writes to its standard output, on its way through this process.
class Tee {
 public:
  /// Keeps it in `output`, and passes it on unless `silent`.
  Tee(std::string& output, bool silent) : output_(output), silent_(silent) {
    if (::pipe2(ends_, O_CLOEXEC) != 0) ends_[0] = ends_[1] = -1;
  }
  ~Tee() {
    for (const int end : ends_) {
      if (end >= 0) ::close(end);
    }
  }
  Tee(const Tee&) = delete;
  Tee& operator=(const Tee&) = delete;

  int end_of_child() const { return ends_[1]; }

  /// Until `child` has ended and what it has written was read. Whoever else holds its output is not waited for.
  void read(pid_t child, Limit& limit) {
    ::close(std::exchange(ends_[1], -1));
    bool ended = false;
    for (bool open = true; open && !ended;) {
      siginfo_t state{};
      ended = ::waitid(P_PID, static_cast<id_t>(child), &state, WEXITED | WNOHANG | WNOWAIT) == 0 && state.si_pid != 0;
      if (!ended) limit.strike();
      pollfd wanted{.fd = ends_[0], .events = POLLIN, .revents = 0};
      while (open && ::poll(&wanted, 1, ended ? 0 : kPatience) > 0) open = take();
    }
  }

 private:
  static constexpr int kPatience = 20;  // milliseconds after which the child is looked at
  static constexpr std::size_t kKept = std::size_t{4} << 20;

  /// False at the end.
  bool take() {
    char buffer[std::size_t{1} << 16];
    const ssize_t size = ::read(ends_[0], buffer, sizeof buffer);
    if (size <= 0) return size < 0 && errno == EINTR;
    const auto bytes = static_cast<std::size_t>(size);
    output_.append(buffer, std::min(bytes, kKept - output_.size()));
    if (!silent_) {
      std::fwrite(buffer, 1, bytes, stdout);
      std::fflush(stdout);
    }
    return true;
  }

  std::string& output_;
  const bool silent_;
  int ends_[2];
};

}  // namespace

StoppedTogether::StoppedTogether() {
  struct sigaction action {};
  // A terminal sends an interruption to the child as well.
  action.sa_handler = [](int signal) {
    stopped_by = signal;
    if (running_child != 0) ::kill(static_cast<pid_t>(running_child), signal);
  };
  for (const int signal : kStopping) ::sigaction(signal, &action, nullptr);
}

StoppedTogether::~StoppedTogether() {
  for (const int signal : kStopping) std::signal(signal, SIG_DFL);
}

bool StoppedTogether::was_stopped() {
  return stopped_by != 0;
}

int run(const std::vector<std::string>& command, const Surroundings& surroundings) {
  if (StoppedTogether::was_stopped()) return kSignalled + stopped_by;
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> variables = environment(surroundings.variables);
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  if (surroundings.silent) {
    posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  std::optional<Tee> tee;
  if (surroundings.output != nullptr) {
    tee.emplace(*surroundings.output, surroundings.silent);
    if (tee->end_of_child() >= 0) posix_spawn_file_actions_adddup2(&streams, tee->end_of_child(), STDOUT_FILENO);
  }
  if (!surroundings.output_file.empty()) {
    posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, surroundings.output_file.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0644);
  }
  if (!surroundings.error_file.empty()) {
    posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, surroundings.error_file.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0644);
  }
  pid_t child = 0;
  const int failure = posix_spawnp(&child, arguments[0], &streams, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&streams);
  if (failure != 0) {
    std::fprintf(stderr, "warpfiber: cannot run '%s': %s\n", arguments[0], std::strerror(failure));
    return kCannotRun;
  }
  running_child = child;
  // One that came before was not passed on.
  if (StoppedTogether::was_stopped()) ::kill(child, stopped_by);
  Limit limit(child, surroundings);
  if (tee.has_value() && tee->end_of_child() >= 0) tee->read(child, limit);
  limit.wait();
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  running_child = 0;
  return WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string quoted(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) line += (line.empty() ? "" : " ") + base::shell_quoted(word);
  return line;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

ScratchFolder::ScratchFolder() {
  std::error_code failure;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(failure);
  if (failure) return;
  std::string pattern = (parent / "warpfiber-XXXXXX").string();
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;  // what cannot be removed stays; there is nobody to tell
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace warpfiber::tools::nvcc

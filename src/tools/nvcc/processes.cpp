// SPDX-License-Identifier: Apache-2.0
#include "tools/nvcc/processes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

namespace warpfiber::tools::nvcc {
namespace {

constexpr int kCannotRun = 127;
constexpr int kSignalled = 128;

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
  void read(pid_t child) {
    ::close(std::exchange(ends_[1], -1));
    bool ended = false;
    for (bool open = true; open && !ended;) {
      siginfo_t state{};
      ended = ::waitid(P_PID, static_cast<id_t>(child), &state, WEXITED | WNOHANG | WNOWAIT) == 0 && state.si_pid != 0;
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

int run(const std::vector<std::string>& command, const Surroundings& surroundings) {
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
  pid_t child = 0;
  const int failure = posix_spawnp(&child, arguments[0], &streams, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&streams);
  if (failure != 0) {
    std::fprintf(stderr, "warpfiber: cannot run '%s': %s\n", arguments[0], std::strerror(failure));
    return kCannotRun;
  }
  if (tee.has_value() && tee->end_of_child() >= 0) tee->read(child);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string quoted(const std::vector<std::string>& command) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  std::string line;
  for (const std::string& word : command) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
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

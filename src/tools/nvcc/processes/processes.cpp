// SPDX-License-Identifier: Apache-2.0
//
// Starts children with fork() and exec, hands signals on to them (ending.hpp), keeps the beginning of their output,
// and kills those that take too long.
#include "tools/nvcc/processes/processes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
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
#include "base/text.hpp"
#include "tools/nvcc/processes/ending.hpp"

namespace warpfiber::tools::nvcc {
namespace {

constexpr int kCannotRun = 127;

/// This process's variables with others in place of those of their names, or without them. The texts are borrowed.
std::vector<char*> environment(const std::vector<std::string>& own) {
  const auto is_replaced = [&own](const char* variable) {
    return std::any_of(own.begin(), own.end(), [variable](const std::string& text) {
      const std::size_t length = std::min(text.find('='), text.size());
      return std::strncmp(variable, text.c_str(), length) == 0 && variable[length] == '=';
    });
  };
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!is_replaced(*variable)) variables.push_back(*variable);
  }
  for (const std::string& text : own) {
    if (text.find('=') != std::string::npos) variables.push_back(const_cast<char*>(text.c_str()));
  }
  variables.push_back(nullptr);
  return variables;
}

/// Kills a child that takes longer than it may.
class Limit {
 public:
  Limit(const Child& child, const SpawnOptions& spawn_options)
      : child_(child.id),
        all_(child.is_group ? -child.id : child.id),
        out_of_time_(spawn_options.out_of_time),
        is_set_(spawn_options.most_seconds != 0),
        asks_(spawn_options.is_asked),
        end_(std::chrono::steady_clock::now() + std::chrono::seconds(spawn_options.most_seconds)) {}

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
    struck_ = ::kill(all_, SIGKILL) == 0;
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
  const pid_t all_;  // with the processes that it has started, for kill()
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

/// A program about to be started. Between fork() and exec() nothing is called that may not be called in a handler.
class Starting {
 public:
  Starting(const std::vector<std::string>& command, const SpawnOptions& spawn_options, int output)
      : spawn_options_(spawn_options), output_(output), variables_(environment(spawn_options.variables)) {
    for (const std::string& word : command) arguments_.push_back(const_cast<char*>(word.c_str()));
    arguments_.push_back(nullptr);
    if (::pipe2(failure_, O_CLOEXEC) != 0) failure_[0] = failure_[1] = -1;
  }
  ~Starting() {
    for (const int end : failure_) {
      if (end >= 0) ::close(end);
    }
  }
  Starting(const Starting&) = delete;
  Starting& operator=(const Starting&) = delete;

  /// -1 where there can be no process. A program that reads the terminal stays in the group that may.
  Child start() const {
    const bool is_group = !spawn_options_.is_program || ::tcgetpgrp(STDIN_FILENO) != ::getpgrp();
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) become(is_group, parent);
    // Whoever comes first: a signal must find the group.
    if (child > 0 && is_group) ::setpgid(child, child);
    return {.id = child, .is_group = is_group, .is_program = spawn_options_.is_program};
  }

  /// Why the child, which has ended, could not run the program; 0 where it could.
  int failure() const {
    int number = 0;
    ::fcntl(failure_[0], F_SETFL, O_NONBLOCK);
    return ::read(failure_[0], &number, sizeof number) == sizeof number ? number : 0;
  }

 private:
  [[noreturn]] void become(bool is_group, pid_t parent) const {
    if (is_group) ::setpgid(0, 0);
    if (is_group && !spawn_options_.is_program) {  // its messages may be written to the terminal all the same
      std::signal(SIGTTOU, SIG_IGN);
      std::signal(SIGTTIN, SIG_IGN);
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(kCannotRun);
    restore_signals();
    if (spawn_options_.input >= 0) ::dup2(spawn_options_.input, STDIN_FILENO);
    if (spawn_options_.silent) {
      redirect("/dev/null", STDOUT_FILENO);
      redirect("/dev/null", STDERR_FILENO);
    }
    if (output_ >= 0) ::dup2(output_, STDOUT_FILENO);
    if (!spawn_options_.output_file.empty()) redirect(spawn_options_.output_file.c_str(), STDOUT_FILENO);
    if (!spawn_options_.error_file.empty()) redirect(spawn_options_.error_file.c_str(), STDERR_FILENO);
    if (spawn_options_.joins_error) ::dup2(STDOUT_FILENO, STDERR_FILENO);
    ::execvpe(arguments_[0], arguments_.data(), variables_.data());
    fail();
  }

  void redirect(const char* path, int stream) const {
    const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) fail();
    if (file == stream) {
      ::fcntl(file, F_SETFD, 0);
    } else {
      ::dup2(file, stream);
    }
  }

  [[noreturn]] void fail() const {
    const int number = errno;
    if (::write(failure_[1], &number, sizeof number) < 0) ::_exit(kCannotRun);
    ::_exit(kCannotRun);
  }

  const SpawnOptions& spawn_options_;
  const int output_;
  std::vector<char*> arguments_;
  std::vector<char*> variables_;
  int failure_[2];
};

namespace {

int cannot_run(const std::string& program, int failure) {
  std::fprintf(stderr, "warpfiber: cannot run '%s': %s\n", base::without_controls(program).c_str(),
               std::strerror(failure));
  return kCannotRun;
}

int exit_status(const std::string& program, const Starting& starting, int status) {
  if (const int failure = starting.failure(); failure != 0) return cannot_run(program, failure);
  return WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int run(const std::vector<std::string>& command, const SpawnOptions& spawn_options) {
  std::optional<Tee> tee;
  if (spawn_options.output != nullptr) tee.emplace(*spawn_options.output, spawn_options.silent);
  const Starting starting(command, spawn_options, tee.has_value() ? tee->end_of_child() : -1);
  const std::optional<Child> child = start_child([&] { return starting.start(); });
  if (!child.has_value()) return kSignalled + stopped_by();
  if (child->id < 0) return cannot_run(command.front(), errno);
  Limit limit(*child, spawn_options);
  if (tee.has_value() && tee->end_of_child() >= 0) tee->read(child->id, limit);
  limit.wait();
  const int status = reap(*child);
  if (spawn_options.ended_by != nullptr) *spawn_options.ended_by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return exit_status(command.front(), starting, status);
}

struct ConcurrentProcess::Running {
  Running(std::vector<std::string> words, SpawnOptions own)
      : command(std::move(words)),
        spawn_options(std::move(own)),
        starting(command, spawn_options, -1),
        child(start_concurrent([this] { return starting.start(); })),
        failure(errno) {}

  const std::vector<std::string> command;
  const SpawnOptions spawn_options;
  const Starting starting;
  const std::optional<Child> child;
  const int failure;  // why there is no process, where there is none
};

ConcurrentProcess::ConcurrentProcess(std::vector<std::string> command, SpawnOptions spawn_options)
    : running_(std::make_unique<Running>(std::move(command), std::move(spawn_options))) {}

ConcurrentProcess::~ConcurrentProcess() {
  if (running_ == nullptr || !running_->child.has_value() || running_->child->id < 0) return;
  ::kill(-running_->child->id, SIGTERM);
  wait();
}

int ConcurrentProcess::wait() {
  const std::unique_ptr<Running> ended = std::move(running_);
  if (!ended->child.has_value()) return kSignalled + stopped_by();
  if (ended->child->id < 0) return cannot_run(ended->command.front(), ended->failure);
  take_over(*ended->child);
  return exit_status(ended->command.front(), ended->starting, reap(*ended->child));
}

std::string program_path(const std::string& name) {
  const auto is_program = [](const std::string& file) { return ::access(file.c_str(), X_OK) == 0; };
  if (name.find('/') != std::string::npos) return is_program(name) ? name : std::string();
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (std::filesystem::path(folder) / name).string();
    if (is_program(file)) return file;
  }
  return {};
}

bool is_program_file(const std::string& path) {
  constexpr std::string_view kLinked[] = {".o", ".obj", ".lo", ".a", ".so"};
  const std::filesystem::path file(path);
  const bool is_linked = std::ranges::find(kLinked, file.extension().string()) != std::end(kLinked) ||
                         file.filename().string().find(".so.") != std::string::npos;
  return !is_linked && ::access(path.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(file);
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

bool write_content(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return file.good();
}

}  // namespace warpfiber::tools::nvcc

// SPDX-License-Identifier: Apache-2.0
//
//   cpu_time <name> <command> [<argument>...]
// Runs the command of a test and ends as it does. Where WARPFIBER_CPU_TIMES names a folder, its file <name> then holds
// the seconds of CPU time of the command and of all processes that it has waited for.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace {

constexpr int kCannotRun = 127;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

[[noreturn]] void become(char** command) {
  ::execvp(command[0], command);
  std::fprintf(stderr, "cannot run '%s': %s\n", command[0], std::strerror(errno));
  ::_exit(kCannotRun);
}

/// Ends this process as the other one has ended: CTest says which signal it was.
int end_as(int status) {
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::raise(WTERMSIG(status));
  return kCannotRun;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return kCannotRun;
  const char* const folder = std::getenv("WARPFIBER_CPU_TIMES");
  if (folder == nullptr || *folder == '\0') become(words + 2);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    // CTest kills this process where a test takes too long.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() == parent) become(words + 2);
    ::_exit(kCannotRun);
  }
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  std::ofstream(std::string(folder) + "/" + words[1]) << seconds(usage.ru_utime) + seconds(usage.ru_stime) << '\n';
  return end_as(status);
}

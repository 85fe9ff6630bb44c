// SPDX-License-Identifier: Apache-2.0
#include "tools/nvcc/processes.hpp"

#include <fcntl.h>
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
#include <sstream>

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
  pid_t child = 0;
  const int failure = posix_spawnp(&child, arguments[0], &streams, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&streams);
  if (failure != 0) {
    std::fprintf(stderr, "warpfiber: cannot run '%s': %s\n", arguments[0], std::strerror(failure));
    return kCannotRun;
  }
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

// SPDX-License-Identifier: Apache-2.0
//
// Makes a program for a GPU record its run where WARPFIBER_RECORD names a folder: before anything else begins, the
// process starts itself twice, once to ask what GPU there is and once as the program, and writes one file that holds
// what the program printed, how it ended and what it copied back (docs/crosscheck.md). The process that writes never
// touches CUDA. Without the variable the program runs as ever. Compiled by nvcc, with the names of what it is linked
// into as macros.
#include <cuda_runtime.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <warpfiber/crosscheck/copy_log.hpp>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

using warpfiber::crosscheck::hash_of;

warpfiber::crosscheck::CopyLog& warpfiber_copy_log();

namespace {

constexpr int kNoDevice = 3;
constexpr int kCannotRecord = 2;
constexpr int kSignalled = 128;
constexpr size_t kMostOutput = size_t{64} << 20;  // bytes of standard output that are kept

constexpr const char* kFolder = "WARPFIBER_RECORD";
constexpr const char* kKeep = "WARPFIBER_RECORD_KEEP";      // bytes of a copy that are stored; a hash is of all
constexpr const char* kRole = "WARPFIBER_RECORD_ROLE";      // "probe" or "run", of a process that we started
constexpr const char* kParent = "WARPFIBER_RECORD_PARENT";  // the number of the process that did
constexpr const char* kReply = "WARPFIBER_RECORD_REPLY";    // file descriptor for what the probe has to say
constexpr const char* kCopies = "WARPFIBER_RECORD_COPIES";  // the file for copies

std::string hexadecimal(unsigned long long number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*llx", digits, number);
  return text;
}

std::string json_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      quoted += "\\u00" + hexadecimal(static_cast<unsigned char>(c), 2);
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The role that the recording process gave this one; empty for programs that this one starts in turn.
std::string role() {
  const char* role = std::getenv(kRole);
  const char* parent = std::getenv(kParent);
  return role != nullptr && parent != nullptr && std::to_string(getppid()) == parent ? role : "";
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Part of the recording's head: the GPU, or why there is none.
int probe() {
  cudaDeviceProp device{};
  int driver = 0;
  const char* reply = std::getenv(kReply);
  FILE* to = reply != nullptr ? fdopen(std::atoi(reply), "w") : nullptr;
  if (to == nullptr) return kCannotRecord;
  const cudaError_t error = cudaGetDeviceProperties(&device, 0);
  if (error != cudaSuccess) {
    std::fprintf(to, "%s: %s", cudaGetErrorName(error), cudaGetErrorString(error));
    return std::fclose(to) == 0 ? kNoDevice : kCannotRecord;
  }
  cudaDriverGetVersion(&driver);
  std::string module = content_of("/sys/module/nvidia/version");
  module = module.substr(0, module.find('\n'));
  const std::string text = "\"device\": " + json_text(device.name) + ", \"capability\": \"" +
                           std::to_string(device.major) + "." + std::to_string(device.minor) + "\", \"driver\": " +
                           json_text(module + (module.empty() ? "" : " ") + "(CUDA " + version_text(driver) + ")");
  std::fputs(text.c_str(), to);
  return std::fclose(to) == 0 ? 0 : kCannotRecord;
}

/// What a child leaves.
struct Outcome {
  int status = kCannotRecord;
  std::string text;
};

/// In the child: becomes this program again.
[[noreturn]] void become(const char* role, int reply, char** arguments) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a GPU is not left to a run that nobody waits for
  setenv(kRole, role, 1);
  if (std::strcmp(role, "probe") == 0) {
    setenv(kReply, std::to_string(reply).c_str(), 1);
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(kCannotRecord);
  } else {
    dup2(reply, STDOUT_FILENO);
    close(reply);
  }
  execv("/proc/self/exe", arguments);
  _exit(kCannotRecord);
}

/// Runs this program in a role; what comes through the pipe is kept and, if wanted, passed on.
Outcome run(const char* role, char** arguments, bool pass_on) {
  int ends[2];
  Outcome outcome;
  if (pipe(ends) != 0) return outcome;
  setenv(kParent, std::to_string(getpid()).c_str(), 1);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    become(role, ends[1], arguments);
  }
  close(ends[1]);
  char piece[65536];
  for (ssize_t got = 1; got > 0 || errno == EINTR;) {
    got = read(ends[0], piece, sizeof piece);
    if (got == 0) break;
    if (got < 0) continue;
    if (outcome.text.size() < kMostOutput) outcome.text.append(piece, static_cast<size_t>(got));
    if (pass_on) std::fwrite(piece, 1, static_cast<size_t>(got), stdout);
  }
  std::fflush(stdout);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.status = WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
  return outcome;
}

std::string arguments_json(const std::vector<std::string>& arguments) {
  std::string list;
  for (const std::string& argument : arguments) list += (list.empty() ? "" : ", ") + json_text(argument);
  return "[" + list + "]";
}

/// "saxpy.recording", or with arguments "saxpy-1a2b3c4d.recording".
std::string file_name(const std::vector<std::string>& arguments) {
  std::string words;
  for (const std::string& argument : arguments) words += argument + '\n';
  const std::string name = WARPFIBER_RECORDED_NAME;
  return name + (words.empty() ? "" : "-" + hexadecimal(hash_of(words.data(), words.size()) & 0xffffffffU, 8)) +
         ".recording";
}

std::string head(const std::string& device, const std::vector<std::string>& arguments, const Outcome& outcome,
                 const std::string& copies) {
  return "{\"program\": " + json_text(WARPFIBER_RECORDED_NAME) +
         ", \"source\": " + json_text(WARPFIBER_RECORDED_SOURCE) +
         ", \"options\": " + json_text(WARPFIBER_RECORDED_OPTIONS) + ", \"arguments\": " + arguments_json(arguments) +
         ", " + device + ", \"toolkit\": \"" + version_text(CUDART_VERSION) +
         "\", \"exit_code\": " + std::to_string(outcome.status) +
         ", \"stdout_bytes\": " + std::to_string(outcome.text.size()) +
         ", \"copies_bytes\": " + std::to_string(copies.size()) + "}";
}

int fail(const std::string& why) {
  std::fprintf(stderr, "warpfiber: nothing recorded: %s\n", why.c_str());
  return kCannotRecord;
}

int record(const std::string& folder, int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  const Outcome device = run("probe", words, false);
  if (device.status == kNoDevice) {
    std::fprintf(stderr, "warpfiber: no GPU to record on: %s\n", device.text.c_str());
    return kNoDevice;
  }
  if (device.status != 0) return fail("the GPU could not be asked what it is");
  const std::string path = folder + "/" + file_name(arguments);
  const std::string copies = path + ".copies";
  setenv(kCopies, copies.c_str(), 1);
  const Outcome outcome = run("run", words, true);
  const std::string copied = content_of(copies);
  unlink(copies.c_str());
  std::string text = "warpfiber-recording 1\n" + head(device.text, arguments, outcome, copied) + "\n" + outcome.text +
                     copied + "\nend ";
  text += hexadecimal(hash_of(text.data(), text.size()), 16) + "\n";
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) return fail("cannot write " + path);
  return outcome.status;
}

/// Before the program's own variables are made: the process that records must not have touched CUDA, nor printed.
__attribute__((constructor(101))) void begin(int count, char** words, char** /*environment*/) {
  const char* folder = std::getenv(kFolder);
  if (folder == nullptr || *folder == '\0') return;
  const std::string own = role();
  if (own.empty() && std::getenv(kRole) == nullptr) _exit(record(folder, count, words));
  const char* copies = std::getenv(kCopies);
  if (own != "run" || copies == nullptr || !warpfiber_copy_log().open(copies)) return;
  if (const char* bytes = std::getenv(kKeep)) warpfiber_copy_log().keep(std::strtoull(bytes, nullptr, 10));
}

}  // namespace

extern "C" {

int __real_main(int count, char** words, char** environment);
int __wrap_main(int count, char** words, char** environment) {
  return role() == "probe" ? probe() : __real_main(count, words, environment);
}

}  // extern "C"

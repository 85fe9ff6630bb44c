// SPDX-License-Identifier: Apache-2.0
//
// The same programs on a GPU: built with nvcc, with nothing but the CUDA runtime (CMakeLists.txt says how).
//   fuzz_device [--seed S] [--count N] [--record FILE]   programs of seeds from S on (default 1, 10000, fuzz.rec)
//   fuzz_device --programs FILE --outcomes FILE          programs that `warpfiber-dev fuzz` has written, with all they saw
// Ends with 0; with 1 where programs failed or do not end, which are named and recorded without a result; with 2 or
// more where nothing can be run.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/fuzz/programs.hpp"
#include "tools/fuzz/outcomes.hpp"
#include "tools/fuzz/program/run.hpp"
#include "tools/fuzz/recordings.hpp"

namespace {

using namespace warpfiber::tools::fuzz;

constexpr unsigned kSeconds = 3;        // that a program may take; it takes milliseconds
constexpr unsigned kStartSeconds = 60;  // that the device may take to begin
constexpr unsigned kMostBad = 40;       // programs that end their process, before it is given up
constexpr std::uint64_t kProgressInterval = 1000;

/// How a child ends.
enum Ending { kDone = 0, kNoDevice = 3, kDown = 4, kTooLong = 5 };

extern "C" void give_up(int) {
  _exit(kTooLong);
}

struct DeviceOptions {
  std::uint64_t seed = 1;
  std::uint64_t count = 10000;
  std::string record = "fuzz.rec";
  std::string programs;
  std::string outcomes;
};

[[noreturn]] void fail(const std::string& text) {
  fprintf(stderr, "fuzz_device: %s\n", text.c_str());
  exit(kNoDevice);
}

DeviceOptions read_options(int argc, char** argv) {
  DeviceOptions options;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) fail("option " + name + " needs a value");
    const char* const value = argv[i + 1];
    if (name == "--seed") {
      options.seed = strtoull(value, nullptr, 10);
    } else if (name == "--count") {
      options.count = strtoull(value, nullptr, 10);
    } else if (name == "--record") {
      options.record = value;
    } else if (name == "--programs") {
      options.programs = value;
    } else if (name == "--outcomes") {
      options.outcomes = value;
    } else {
      fail("unknown option " + name + "; there are --seed, --count, --record, --programs and --outcomes");
    }
  }
  if (options.programs.empty() != options.outcomes.empty()) fail("--programs and --outcomes go together");
  return options;
}

std::string version(int number) {
  return "CUDA " + std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string driver_in_words() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;) {
    if (word.find_first_not_of("0123456789.") == std::string::npos) return word;
  }
  int number = 0;
  cudaDriverGetVersion(&number);
  return version(number);
}

Recordings named() {
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, 0);
  if (error != cudaSuccess) fail(std::string("no device: ") + cudaGetErrorString(error));
  // Programs call themselves.
  cudaDeviceSetLimit(cudaLimitStackSize, 16384);
  int toolkit = 0;
  cudaRuntimeGetVersion(&toolkit);
  Recordings recordings;
  recordings.device = properties.name;
  recordings.driver = driver_in_words();
  recordings.toolkit = version(toolkit);
  return recordings;
}

Outcome watched(Runner& runner, const Flat& program) {
  alarm(kSeconds);
  Outcome outcome = runner.run(program, {}, Wanted::sums);
  alarm(0);
  return outcome;
}

// A program can bring the device down for its process, so that a child runs them. What it has so far lies in memory
// that it shares with its parent.

struct SharedText {
  char text[400];

  void set(const std::string& to) { snprintf(text, sizeof text, "%s", to.c_str()); }
};

struct SharedEntry {
  std::uint64_t digest;
  std::uint16_t program;
  std::uint16_t count;
  std::uint16_t nodes[kMaxNodes];
  bool failed;
};

struct Progress {
  SharedText device, driver, toolkit;
  SharedText error;              // of the program that ended the child
  volatile std::uint64_t ended;  // programs
  SharedEntry entries[1];
};

Progress* shared_progress(std::uint64_t count) {
  void* const memory = mmap(nullptr, sizeof(Progress) + count * sizeof(SharedEntry), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("no memory for the results");
  return static_cast<Progress*>(memory);
}

void keep(Progress& progress, const Flat& program, const Outcome& outcome) {
  const Recorded kept = recorded(program, outcome);
  SharedEntry& entry = progress.entries[progress.ended];
  entry.digest = kept.digest;
  entry.program = kept.program;
  entry.count = std::uint16_t(kept.nodes.size());
  std::copy(kept.nodes.begin(), kept.nodes.end(), entry.nodes);
  entry.failed = !outcome.ok();
  progress.ended = progress.ended + 1;
}

/// In a child: programs one after another. Ends with the first that leaves nothing to run on.
[[noreturn]] void run_rest(const DeviceOptions& options, Progress& progress) {
  signal(SIGALRM, give_up);
  alarm(kStartSeconds);
  const Recordings recordings = named();
  progress.device.set(recordings.device);
  progress.driver.set(recordings.driver);
  progress.toolkit.set(recordings.toolkit);
  Runner runner;
  const Outcome empty = runner.run(flatten(FuzzProgram{}), {}, Wanted::sums);
  if (!empty.ok()) fail("the device runs nothing: " + empty.error);
  alarm(0);
  while (progress.ended < options.count) {
    const Flat program = flatten(generate(options.seed + progress.ended));
    const Outcome outcome = watched(runner, program);
    if (!outcome.ok()) {
      progress.error.set(outcome.error);
      cudaGetLastError();
      if (cudaDeviceSynchronize() != cudaSuccess) _exit(kDown);
      fprintf(stderr, "fuzz_device: the program of seed %llu: %s\n", (unsigned long long)program.seed,
              outcome.error.c_str());
    }
    keep(progress, program, outcome);
    if (progress.ended % kProgressInterval == 0)
      printf("%llu programs\n", (unsigned long long)progress.ended), fflush(stdout);
  }
  _exit(kDone);
}

/// Runs what is left in a child, up to its end or a program that ends it. True: all has run.
bool continue_in_child(const DeviceOptions& options, Progress& progress) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) run_rest(options, progress);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) fail("no child process");
  const int ending = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (ending == kDone) return true;
  if (ending == kNoDevice) exit(2);
  const std::uint64_t seed = options.seed + progress.ended;
  const char* const why = ending == kDown      ? progress.error.text
                          : ending == kTooLong ? "does not end"
                                               : "its process crashed";
  printf("bad seed %llu: %s\n", (unsigned long long)seed, why);
  Outcome outcome;
  outcome.error = why;
  keep(progress, flatten(generate(seed)), outcome);
  return progress.ended == options.count;
}

Recordings recordings_of(const DeviceOptions& options, const Progress& progress) {
  Recordings recordings;
  recordings.device = progress.device.text;
  recordings.driver = progress.driver.text;
  recordings.toolkit = progress.toolkit.text;
  recordings.first_seed = options.seed;
  for (std::uint64_t i = 0; i < progress.ended; ++i) {
    const SharedEntry& entry = progress.entries[i];
    recordings.programs.push_back(
        {entry.digest, entry.program, std::vector<std::uint16_t>(entry.nodes, entry.nodes + entry.count)});
  }
  return recordings;
}

int record(const DeviceOptions& options) {
  Progress& progress = *shared_progress(options.count);
  unsigned bad = 0;
  while (!continue_in_child(options, progress) && ++bad < kMostBad) {
    write_recordings(options.record, recordings_of(options, progress));
  }
  const Recordings recordings = recordings_of(options, progress);
  if (!write_recordings(options.record, recordings)) fail(options.record + ": cannot be written");
  std::uint64_t failed = 0;
  for (std::uint64_t i = 0; i < progress.ended; ++i) failed += progress.entries[i].failed;
  printf("%s: %zu programs from seed %llu, %llu of them failed, on %s, %s\n", options.record.c_str(),
         recordings.programs.size(), (unsigned long long)recordings.first_seed, (unsigned long long)failed,
         recordings.device.c_str(), recordings.driver.c_str());
  if (progress.ended < options.count) fail("too many bad programs; given up");
  return failed != 0;
}

int run_all(const DeviceOptions& options) {
  std::vector<Flat> programs;
  const std::string complaint = read_programs(options.programs, programs);
  if (!complaint.empty()) fail(complaint);
  named();
  Runner runner;
  std::vector<Outcome> outcomes;
  for (const Flat& program : programs) outcomes.push_back(runner.run(program, {}, Wanted::events));
  if (!write_outcomes(options.outcomes, outcomes)) fail(options.outcomes + ": cannot be written");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const DeviceOptions options = read_options(argc, argv);
  return options.programs.empty() ? record(options) : run_all(options);
}

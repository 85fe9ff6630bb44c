// SPDX-License-Identifier: Apache-2.0
// Builds with this command, in processes of its own, and runs what was built: a trial sees what a user does.
#include "tools/doctor/trials.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "report/catalogue/catalogue.hpp"
#include "tools/crosscheck/sides.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/program/program.hpp"

namespace warpfiber::tools::doctor {
namespace {

using packages::Software;
using TrialCommand = std::vector<std::string>;

constexpr unsigned kMostSeconds = 300;
constexpr int kNoDevice = 3;  // what the program for a GPU returns where there is none

constexpr char kHostProgram[] = R"(#include <concepts>
#include <cstdio>
#include <string>

template <std::integral T>
std::string text_of(T number) {
  return std::to_string(number);
}

int main() { return std::puts(text_of(20).c_str()) < 0; }
)";

// With -DRACE without the barrier that it needs.
constexpr char kCudaProgram[] = R"(#include <cuda_runtime.h>

#include <cstdio>

constexpr int kThreads = 64;

__global__ void reverse(int* numbers) {
  __shared__ int copy[kThreads];
  copy[threadIdx.x] = numbers[threadIdx.x];
#ifndef RACE
  __syncthreads();
#endif
  numbers[threadIdx.x] = copy[kThreads - 1 - threadIdx.x];
}

int failed(cudaError_t error) {
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver ? 3 : 1;
}

int main() {
  cudaDeviceProp device;
  if (const cudaError_t error = cudaGetDeviceProperties(&device, 0)) return failed(error);
  int numbers[kThreads];
  for (int i = 0; i < kThreads; ++i) numbers[i] = i;
  int* there = nullptr;
  if (const cudaError_t error = cudaMalloc(&there, sizeof numbers)) return failed(error);
  cudaMemcpy(there, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  reverse<<<1, kThreads>>>(there);
  if (const cudaError_t error = cudaMemcpy(numbers, there, sizeof numbers, cudaMemcpyDeviceToHost)) return failed(error);
  cudaFree(there);
#ifndef RACE
  for (int i = 0; i < kThreads; ++i) {
    if (numbers[i] != kThreads - 1 - i) {
      std::printf("number %d is %d\n", i, numbers[i]);
      return 1;
    }
  }
#endif
  std::printf("%s\n", device.name);
}
)";

/// What a child process has printed on both streams, and returned.
struct TrialOutcome {
  int status = 0;
  std::string said;
  bool ok() const { return status == 0; }
};

TrialOutcome run_quietly(const Workplace& at, const TrialCommand& command) {
  const std::string file = at.scratch + "/said";
  bool is_late = false;
  TrialOutcome outcome;
  outcome.status = nvcc::run(
      command, {.output_file = file, .joins_error = true, .most_seconds = kMostSeconds, .out_of_time = &is_late});
  outcome.said = nvcc::content_of(file);
  if (is_late) outcome.said += "it has not ended within " + std::to_string(kMostSeconds) + " s\n";
  if (outcome.said.empty() && !outcome.ok())
    outcome.said = "it ended with " + std::to_string(outcome.status) + " and has printed nothing\n";
  return outcome;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// A file of the trials; empty where it cannot be written, which the compiler then says.
std::string written(const Workplace& at, const std::string& name, const char* text) {
  const std::string path = at.scratch + "/" + name;
  static_cast<void>(nvcc::write_content(path, text));
  return path;
}

bool is_clang(const std::string& compiler) {
  return std::filesystem::path(compiler).filename().string().find("clang") != std::string::npos;
}

std::string to_install(const Workplace& at, Software software, std::string_view version = {}) {
  return packages::install_command(at.system, software, version).value_or(std::string());
}

std::string version_of(const Workplace& at, const std::string& compiler) {
  // clang++ does not know the first one, and g++ leaves the second at the major version.
  TrialCommand question{compiler};
  if (!is_clang(compiler)) question.emplace_back("-dumpfullversion");
  question.emplace_back("-dumpversion");
  const TrialOutcome answer = run_quietly(at, question);
  return answer.ok() ? first_line(answer.said) : std::string();
}

/// A program of the system: its name, and where it is or that it is not. Missing ones have a command that installs
/// them.
Examination program_check(const Workplace& at, const std::string& program, bool required, Software software) {
  Examination check{program, State::works, required, nvcc::program_path(program)};
  if (!check.detail.empty()) return check;
  check.state = State::missing;
  check.detail = program.find('/') == std::string::npos ? "not on the path" : "not there";
  // Packages have the names of versions in ways of their own.
  constexpr std::string_view kPlain[] = {"g++", "clang++", "gdb", "python3"};
  if (std::ranges::find(kPlain, program) != std::end(kPlain)) check.mend = to_install(at, software);
  return check;
}

Examination failing(Examination check, std::string what, const TrialOutcome& outcome) {
  check.state = State::fails;
  check.detail = std::move(what);
  check.said = outcome.said;
  return check;
}

}  // namespace

std::string default_compiler() {
  const std::string named = nvcc::compiler_of_environment();
  return named.empty() ? "g++" : named;
}

Examination try_compiler(const Workplace& at, const std::string& compiler, bool required) {
  const Software software = is_clang(compiler) ? Software::clang : Software::gxx;
  Examination check = program_check(at, compiler, required, software);
  if (check.state != State::works) return check;
  const std::string place = check.detail;
  const std::string version = version_of(at, compiler);
  const std::string program = at.scratch + "/host_program";
  check.mend = packages::reinstall_command(at.system, software).value_or(std::string());
  const TrialOutcome built =
      run_quietly(at, {compiler, "-std=c++20", written(at, "host_program.cpp", kHostProgram), "-o", program});
  if (!built.ok()) return failing(check, place + " does not build a program of C++20", built);
  const TrialOutcome ran = run_quietly(at, {program});
  if (!ran.ok()) return failing(check, "a program that " + place + " has built does not run", ran);
  check.detail = version + (version.empty() ? "" : ", ") + place;
  check.mend.clear();
  return check;
}

Examination try_gdb(const Workplace& at) {
  Examination check = program_check(at, program::gdb_program(), false, Software::gdb);
  if (check.state != State::works) return check;
  const TrialOutcome asked =
      run_quietly(at, {check.detail, "-nx", "-batch", "-ex", "python print('version ' + gdb.VERSION.split()[-1])"});
  const std::size_t version = asked.said.find("version ");
  if (!asked.ok() || version == std::string::npos) {
    return failing(check, "it has no Python, which warpfiber gdb and step need", asked);
  }
  constexpr int kLeast = 13;
  const std::string number = first_line(asked.said.substr(version + std::string_view("version ").size()));
  if (std::atoi(number.c_str()) < kLeast) return failing(check, "warpfiber gdb and step need gdb 13 or later", asked);
  check.detail = number + ", " + check.detail;
  return check;
}

Examination try_python(const Workplace& at) {
  Examination check = program_check(at, "python3", false, Software::python);
  if (check.state != State::works) return check;
  const TrialOutcome asked = run_quietly(
      at, {check.detail, "-c", "import sys; print(sys.version.split()[0]); sys.exit(sys.version_info < (3, 9))"});
  if (!asked.ok()) return failing(check, "warpfiber step needs Python 3.9 or later", asked);
  check.detail = first_line(asked.said) + ", " + check.detail;
  return check;
}

Examination try_build(const Workplace& at, const std::string& compiler, bool required) {
  Examination check{"build by " + std::filesystem::path(compiler).filename().string(), State::works, required};
  const std::string program = at.scratch + "/program";
  const TrialOutcome built =
      run_quietly(at, {at.command, "nvcc", "-ccbin", compiler, written(at, "reverse.cu", kCudaProgram), "-o", program});
  if (!built.ok()) return failing(check, "a CUDA program could not be built", built);
  const TrialOutcome ran = run_quietly(at, {program});
  if (!ran.ok()) return failing(check, "a CUDA program was built, and does not run", ran);
  check.detail = "a CUDA program was built, and ran on a simulated " + first_line(ran.said);
  return check;
}

Examination try_check(const Workplace& at, const std::string& compiler) {
  Examination check{"check", State::works, true};
  const std::string findings = at.scratch + "/findings.json";
  const TrialOutcome checked = run_quietly(at, {at.command, "check", "--json", findings, "-DRACE", "-ccbin", compiler,
                                                written(at, "reverse.cu", kCudaProgram)});
  const nlohmann::json document = nlohmann::json::parse(nvcc::content_of(findings), nullptr, false);
  const std::string_view race = report::id_of(record::Verdict::race_shared);
  bool is_found = false;
  if (document.is_object() && document.contains("findings")) {
    for (const auto& finding : document["findings"]) is_found = is_found || finding.value("id", "") == race;
  }
  if (!is_found) return failing(check, "the race of a kernel that has one was not found", checked);
  check.detail = "the race of a kernel that has one was found";
  return check;
}

Examination try_regions(const Workplace& at, const std::string& compiler) {
  Examination check{"-fregions"};
  const std::string& major = at.toolchain.region_llvm;
  if (at.toolchain.region_plugin.empty()) {
    check.state = State::absent;
    check.detail = "this installation has no plugin for clang++";
    return check;
  }
  const std::string program = at.scratch + "/regions";
  const TrialOutcome built = run_quietly(at, {at.command, "nvcc", "-fregions", "-ccbin", compiler,
                                              written(at, "reverse.cu", kCudaProgram), "-o", program});
  constexpr std::string_view kNoEffect = "-fregions has no effect: ";
  if (const std::size_t reason = built.said.find(kNoEffect); built.ok() && reason != std::string::npos) {
    check.state = State::absent;
    check.detail = first_line(built.said.substr(reason + kNoEffect.size()));
    check.mend = to_install(at, Software::clang, major);
    return check;
  }
  if (!built.ok() || !built.said.empty()) return failing(check, "clang++ " + major + " does not make loops", built);
  const TrialOutcome ran = run_quietly(at, {program});
  if (!ran.ok()) return failing(check, "a program with kernels as loops does not run", ran);
  check.detail = "clang++ " + major + " has made loops of a kernel, which ran";
  return check;
}

Examination try_gpu(const Workplace& at) {
  Examination check{"GPU", State::absent};
  const crosscheck::Built nvcc = crosscheck::find_nvcc({});
  if (!nvcc.ok()) {
    check.detail = "there is no nvcc of NVIDIA, for warpfiber crosscheck";
    return check;
  }
  const TrialOutcome version = run_quietly(at, {nvcc.path, "--version"});
  if (version.said.find("warpfiber nvcc") != std::string::npos) {
    check.detail = nvcc.path + " is Warpfiber's; warpfiber crosscheck needs NVIDIA's";
    return check;
  }
  const std::string program = at.scratch + "/for_gpu";
  TrialCommand command{nvcc.path, written(at, "reverse.cu", kCudaProgram), "-o", program};
  if (const std::string compiler = nvcc::compiler_of_environment(); !compiler.empty())
    command.insert(command.end(), {"-ccbin", compiler});
  const TrialOutcome built = run_quietly(at, command);
  if (!built.ok()) return failing(check, nvcc.path + " does not build a program", built);
  const TrialOutcome ran = run_quietly(at, {program});
  if (ran.status == kNoDevice) {
    check.detail = nvcc.path + " builds programs, but there is no GPU: " + first_line(ran.said);
    return check;
  }
  if (!ran.ok()) return failing(check, "a program for a GPU was built, and does not run", ran);
  check.state = State::works;
  check.detail = first_line(ran.said) + ", with " + nvcc.path;
  return check;
}

}  // namespace warpfiber::tools::doctor

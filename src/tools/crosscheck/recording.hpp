// SPDX-License-Identifier: Apache-2.0
//
// A recording: one run of a program on a GPU, as share/crosscheck/recorder.cpp writes it, compressed with gzip or not.
//     warpfiber-recording 1 / a line of JSON / standard output / copies (copies.hpp) / "end" and a hash of all before
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "tools/crosscheck/copies.hpp"

namespace warpfiber::tools::crosscheck {

struct GpuRecording {
  std::string program{};                 // "saxpy"
  std::string source{};                  // hash of the files it was built from (sources.hpp)
  std::string options{};                 // macros it was built with
  std::vector<std::string> arguments{};  // it was run with
  std::string device{};                  // "NVIDIA H200"
  std::string capability{};              // "9.0"
  std::string driver{};
  std::string toolkit{};
  int exit_code = 0;
  std::string output{};  // standard output
  std::vector<Copy> copies{};
};

/// The name of its file: "saxpy.recording", or with arguments "saxpy-1a2b3c4d.recording".
std::string recording_name(const std::string& program, const std::vector<std::string>& arguments);

/// Reads a file, which gzip may have compressed. An error says what is wrong with it.
base::Result<GpuRecording> read_recording(const std::string& path);

/// The same for its text.
base::Result<GpuRecording> parse_recording(const std::string& text);

/// Of the recordings that a file holds one behind the other (`cat` of compressed ones makes it) the one of a program
/// with these arguments.
base::Result<GpuRecording> read_recording_of(const std::string& path, const std::string& program,
                                             const std::vector<std::string>& arguments);

/// Compresses the file in its place. False if that cannot be done.
bool compress_file(const std::string& path);

/// "NVIDIA H200, driver 580.65 (CUDA 13.0), toolkit 13.0".
std::string origin_of(const GpuRecording& recording);

}  // namespace warpfiber::tools::crosscheck

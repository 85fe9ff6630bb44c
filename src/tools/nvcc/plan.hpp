// SPDX-License-Identifier: Apache-2.0
//
// From options to the commands that carry them out, as data, so that a test or --dryrun sees them and nothing runs.
#pragma once

#include <string>
#include <vector>

#include "tools/nvcc/compiler_flags.hpp"
#include "tools/nvcc/options.hpp"
#include "tools/nvcc/toolchain.hpp"

namespace warpfiber::tools::nvcc {

/// What -fregions adds to a step (sidecar.hpp): `command` runs while the step's own does. With a translation it writes
/// `host`, which is translated to `translated`, with the device's text as there. With a compilation it writes `object`,
/// and the plugin `report`, from `translated`; `merge` makes `merged` of the step's object, `fibers`, and this one, and
/// `merged` takes its place.
struct RegionsStep {
  Command command;  // empty: nothing is added
  Command device_command;
  std::string input;
  std::string said;  // the file for what the compiler says
  std::string host;
  std::string device;
  std::string translated;
  std::string object;
  std::string report;
  std::string fibers;
  std::string merged;
  Command merge;
};

/// One thing to do. Either `command` alone, or a translation: `command` writes the preprocessed host text to `host`;
/// where the user's files test __CUDA_ARCH__, `device_command` writes the device's text to `device`; the translated
/// text goes to `translated`, and what the host compiler has to know about it to `flags`, one option a line. Or a
/// compilation of translated text, whose messages go by way of a file: where it fails, `look` reads the program once
/// more as it is written (messages.hpp). That of a checked program by clang++ has two steps: `command` writes
/// `intermediate`, which is then changed (src/compiler/instrument/aligned_copies.hpp) and compiled by the next.
struct Step {
  Command command;
  Command device_command;
  std::string host;
  std::string device;
  std::string translated;
  std::string flags;
  std::string intermediate;
  std::string messages;
  std::string said;  // the file for what a compiler says that reads the program's #include lines; empty: none does
  Command look;
  Command assemble;  // compiles the program as it is written into `assembly`, where nvcc's rules hold; else empty
  std::string as_written;
  std::string assembly;
  Command preprocess_probe;  // `probe`, a file of #include lines, into `probed`
  std::string probe;
  std::string probed;
  std::vector<std::string> header_folders;  // of ours
  RegionsStep regions;
  std::string debugger;  // the file of commands that gdb loads with the program; empty: none
  bool translates() const { return !translated.empty(); }
  bool compiles_translated() const { return !messages.empty(); }
};

struct Plan {
  std::vector<Step> steps;
  std::string result;  // what is built: the executable, the object, …; empty for text on standard output
  std::string error;
  bool ok() const { return error.empty(); }
};

/// The host compiler where it is clang; else empty.
std::string clang_of(const NvccOptions& options);

/// `scratch` is a folder for what is needed in between.
Plan make_plan(const NvccOptions& options, const Toolchain& toolchain, const std::string& scratch);

/// Whether a program's text asks for __CUDA_ARCH__: `preprocessed` is read for the names of the files it comes from,
/// which are searched.
bool asks_for_architecture(const std::string& preprocessed);

}  // namespace warpfiber::tools::nvcc

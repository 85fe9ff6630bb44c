// SPDX-License-Identifier: Apache-2.0
// The folder for what a command makes on its way. Folders of commands that were killed are removed by later commands of
// the same user.
#pragma once

#include <string>

namespace warpfiber::tools::nvcc {

/// A new folder that goes with all it holds when the object does.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  /// Empty if none could be made.
  const std::string& path() const { return path_; }
  /// Why there is none, and what helps.
  const std::string& error() const { return error_; }

 private:
  std::string path_;
  std::string error_;
  int lock_ = -1;  // held while the folder is in use
};

/// Why the commands that write to a scratch folder fail, where that is for want of space; else empty.
std::string shortage_in(const std::string& folder);

}  // namespace warpfiber::tools::nvcc

// SPDX-License-Identifier: Apache-2.0
// Files that are read and written as a whole. One that is written is so atomically: a reader sees the old contents or
// the new ones, and a full disk leaves the old ones. A regular file, also behind symbolic links, is replaced by
// rename() of a temporary file in the same directory, whose name is unpredictable. Anything else (a terminal, a pipe,
// /dev/null) is written in place, as is a file in a directory that is not writable. One that is read has a limit: an
// endless one, such as /dev/zero, is refused there.
#pragma once

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>

#include "base/result.hpp"

namespace warpfiber::base {

class OutputFile {
 public:
  /// Does not fail: commit() says what went wrong.
  explicit OutputFile(const std::string& path);
  /// Without commit() nothing changes at the path, unless it is written in place.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& stream() { return stream_; }

  /// Puts the file in its place. Empty, or why not, in the system's words: "No space left on device".
  std::string commit();

 private:
  class Buffer;

  std::string path_;   // behind all links
  std::string fresh_;  // what is to be renamed; empty: written in place
  std::unique_ptr<Buffer> buffer_;
  std::ostream stream_;
};

/// The same of a text: empty, or why it was not written.
std::string write_output(const std::string& path, const std::string& text);

/// What is in a file of at most so many MiB. The failure says why it cannot be read, without
/// its name: "No such file or directory", "File too large".
Result<std::string> read_input(const std::string& path, std::size_t most_mib);

}  // namespace warpfiber::base

// SPDX-License-Identifier: Apache-2.0
//
// Source lines for quoting. Behind an interface, so that tests bring their own sources and a server could.
// Invariant: a line that cannot be read is no error; the report then shows the operation's name instead.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpfiber::report {

class SourceText {
 public:
  virtual ~SourceText() = default;

  /// Line `line`, counted from 1, as it stands in the file.
  virtual std::optional<std::string> line(const std::string& file, unsigned line) = 0;
};

/// Reads files from disk, each once. Files above 8 MiB are not read. For one thread at a time.
class SourceFiles final : public SourceText {
 public:
  std::optional<std::string> line(const std::string& file, unsigned line) override;

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

/// What a report quotes of a line: without indentation, trailing comment, semicolon and opening brace, at most `width`
/// columns wide. Empty if nothing is left.
std::string quote(std::string_view line, std::size_t width = 60);

}  // namespace warpfiber::report

// SPDX-License-Identifier: Apache-2.0
// How the sentences of a race name the lines that it is about.
#pragma once

#include <string>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

class FindingLines {
 public:
  FindingLines(const record::Finding& finding, SourceText& sources) : finding_(finding), sources_(sources) {}

  /// "line 12", or with its file where that is not the one that the finding is all about.
  std::string at(const record::Place& place) const;
  /// Empty where it cannot be read.
  std::string text_of(const record::Place& place) const;

 private:
  const record::Finding& finding_;
  SourceText& sources_;
};

/// "saxpy.cu:12", without the file's folder.
std::string short_place(const record::Place& place);

bool is_of_one_line(const record::Place& one, const record::Place& other);

/// Variables and calls know their file as the compiler was given it, instructions by its whole path.
bool is_same_file(const std::string& one, const std::string& other);

}  // namespace warpfiber::report

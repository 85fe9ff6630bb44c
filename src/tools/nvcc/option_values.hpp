// SPDX-License-Identifier: Apache-2.0
//
// The values of nvcc's options: lists between commas, words of a shell, architectures, options in files. Commas and
// quotes are read as nvcc 13.0 reads them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpfiber::tools::nvcc {

/// The parts of "a,b": a comma behind a backslash or within double quotes parts nothing. Quotes stay, and lose the
/// backslash that a shell script put in front of them.
std::vector<std::string> list_of(const std::string& value);

/// The host compiler's words in "-Wall,-O2 '-DNAME=\"x y\"'". nvcc parts them at commas and hands them to a shell, so
/// blanks part them as well, and quotes keep together what is between them.
std::vector<std::string> words_of(const std::string& value);

/// The words of an options file.
std::vector<std::string> words_of_file(const std::string& text);

/// 900 for "sm_90", "compute_90a", "arch=compute_90,code=sm_90"; the highest of several; 0 for "native" and the like.
unsigned architecture_in(const std::string& text);

/// The letter that `text` has behind the number of that architecture, 'a' of "sm_90a" or 'f' of "sm_100f"; 0: none.
char architecture_kind_in(const std::string& text);

/// What is wrong with the value of -arch and -code, or of -gencode: nothing, or a sentence.
std::string complaint_about_architectures(const std::string& value);
std::string complaint_about_generated_code(const std::string& value);

/// Whether a language standard's name is one of C++.
bool is_standard(std::string_view name);

/// What is wrong with `value` where it has to be one of `choices`, "a|b|c", or a number if these are the ten digits.
std::string complaint_about_choice(std::string_view value, std::string_view choices);

}  // namespace warpfiber::tools::nvcc

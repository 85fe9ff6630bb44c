// SPDX-License-Identifier: Apache-2.0
//
// What processes that are checked leave in files. Those are the program's to spoil: a process may be killed while it
// writes, or write there itself. What does not have the form is left out, so that nothing behind this has to ask.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "record/verdict.hpp"

namespace warpfiber::tools::check {

using Json = nlohmann::ordered_json;

/// The value that a text is; discarded where it is none. What is nested deeper than any document is left out: values
/// are written with some stack for each level.
Json parse_json(std::string_view text);

/// A document of docs/findings-format.md; discarded where the text is none. What the command reads of it has its type.
Json read_document(std::string_view text);

/// Whether it has a file and a line, or null for both, and a function that is a text if it has one.
bool is_place(const Json& value);

/// Text at `key` of an object; empty where there is none.
std::string text_at(const Json& object, const char* key);

/// What a finding of a document is; nothing where its id is not of this version.
std::optional<record::Verdict> verdict_of(const Json& finding);

/// Whether it is an error of a launch that does not end.
bool is_hang(const Json& finding);

/// The number at `key` of an object; 0 where there is none.
std::uint64_t number_at(const Json& object, const char* key);

}  // namespace warpfiber::tools::check

// SPDX-License-Identifier: Apache-2.0
// A profile's JSON (src/analysis/profile/document.cpp) as a table for the terminal and as CSV. Pure.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace warpfiber::tools::profile {

using ProfileDocument = nlohmann::ordered_json;

/// A table a kernel: a row for each line that accesses memory, with means a request. Files below `folder` are named
/// from there.
std::string to_table(const ProfileDocument& document, const std::string& folder);

/// A row for each line of each kernel, with sums.
std::string to_csv(const ProfileDocument& document);

/// The source of profiled kernels, with how often each line was executed at its left: a listing a kernel and file.
/// Reads the files, relative to the working directory; says so where one cannot be read.
std::string to_source(const ProfileDocument& document);

}  // namespace warpfiber::tools::profile

// SPDX-License-Identifier: Apache-2.0
//
// What `warpfiber check` keeps of a shard of seeds, in the file of --json (tools/shards/state_file.hpp).
#pragma once

#include <string>

#include "tools/check/documents/document.hpp"
#include "tools/check/options.hpp"
#include "tools/shards/state_file.hpp"

namespace warpfiber::tools::check {

/// The file of the shard that the options ask for, which is part of a search. Where they name none, nothing is kept.
shards::StateFile shard_file(const CheckOptions& options);

/// A document of a shard, or of several that were merged; discarded where the text is none.
Json read_shard_document(const std::string& text);

}  // namespace warpfiber::tools::check

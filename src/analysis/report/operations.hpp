// SPDX-License-Identifier: Apache-2.0
//
// The words for an operation of a stream.
#pragma once

#include <string>

#include "record/stream_observer.hpp"

namespace warpfiber::report {

/// "cudaMemcpyAsync", "saxpy"; of an operation that is not known by a name its kind: "copy".
std::string operation_name(const record::OperationFacts& operation);

/// As the program has it: "cudaMemcpyAsync", "saxpy<<<>>>"; of an operation that is not known by a name: "a copy".
std::string operation_text(const record::OperationFacts& operation);

}  // namespace warpfiber::report

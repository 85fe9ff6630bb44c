// SPDX-License-Identifier: Apache-2.0
//
// One word for each kind of operation.
#include "report/operations.hpp"

#include <string_view>

namespace warpfiber::report {
namespace {

constexpr std::string_view kKinds[] = {"kernel",           "copy",          "fill",
                                       "allocation",       "free",          "placement of memory",
                                       "library function", "host function", "marker"};

std::string kind_name(record::OperationKind kind) {
  return std::string(kKinds[static_cast<std::size_t>(kind)]);
}

}  // namespace

std::string operation_name(const record::OperationFacts& operation) {
  return operation.has_name() ? operation.call : kind_name(operation.kind);
}

std::string operation_text(const record::OperationFacts& operation) {
  if (!operation.has_name()) {
    const std::string name = kind_name(operation.kind);
    return (name.starts_with('a') ? "an " : "a ") + name;
  }
  return operation.kind == record::OperationKind::kernel ? std::string(operation.call) + "<<<>>>" : operation.call;
}

}  // namespace warpfiber::report

// SPDX-License-Identifier: Apache-2.0
// Watched expressions as text: paths to memory such as `tile[threadIdx.y][threadIdx.x]` or `*(out + n - 1)`. What names
// mean is not known here (watch/bound.hpp). Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "record/reason.hpp"

namespace warpfiber::trace {

enum class WatchNodeKind : std::uint8_t {
  number,
  name,
  member,       // of operand 0, by `name`
  arrow,        // the same of what operand 0 points to
  index,        // operand 0 [ operand 1 ]
  dereference,  // * operand 0
  negate,
  add,
  subtract,
  multiply,
  divide,
  remainder
};

/// An expression, or a part of one.
struct WatchNode {
  WatchNodeKind kind = WatchNodeKind::number;
  std::string name{};
  std::int64_t number = 0;
  std::vector<WatchNode> operands{};
};

struct WatchExpression {
  std::string text{};  // without spaces at its ends
  WatchNode root{};
};

/// An expression as the user wrote it, or what is wrong with it.
base::Result<WatchExpression, record::Reason> parse_watch(std::string_view text);

/// Those of a list with ";" between them; empty ones are left out.
base::Result<std::vector<WatchExpression>, record::Reason> parse_watches(std::string_view list);

}  // namespace warpfiber::trace

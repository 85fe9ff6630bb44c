// SPDX-License-Identifier: Apache-2.0
// What a watched expression means in a launch: names become parameters and variables, members become offsets. Names and
// types are those of debug information, as in findings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/index.hpp"
#include "base/result.hpp"
#include "record/reason.hpp"
#include "record/type_layout.hpp"
#include "trace/watch/expression.hpp"

namespace warpfiber::trace {

/// The launch in which an expression is read.
struct WatchLaunch {
  const void* kernel = nullptr;
  const char* arguments = nullptr;
  std::size_t argument_bytes = 0;
  int device = 0;
  base::Triple grid{1, 1, 1};
  base::Triple block{1, 1, 1};
  unsigned warp_size = 32;
  std::string kernel_name{};
  std::string shared_tag{};  // how tags of the kernel's own static shared variables begin; empty: not known
};

enum class BoundOp : std::uint8_t {
  // Integers
  constant,  // `number`
  thread_x,  // coordinates of threadIdx and blockIdx
  thread_y,
  thread_z,
  block_x,
  block_y,
  block_z,
  load,  // what the memory of `type` at operand 0 holds
  negate,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  // Addresses
  address,  // `number`
  shared,   // of the block's static variable `variable`, `number` bytes from the begin of its shared memory
  dynamic,  // of the block's dynamic shared memory
  shift,    // operand 0 and `number` bytes
  element,  // operand 0 and operand 1 times `number` bytes
  target    // what the pointer at operand 0 points to
};

struct BoundNode {
  BoundOp op = BoundOp::constant;
  std::int64_t number = 0;
  unsigned variable = 0;
  const record::TypeLayout* type = nullptr;  // of a load
  std::vector<BoundNode> operands{};
};

struct BoundWatch {
  BoundNode address{};
  const record::TypeLayout* type = nullptr;  // a number or a pointer of at most 8 bytes
  bool of_thread = false;                    // it may differ from thread to thread
};

/// Reads debug information: on a stack with room.
base::Result<BoundWatch, record::Reason> bind_watch(const WatchExpression& expression, const WatchLaunch& launch);

}  // namespace warpfiber::trace

// SPDX-License-Identifier: Apache-2.0
// What lanes say that wait for those who may be with them, kept in Warp::arguments until they are answered, and the
// convoy of lanes that have met at a shuffle without a mask. Belongs to the worker of their block.
#pragma once

#include <warpfiber/detail/collective.hpp>

#include <cstdint>
#include <string_view>

#include "fiber/trails.hpp"

namespace warpfiber::engine {

struct CallPath;

/// Why a lane waits for those that may be with it.
enum class Together : unsigned char { asked, printed, stepped, meeting };

/// What it has said.
struct Converging : detail::ConvergeArgument {
  Together why;
  std::string_view printed;
  const CallPath* path;
  // Of a lane that is to meet those with it:
  const detail::Collective* collective = nullptr;
  detail::LaneArgument* operands = nullptr;  // null: it has come in a convoy
};

inline Converging said_by(unsigned lane, Site site, Together why) {
  return Converging{{{site}, std::uint64_t{1} << lane}, why, {}, nullptr};
}

/// Lanes that have met at a shuffle without a mask, and the way to the one they are expected at.
struct MasklessConvoy : detail::Convoy {
  const CallPath* path = nullptr;
  fiber::Trail trail;
};

}  // namespace warpfiber::engine

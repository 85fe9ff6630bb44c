// SPDX-License-Identifier: Apache-2.0
#include "fiber/trails.hpp"

#include <unwind.h>

#include <utility>

namespace warpfiber::fiber {
namespace {

struct Walk {
  const Stretch& along;
  bool begun;
  Returns found{};
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  const Stretch& along = walk.along;
  // Of the frame below, so the return address into this one lies just under it.
  const auto* edge = reinterpret_cast<const char*>(_Unwind_GetCFA(context));
  const auto address = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
  if (edge <= along.frame + sizeof(void*)) return _URC_NO_REASON;
  if (address == 0 || edge > along.high || walk.found.addresses.size() == along.most) return _URC_NORMAL_STOP;
  walk.begun = walk.begun || address == reinterpret_cast<std::uintptr_t>(along.first);
  if (!walk.begun) return _URC_NO_REASON;
  if (along.below != nullptr && _Unwind_GetRegionStart(context) == reinterpret_cast<std::uintptr_t>(along.below)) {
    walk.found.complete = true;
    return _URC_NORMAL_STOP;
  }
  walk.found.addresses.push_back(address);
  walk.found.places.push_back(edge - sizeof(void*));
  return _URC_NO_REASON;
}

}  // namespace

Returns walk(const Stretch& along) {
  Walk walk{along, along.first == nullptr};
  _Unwind_Backtrace(&step, &walk);
  return std::move(walk.found);
}

Trail::Trail(const Returns& found, const char* frame) {
  for (std::size_t i = 0; i < found.addresses.size(); ++i) {
    if (address_at(found.places[i]) != found.addresses[i]) {
      steps_.clear();
      return;
    }
    steps_.push_back({static_cast<std::uint32_t>(found.places[i] - frame), found.addresses[i]});
  }
}

}  // namespace warpfiber::fiber

// SPDX-License-Identifier: Apache-2.0
// What is said about asynchronous copies that cannot be right.
#include <warpfiber/detail/async_copy.hpp>

#include "abi/told_misuse.hpp"

namespace warpfiber::detail {

namespace {

Advice advice_on(CopyMisuse what) {
  switch (what) {
    case CopyMisuse::misaligned_to:
      return {"The destination 0x%1$llx is no multiple of %2$llu, the alignment that the call promises.",
              "align the destination, __align__(16) for example, or promise less"};
    case CopyMisuse::misaligned_from:
      return {"The source 0x%1$llx is no multiple of %2$llu, the alignment that the call promises.",
              "start at an aligned element, or promise less"};
    case CopyMisuse::ragged_size:
      return {
          "%1$llu bytes are no multiple of %2$llu, the alignment that the call promises; the device moves whole "
          "units of that size only.",
          "a size in bytes that is a multiple of the alignment, or pointers to a type that is aligned less"};
    case CopyMisuse::bad_size:
      return {"A copy of %1$llu bytes was asked for; these copies move 4, 8 or 16 bytes.",
              "one copy of 4, 8 or 16 bytes after the other"};
    case CopyMisuse::too_many_zeroes:
      return {"%1$llu bytes of zeroes were asked for in a copy of %2$llu bytes.", "at most as many zeroes as bytes"};
    case CopyMisuse::not_to_shared: break;
  }
  return {"The destination 0x%1$llx is not in the shared memory of the calling block.",
          "a __shared__ variable as destination, global memory as source"};
}

}  // namespace

void copy_misuse(CopyMisuse what, const char* call, std::uint64_t given, std::uint64_t wanted, Site site) {
  tell_misuse(advice_on(what), call, static_cast<unsigned long long>(given), static_cast<unsigned long long>(wanted),
              site);
}

}  // namespace warpfiber::detail

// SPDX-License-Identifier: Apache-2.0
// What is said about asynchronous copies that cannot be right.
#include <warpfiber/detail/async_copy.hpp>

#include "abi/told_misuse.hpp"

namespace warpfiber::detail {

namespace {

Advice advice_on(CopyMisuse what) {
  switch (what) {
    case CopyMisuse::misaligned_to:
      return {"The destination 0x%1$llx is not a multiple of %2$llu, the alignment that the call promises.",
              "align the destination, for example with __align__(16), or promise a smaller alignment"};
    case CopyMisuse::misaligned_from:
      return {"The source 0x%1$llx is not a multiple of %2$llu, the alignment that the call promises.",
              "start at an aligned element, or promise a smaller alignment"};
    case CopyMisuse::ragged_size:
      return {
          "The size of %1$llu bytes is not a multiple of %2$llu, the alignment that the call promises; a device copies "
          "only whole units of that size.",
          "use a size that is a multiple of the alignment, or pointers to a type with a smaller alignment"};
    case CopyMisuse::bad_size:
      return {"The call copies %1$llu bytes; it supports only 4, 8 or 16 bytes.",
              "use several copies of 4, 8 or 16 bytes"};
    case CopyMisuse::too_many_zeroes:
      return {"The call fills %1$llu bytes with zeroes, but copies only %2$llu bytes.",
              "pass a zfill that is at most the size of the copy"};
    case CopyMisuse::not_to_shared: break;
  }
  return {"The destination 0x%1$llx is not in the shared memory of the calling block.",
          "pass a __shared__ variable as destination and global memory as source"};
}

}  // namespace

void copy_misuse(CopyMisuse what, const char* call, std::uint64_t given, std::uint64_t wanted, Site site) {
  tell_misuse(advice_on(what), call, static_cast<unsigned long long>(given), static_cast<unsigned long long>(wanted),
              site);
}

}  // namespace warpfiber::detail

// SPDX-License-Identifier: Apache-2.0
// What is said about asynchronous copies that cannot be right.
#include <warpfiber/detail/async_copy.hpp>
#include <warpfiber/detail/group.hpp>

#include <cstdio>
#include <cstdlib>

namespace warpfiber::detail {

namespace {

struct Advice {
  const char* why;  // a format of what was given and what was wanted
  const char* fix;
};

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
  const Advice advice = advice_on(what);
  char why[256];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int length = std::snprintf(why, sizeof why, advice.why, static_cast<unsigned long long>(given),
                                   static_cast<unsigned long long>(wanted));
#pragma GCC diagnostic pop
  if (length < 0 || current_thread.worker == nullptr) {
    std::fprintf(stderr, "warpfiber: %s at %s:%u: %s\n", call, site.file != nullptr ? site.file : "?", site.line, why);
    std::abort();
  }
  misuse(site, call, why, advice.fix);
}

}  // namespace warpfiber::detail

// SPDX-License-Identifier: Apache-2.0
// Where kernels read and write surfaces. Sources: CUDA C++ Programming Guide, "Surface Functions" (x is in bytes); what
// ends the kernel, and with which error, was recorded on an H200 (CUDA 13.0).
#include <warpfiber/cuda/texture.hpp>

#include <algorithm>
#include <cstdlib>

#include "device_memory/arrays.hpp"
#include "device_memory/textures/textures.hpp"
#include "engine/findings/groups.hpp"
#include "engine/worker.hpp"
#include "record/diagnosis.hpp"

namespace warpfiber::cuda::detail {
namespace {

/// Ends the launch; outside a kernel, the process.
[[noreturn]] void fail(const cudaArray& array, const SurfaceAccess& access, bool outside, Site site) {
  engine::Worker* const worker = engine::Worker::current();
  if (worker == nullptr) std::abort();
  worker->begin_failure();
  const record::SurfaceMisused misuse{.outside = outside,
                                      .writes = access.writes,
                                      .bytes = access.bytes,
                                      .x = access.place.x,
                                      .y = access.place.y,
                                      .z = access.place.z,
                                      .width = array.pitch(),
                                      .rows = array.rows(),
                                      .slices = array.slices()};
  record::Finding made = engine::misused(*worker, site, access.writes ? "surface write" : "surface read", misuse);
  made.verdict = outside ? record::Verdict::oob_global : record::Verdict::misaligned;
  made.parties.front().role = access.writes ? record::Role::write : record::Role::read;
  made.object = record::ObjectFacts{.address = reinterpret_cast<std::uintptr_t>(array.data)};
  worker->fail_here(std::move(made));
}

}  // namespace

char* surface_at(cudaSurfaceObject_t handle, const SurfaceAccess& access, cudaSurfaceBoundaryMode mode, Site site) {
  const cudaArray& array = *device_memory::surface_of(handle).resource.res.array.array;
  const long width = static_cast<long>(array.pitch()) - static_cast<long>(access.bytes);
  const long rows = static_cast<long>(array.rows()) - 1;
  const long slices = static_cast<long>(array.slices()) - 1;
  long x = access.place.x;
  long y = access.place.y;
  long z = access.place.z;
  if (x < 0 || x > width || y < 0 || y > rows || z < 0 || z > slices) {
    if (mode == cudaBoundaryModeTrap) fail(array, access, true, site);
    if (mode == cudaBoundaryModeZero || width < 0) return nullptr;
    x = std::clamp(x, 0L, width);
    y = std::clamp(y, 0L, rows);
    z = std::clamp(z, 0L, slices);
  } else if (x % access.bytes != 0) {
    fail(array, access, false, site);
  }
  return array.data + (z * (rows + 1) + y) * static_cast<long>(array.pitch()) + x;
}

}  // namespace warpfiber::cuda::detail

// SPDX-License-Identifier: Apache-2.0
// The exhibits of this folder: what the lanes of a warp do together. Called through the registry and by tests.
#pragma once

#include "../exhibit.hpp"

namespace gallery {

Record run_increment_opportunistic(const Setting& setting);
Record run_increment_masked(const Setting& setting);
Record run_masked_halves(const Setting& setting);
Record run_aligned_copy(const Setting& setting);

}  // namespace gallery

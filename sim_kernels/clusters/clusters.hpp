// SPDX-License-Identifier: Apache-2.0
// The exhibits of this folder: blocks that see each other's shared memory. Called through the registry and by tests.
#pragma once

#include "../exhibit.hpp"

namespace gallery {

Record run_neighbour_sums(const Setting& setting);

}  // namespace gallery

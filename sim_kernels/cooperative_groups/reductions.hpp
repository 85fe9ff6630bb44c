// SPDX-License-Identifier: Apache-2.0
// The exhibits of this folder: reductions by groups of threads. Called through the registry and by tests.
#pragma once

#include "../exhibit.hpp"

namespace gallery {

Record run_tree_reduction(const Setting& setting);
Record run_tile_reduction(const Setting& setting);

}  // namespace gallery

// SPDX-License-Identifier: Apache-2.0
// The exhibits of this folder: blocks of a grid that depend on each other. Called through the registry and by tests.
#pragma once

#include "../exhibit.hpp"

namespace gallery {

Record run_opposite_rows(const Setting& setting);
Record run_producer_consumer(const Setting& setting);
Record run_lookback_scan(const Setting& setting);
Record run_conjugate_gradient(const Setting& setting);

}  // namespace gallery

// SPDX-License-Identifier: Apache-2.0
// The exhibits of this folder: what every CUDA course begins with. Called through the registry and by tests.
#pragma once

#include "../exhibit.hpp"

namespace gallery {

Record run_vector_add(const Setting& setting);
Record run_saxpy(const Setting& setting);
Record run_matrix_transpose(const Setting& setting);
Record run_matrix_product(const Setting& setting);
Record run_histogram(const Setting& setting);

}  // namespace gallery

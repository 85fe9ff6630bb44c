// SPDX-License-Identifier: Apache-2.0
// Programs include NVIDIA's own parts of the header; here they are all in it.
#pragma once

#include <cooperative_groups/scan.h>

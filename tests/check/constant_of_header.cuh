// SPDX-License-Identifier: Apache-2.0
// A constant of which each file that includes this has one for itself.
#pragma once

static __constant__ float factors[4];

void set_factors();

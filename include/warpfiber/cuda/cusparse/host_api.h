// SPDX-License-Identifier: Apache-2.0
// The types of cuSPARSE and the functions that are modelled. C and C++.
#pragma once

#include <warpfiber/cuda/cusparse/arrays.h>
#include <warpfiber/cuda/cusparse/descriptors.h>
#include <warpfiber/cuda/cusparse/generic.h>

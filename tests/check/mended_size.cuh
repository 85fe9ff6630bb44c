// SPDX-License-Identifier: Apache-2.0
// What a copy of mended.cuh includes from where that is.
#pragma once

constexpr unsigned kThreads = 64;

// SPDX-License-Identifier: Apache-2.0
// In the place of a toolkit's header of this name, whose types are Warpfiber's already.
#pragma once

#ifndef CURAND_MTGP32_H
#error "the types would be defined twice"
#endif

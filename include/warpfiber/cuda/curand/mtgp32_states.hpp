// SPDX-License-Identifier: Apache-2.0
//
// MTGP32's states and parameter sets (Saito and Matsumoto, "Variants of Mersenne Twister suitable for graphic
// processors", ACM Transactions on Mathematical Software 39(2), 2013), laid out as in cuRAND: the table of sets of
// NVIDIA's toolkit is an array of mtgp32_params_fast_t. That table's header includes "curand_mtgp32.h" of its own
// folder, so the macro that protects that file protects this one: whichever comes first defines the types.
#pragma once

#ifndef CURAND_MTGP32_H
#define CURAND_MTGP32_H

#define MTGPDC_MEXP 11213
#define MTGPDC_N 351
#define MTGPDC_FLOOR_2P 256
#define MTGPDC_CEIL_2P 512
#define MTGPDC_PARAM_TABLE mtgp32dc_params_fast_11213
#define MTGP32_STATE_SIZE 1024
#define MTGP32_STATE_MASK 1023
#define CURAND_NUM_MTGP32_PARAMS 200

/// One set: the period is 2^mexp - 1. `tbl` and `tmp_tbl` are the linear functions of four bits in the recurrence and
/// in the tempering of its numbers; `flt_tmp_tbl` is the latter for numbers in [1, 2).
struct mtgp32_params_fast {
  int mexp;
  int pos;
  int sh1;
  int sh2;
  unsigned int tbl[16];
  unsigned int tmp_tbl[16];
  unsigned int flt_tmp_tbl[16];
  unsigned int mask;
  unsigned char poly_sha1[21];
};
typedef struct mtgp32_params_fast mtgp32_params_fast_t;

/// The sets as kernels read them.
struct mtgp32_kernel_params {
  unsigned int pos_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int param_tbl[CURAND_NUM_MTGP32_PARAMS][16];
  unsigned int temper_tbl[CURAND_NUM_MTGP32_PARAMS][16];
  unsigned int single_temper_tbl[CURAND_NUM_MTGP32_PARAMS][16];
  unsigned int sh1_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int sh2_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int mask[1];
};
typedef struct mtgp32_kernel_params mtgp32_kernel_params_t;

/// A state for one block: the last MTGPDC_N words from `offset` on, in a ring, and which of the sets of `k` it follows.
struct curandStateMtgp32 {
  unsigned int s[MTGP32_STATE_SIZE];
  int offset;
  int pIdx;
  mtgp32_kernel_params_t* k;
};
typedef struct curandStateMtgp32 curandStateMtgp32_t;

#endif

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Records the counters of kernels.cu on the GPU of this machine. Needs nvcc and ncu, and permission to read counters.
#   tests/counters/record.sh > tests/counters/recorded.csv
set -euo pipefail
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
nvcc -O3 -arch=native -std=c++17 kernels.cu -o "$scratch/kernels"
metrics=
for op in ld st; do
  metrics+=l1tex__t_requests_pipe_lsu_mem_global_op_$op.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_$op.sum,
  metrics+=l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$op.sum,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$op.sum,
done
ncu --csv --page raw --metrics "${metrics%,}" "$scratch/kernels" 2>/dev/null | python3 shorten.py

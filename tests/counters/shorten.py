# SPDX-License-Identifier: Apache-2.0
"""Reads Nsight Compute's CSV, and writes a row for each kernel: its name and the sums that record.sh asks for."""
import csv
import sys

PREFIXES = ("l1tex__t_requests_pipe_lsu_mem_global_op_", "l1tex__t_sectors_pipe_lsu_mem_global_op_",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_")
METRICS = [prefix + operation + ".sum" for operation in ("ld", "st") for prefix in PREFIXES]


def main():
    rows = csv.reader(line for line in sys.stdin if line.startswith('"'))
    heading = next(rows)
    next(rows)  # units
    to = csv.writer(sys.stdout, lineterminator="\n")
    to.writerow(["kernel"] + METRICS)
    for row in rows:
        name = row[heading.index("Kernel Name")].split("(")[0].removeprefix("void ")
        to.writerow([name] + [row[heading.index(metric)].replace(",", "") for metric in METRICS])


main()

# SPDX-License-Identifier: Apache-2.0
import os
import sys

from warpfiber.installed import command


def main():
    program = command()
    os.execv(program, ["warpfiber", *sys.argv[1:]])


if __name__ == "__main__":
    main()

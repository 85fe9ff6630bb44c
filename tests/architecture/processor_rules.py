# SPDX-License-Identifier: Apache-2.0
#
# The rule of rules.py about code for one kind of processor: a port to another one is a folder, not a search.
import re

PROCESSOR = re.compile(r"\b(?:__x86_64__|__i386__|__aarch64__)\b")
# Assembly; not the name of a function's symbol, nor a macro's of a variable's.
ASSEMBLY = re.compile(r"(?<!noexcept )\b(?:asm|__asm|__asm__)\b\s*(?:volatile\s*)?\((?!symbol\b)")
FOLDERS = ("src/foundation/base/arch/", "include/warpfiber/detail/arch/")
# The decoder of x86-64 and what enters it: all of that folder is for the processor.
DECODER = "src/compiler/instrument/x86/"


def processors_have_folders(tree):
    for path in tree.cpp_files():
        lines = tree.read(path).split("\n") if path.startswith(("src/", "include/")) and not path.startswith(FOLDERS) else []
        for number, line in enumerate(lines, 1):
            code = line.split("//")[0]
            # Of public headers' assembly some is no instruction: rules.py has the reasons.
            is_assembly = path.startswith("src/") and ASSEMBLY.search(code) and not path.startswith(DECODER)
            if PROCESSOR.search(code) or is_assembly:
                folder = FOLDERS[0] if path.startswith("src/") else FOLDERS[1]
                yield f"{path}:{number}: is for one kind of processor: {folder}"


PROCESSOR_RULES = [processors_have_folders]

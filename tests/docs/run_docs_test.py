#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# The rules of pages.py and the runner, each on a small tree that breaks it.
import atexit
import os
import shutil
import tempfile
import unittest

import links
import pages
import run_docs
import terminal

FENCE = "```"


def block(info, *lines):
    return "\n".join([FENCE + info, *lines, FENCE]) + "\n"


class Tree:
    """README.md and a few examples in a folder of its own."""

    def __init__(self, readme, **examples):
        self.root = tempfile.mkdtemp(prefix="warpfiber-docs-")
        atexit.register(shutil.rmtree, self.root)
        self.write("README.md", readme)
        self.write("examples/README.md", "")
        for name, text in examples.items():
            self.write(f"examples/{name}.cu", text)

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def readme(self):
        with open(os.path.join(self.root, "README.md"), encoding="utf-8") as file:
            return file.read()

    def complaints(self):
        return list(pages.complaints(self.root, "README.md")) + list(pages.hidden_commands(self.root, "README.md"))

    def run(self, update=False, reason=None):
        return run_docs.run_page(self.root, "README.md", "/usr/bin/true", update, reason)


class Links(unittest.TestCase):
    def complaints(self, text):
        tree = Tree(text)
        tree.write("page.md", "# The page\n\n## Two words: `code`\n")
        return [one.partition(": ")[2] for one in links.complaints(tree.root)]

    def test_links_to_files_and_headings_pass(self):
        text = "[a](page.md), [b](page.md#two-words-code), [c](examples) and [d](https://example.org/none)\n"
        self.assertEqual(self.complaints(text), [])

    def test_a_file_that_is_not_installed_is_reported(self):
        self.assertEqual(self.complaints("[a](../src/README.md)\n"), ["../src/README.md leads nowhere"])

    def test_a_heading_that_is_gone_is_reported(self):
        self.assertEqual(self.complaints("[a](page.md#three)\n"), ["page.md#three: page.md has no such heading"])


class Rules(unittest.TestCase):
    def assert_found(self, tree, what):
        found = tree.complaints()
        self.assertEqual(len(found), 1, found)
        self.assertIn(what, found[0])

    def test_a_part_of_a_file_is_found_whatever_its_indentation(self):
        tree = Tree(block("cpp a.cu", "if (x)", "  y();"), a="void f() {\n  if (x)\n    y();\n}\n")
        self.assertEqual(tree.complaints(), [])

    def test_lines_that_the_file_does_not_hold(self):
        self.assert_found(Tree(block("cpp a.cu", "f();", "g();"), a="f();\n\ng();\n"), "does not contain")

    def test_a_file_that_is_not_there(self):
        self.assert_found(Tree(block("cpp b.cu", "f();")), "there is no examples/b.cu")

    def test_a_block_without_a_language(self):
        self.assert_found(Tree(block("", "f();")), "without a language")

    def test_a_block_of_code_that_names_no_file(self):
        self.assert_found(Tree(block("cpp", "f();")), "names neither")

    def test_a_reason_is_needed(self):
        self.assert_found(Tree(block("sh skip:", "f")), "neither exit=N nor skip")

    def test_an_indented_block(self):
        self.assert_found(Tree("Run\n\n    warpfiber run a.cu\n"), "README.md:3: an indented block")

    def test_a_command_in_a_block_of_text(self):
        self.assert_found(Tree(block("text skip: measured", "warpfiber run a.cu")), "README.md:2: a command")

    def test_a_console_without_a_command(self):
        self.assert_found(Tree(block("console", "hello")), "begins with a command")

    def test_a_line_that_is_too_long(self):
        self.assert_found(Tree("Words.\n" + "word " * 8 + "x" * 130 + "\n"), "README.md:2: 170 characters")

    def test_sentences_that_are_too_long_on_average(self):
        self.assert_found(Tree(("word " * 29 + "end.\n") * 2), "README.md:1: sentences of 30 words")
        self.assertEqual(Tree(("word " * 20 + "end.\n") * 9 + "\n- " + "word " * 20 + "\n").complaints(), [])

    def test_a_sentence_that_is_too_long(self):
        short = "Words say it.\n" * 9
        self.assert_found(Tree(short + "Too many " + "word " * 20 + "\nand: " + "word " * 22 + "end.\n"),
                          "README.md:1: a sentence of 46 words, the limit is 45: Too many word word")
        self.assertEqual(Tree(short + "word " * 22 + "\n" + "word " * 22 + "end.\n").complaints(), [])

    def test_a_colon_ends_a_sentence_before_a_list_only(self):
        self.assertEqual(Tree("word " * 24 + "end:\n" + "word " * 24 + "end.\n").complaints(), [])
        self.assert_found(Tree("word " * 22 + "end: word\n" + "word " * 19 + "end.\n"), "sentences of 44 words")

    def test_an_example_that_is_not_named(self):
        tree = Tree("", a="")
        self.assertEqual(list(pages.unnamed_examples(tree.root)), ["examples/README.md:1: does not name a.cu"])

    def test_an_example_of_a_finding_is_named_by_a_page_of_findings(self):
        tree = Tree("")
        tree.write("examples/findings/trap.cu", "")
        tree.write("docs/findings/trap.md", "```console\n$ warpfiber check strap.cu\n```\n")
        self.assertEqual(list(pages.unnamed_examples(tree.root)), ["examples/README.md:1: does not name findings/trap.cu"])
        tree.write("docs/findings/trap.md", "```console\n$ warpfiber check trap.cu\n```\n")
        self.assertEqual(list(pages.unnamed_examples(tree.root)), [])

    def test_a_page_that_the_map_does_not_name(self):
        tree = Tree("")
        tree.write("docs/README.md", "[a](a.md) [c](lab/c.md)\n")
        for page in ("a", "b", "lab/c", "lab/d", "findings/e"):
            tree.write(f"docs/{page}.md", "")
        self.assertEqual(list(pages.unnamed_pages(tree.root)),
                         ["docs/README.md:1: does not name b.md", "docs/README.md:1: does not name lab/d.md"])

    def test_pages_run_in_the_folder_that_mirrors_theirs(self):
        self.assertEqual(pages.examples_of("README.md"), "examples")
        self.assertEqual(pages.examples_of("docs/checking.md"), "examples")
        self.assertEqual(pages.examples_of("docs/findings/trap.md"), "examples/findings")
        self.assertEqual(pages.examples_of("examples/README.md"), "examples")


class Running(unittest.TestCase):
    def test_what_is_shown_is_printed(self):
        tree = Tree(block("console", "$ echo one; echo two >&2", "one", "two", "$ cat a.cu", "text"), a="text\n")
        self.assertEqual(tree.run(), [])

    def test_what_is_printed_is_another_thing(self):
        tree = Tree(block("console", "$ echo one", "two"))
        found = tree.run()
        self.assertIn("README.md:2: `echo one` prints something else", found[0])
        self.assertIn("-two", found[0])

    def test_exit_codes(self):
        self.assertEqual(Tree(block("console exit=3", "$ exit 3")).run(), [])
        self.assertIn("ended with 3, not 0", Tree(block("sh", "exit 3")).run()[0])
        self.assertIn("ended with 0, not 3", Tree(block("console exit=3", "$ true")).run()[0])
        self.assertIn("ended with 1", Tree(block("console", "$ false", "$ true")).run()[0])

    def test_commands_of_a_page_share_a_folder(self):
        self.assertEqual(Tree(block("sh", "echo 7 >made") + block("console", "$ cat made", "7")).run(), [])

    def test_paths_are_shown_from_the_folder_of_the_page(self):
        self.assertEqual(Tree(block("console", "$ echo at $PWD/a.cu:3", "at a.cu:3")).run(), [])

    def test_skipped_blocks_do_not_run(self):
        self.assertEqual(Tree(block("sh skip: needs a GPU", "false")).run(), [])

    def test_blocks_that_are_skipped_for_one_reason_run_alone(self):
        tree = Tree(block("console skip: no GPU", "$ echo 1", "2") + block("sh skip: slow", "false") + block("sh", "false"))
        self.assertEqual(len(tree.run(reason="no GPU")), 1)
        tree.run(update=True, reason="no GPU")
        self.assertIn(block("console skip: no GPU", "$ echo 1", "1"), tree.readme())
        self.assertEqual(tree.run(reason="no GPU"), [])

    def test_commands_may_go_on_behind_a_backslash(self):
        self.assertEqual(Tree(block("console", "$ echo one \\", "    two", "one two")).run(), [])

    def test_settings_of_the_user_do_not_count(self):
        os.environ["WARPFIBER_SEED"] = "7"
        self.assertEqual(Tree(block("console", "$ echo [$WARPFIBER_SEED]", "[]")).run(), [])

    def test_update_writes_output_and_exit_code(self):
        tree = Tree("Before\n\n" + block("console", "$ echo one; exit 2", "two") + "\nafter\n")
        tree.run(update=True)
        self.assertEqual(tree.readme(), "Before\n\n" + block("console exit=2", "$ echo one; exit 2", "one") + "\nafter\n")
        self.assertEqual(tree.run(), [])

    def test_update_keeps_what_is_right(self):
        page = block("console", "$ printf '1\\n2\\n3\\n'", "1", "…", "3") + block("console", "$ echo 0x7f0012345678", "0x7e0087654321")
        tree = Tree(page)
        self.assertEqual(tree.run(update=True), [])
        self.assertEqual(tree.readme(), page)

    def test_update_still_fails_where_a_script_does(self):
        self.assertIn("ended with 1", Tree(block("sh", "false")).run(update=True)[0])

    def test_a_command_that_does_not_end_is_ended(self):
        with self.assertRaises(terminal.TimedOut):
            terminal.run("tail -f /dev/null", "/", dict(os.environ), seconds=0.1)


class Comparing(unittest.TestCase):
    def test_addresses_and_times_may_differ(self):
        self.assertTrue(terminal.same(["at 0x7f0000000010 in 0.3 s"], ["at 0x7e1234567890 in 12 s"]))

    def test_other_numbers_may_not(self):
        self.assertFalse(terminal.same(["seed 0x1"], ["seed 0x2"]))
        self.assertFalse(terminal.same(["lines 1"], ["lines 2"]))

    def test_an_elision_stands_for_any_lines(self):
        self.assertTrue(terminal.same(["a", "  …", "d"], ["a", "b", "c", "d"]))
        self.assertTrue(terminal.same(["…"], ["a"]))
        self.assertFalse(terminal.same(["a", "…"], ["b", "a"]))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Pages about runs in a headless browser: browser_test.py WARPFIBER EXAMPLES"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from browser import Browser

EXAMPLES = pathlib.Path(sys.argv.pop()).resolve()
WARPFIBER = pathlib.Path(sys.argv.pop()).resolve()
MOST_BYTES = 5 << 20

PROGRAM = """__device__ int lock_a, lock_b;
__device__ void take(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
}
__global__ void both(int* out) {
  if (threadIdx.x != 0) return;
  take(blockIdx.x == 0 ? &lock_a : &lock_b);
  atomicAdd(&out[blockIdx.x], 1);
  while (atomicAdd(&out[1 - blockIdx.x], 0) == 0) {
  }
  take(blockIdx.x == 0 ? &lock_b : &lock_a);
}
__global__ void half(int* out) {
  __syncthreads();
  if (threadIdx.x >= 40) return;
  if (threadIdx.x < 32) __syncthreads();
  out[threadIdx.x] = 1;
}
__global__ void sum(int* out) {
  __shared__ double part[64];
  part[threadIdx.x] = 0.5;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = part[(threadIdx.x * 32) % 64] + __shfl_xor_sync(0xffffffff, threadIdx.x, 1);
}
int main(int argc, char**) {
  int* out;
  cudaMalloc(&out, 1024);
  cudaMemset(out, 0, 1024);
  for (int i = 0; i < 3; ++i) sum<<<3, 64>>>(out);
  cudaMemset(out, 0, 1024);
  if (argc == 2) half<<<1, 64>>>(out);
  if (argc >= 3) both<<<2, 32>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess && argc == 4) __builtin_abort();
}
"""

LED = """__global__ void led(int* out) {
  __shared__ int value;
  if (threadIdx.x == 0) {
    while (atomicAdd(out, 0) == 0) {
    }
    value = 1;
  }
  __syncthreads();
  out[threadIdx.x + 1] = value;
}
int main() {
  int* out;
  cudaMalloc(&out, 1024);
  cudaMemset(out, 0, 1024);
  led<<<1, 64>>>(out);
  cudaDeviceSynchronize();
}
"""

WATCHED = """#include <cstdio>
struct Node { int key; short children[3]; Node* next; union { float w; unsigned bits; }; unsigned flag : 3; };
struct Base { double weight; };
struct Derived : Base { unsigned char tag; };
__device__ int counter = 5;
__constant__ Derived derived[2] = {{{1.5}, 3}, {{-0.25}, 200}};
__managed__ long long total;
__global__ void scan(int* data, int n, Node* nodes, void* untyped) {
  __shared__ int part[2][32];
  int local = 3;
  part[threadIdx.y][threadIdx.x] = data[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  part[1 - threadIdx.y][threadIdx.x] += local;
  Node& own = nodes[threadIdx.x % 4];
  own.children[2] = -1 - threadIdx.x % 4;
  own.next = threadIdx.x % 4 == 0 ? nullptr : &nodes[threadIdx.x % 4 - 1];
  own.w = 0.5f * (threadIdx.x % 4);
  __syncthreads();
  if (threadIdx.x + threadIdx.y == 0) ++counter, total = -7;
  data[threadIdx.y * 32 + threadIdx.x] = part[threadIdx.y][threadIdx.x] * n;
}
__global__ void other(int* data) {
  __shared__ double part[4];
  part[threadIdx.x] = 0.5 * threadIdx.x;
  __syncthreads();
  data[threadIdx.x] = part[3 - threadIdx.x];
}
__global__ void dynamic(int* data) {
  extern __shared__ Node pool[];
  pool[threadIdx.x].key = 10 * threadIdx.x;
  __syncthreads();
  data[threadIdx.x] = pool[3 - threadIdx.x].key;
}
__global__ void waits(int* data) {
  data[threadIdx.x] = 77;
  if (threadIdx.x < 32) __syncthreads();
  if (threadIdx.x >= 32) __syncwarp(0x3);
}
__global__ void busy(int* data) {
  for (int i = 1; i <= 100; ++i) {
    data[threadIdx.x] = i;
    __syncthreads();
  }
}
int main(int argc, char** argv) {
  if (argc == 3) cudaSetDevice(1);
  int* data;
  Node* nodes;
  cudaMalloc(&data, 4096);
  cudaMalloc(&nodes, 4 * sizeof(Node));
  cudaMemset(data, 0, 4096);
  cudaMemset(nodes, 0, 4 * sizeof(Node));
  if (argc == 2) *argv[1] == 'b' ? busy<<<1, 1024>>>(data) : waits<<<1, 64>>>(data);
  else scan<<<1, dim3(32, 2)>>>(data, 2, nodes, data), other<<<1, 4>>>(data), dynamic<<<1, 4, 4 * sizeof(Node)>>>(data);
  if (argc == 3) scan<<<1, dim3(32, 2)>>>(data, 2, nodes, data);
  cudaDeviceSynchronize();
}
"""

# The table of an expression: the heads of its columns, then its rows.
TABLE = """(() => {
  const name = %s;
  const box = [...document.querySelectorAll(".watched")].find((one) => one.querySelector("h3").textContent === name);
  return [...box.querySelectorAll("tr")].map((row) => [...row.children].map((cell) => cell.textContent));
})()"""

LINE_OF_LOAD = 1 + [line.lstrip()[:13] for line in PROGRAM.splitlines()].index("out[blockIdx.")

# Clicks every link that there is, also those that a click makes, and returns where each led: [address, cursor].
CLICK_EVERY_LINK = """(async () => {
  const visited = new Map();
  for (;;) {
    const link = [...document.querySelectorAll("a[href]")].find((a) => !visited.has(a.getAttribute("href")));
    if (!link || visited.size >= 400) return [...visited];
    const href = link.getAttribute("href");
    const changed = location.hash === href ? Promise.resolve() : new Promise((done) => addEventListener("hashchange", done, {once: true}));
    link.click();
    await changed;
    visited.set(href, [location.hash, document.getElementById("cursor").textContent]);
  }
})()"""

SAVED_PICTURES = """[...document.querySelectorAll("figure svg")].map((svg) =>
  new DOMParser().parseFromString(svgText(svg), "image/svg+xml").documentElement.nodeName)"""

STATES = """[...new Set([...document.querySelectorAll("[data-state]")].map((part) => part.dataset.state))].sort()"""

PRESS = """(() => {{
  document.getElementById("lanes-box").dispatchEvent(new KeyboardEvent("keydown", {{key: "{}", shiftKey: {}}}));
  return [place.step, place.thread, document.activeElement.id];
}})()"""


class Reports(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        (cls.folder / "app.cu").write_text(PROGRAM)
        (cls.folder / "led.cu").write_text(LED)
        (cls.folder / "watched.cu").write_text(WATCHED)
        shutil.copy(EXAMPLES / "rotate.cu", cls.folder)
        for name in ("app", "rotate"):  # for their checks
            subprocess.run([WARPFIBER, "nvcc", "-fcheck", name + ".cu", "-o", name], cwd=cls.folder, check=True)
        cls.browser = Browser()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.addClassCleanup(cls.browser.close)

    def run_command(self, *arguments):
        return subprocess.run([WARPFIBER, *arguments], cwd=self.folder, capture_output=True, text=True)

    def open_report(self, subcommand, source, *arguments):
        """Makes a report, opens it and looks at everything that holds for all pages."""
        page = self.folder / "report.html"
        done = self.run_command(subcommand, "--report", page.name, *source, *arguments)
        self.assertNotIn("no report was written", done.stderr)
        self.look_at(page)
        return done

    def look_at(self, page):
        text = page.read_text()
        self.assertLess(len(text), MOST_BYTES)
        self.assertEqual(set(re.findall(r"https?://[^\s\"'<\\]+", text.split('id="data"')[0] + text.split("</script>")[-2])),
                         {"http://www.w3.org/2000/svg"} & set(re.findall(r"https?://[^\s\"'<\\]+", text)))
        self.browser.complaints.clear()
        self.browser.open("about:blank")
        self.browser.open(page.as_uri())
        self.assertEqual(self.browser.complaints, [])
        self.assertEqual(self.browser.evaluate("""[...document.querySelectorAll("figure svg")].filter((svg) =>
            !svg.getAttribute("aria-label")).length"""), 0)
        self.assertEqual(set(self.browser.evaluate(SAVED_PICTURES)) - {"svg"}, set())

    def text(self, selector):
        return self.browser.evaluate(f'(document.querySelector("{selector}") || {{}}).textContent')

    def table(self, name):
        return self.browser.evaluate(TABLE % json.dumps(name))

    def column(self, name, which):
        """The values of an expression at the end of one epoch."""
        return [row[which - len(row)] for row in self.table(name)[1:]]

    def click_every_link(self):
        visited = self.browser.evaluate(CLICK_EVERY_LINK)
        for href, (address, cursor) in visited:
            self.assertEqual(href, address)
            self.assertRegex(cursor, r"^Step \d+, epoch \d+: ")
        self.assertEqual(self.browser.complaints, [])
        return len(visited)

    def press(self, key, shift="false"):
        return self.browser.evaluate(PRESS.format(key, shift))

    def test_a_race_is_two_accesses_without_a_barrier_between(self):
        self.open_report("check", ["./rotate"])
        self.assertEqual(self.text("#verdict"), "1 error")
        self.assertEqual(self.text(".error summary"), "error: race-shared in launch 1, rotate")
        self.assertIn("no barrier between", self.text("#finding-1 figure svg"))
        self.assertEqual(self.browser.evaluate(STATES), ["exited", "runs", "waits"])
        self.assertIn("lane 31 of warp 3): load of s[0], reads 0, rotate.cu:15", self.text("#cursor"))
        self.browser.evaluate('document.querySelector(".links a:nth-child(2)").click()')
        self.browser.evaluate("new Promise((done) => setTimeout(done))")
        self.assertIn("lane 0 of warp 0): store of s[0], rotate.cu:13", self.text("#cursor"))
        self.assertEqual(self.browser.evaluate('document.querySelector("tr.here").dataset.line'), "13")
        self.assertEqual(self.browser.evaluate("""[...document.querySelectorAll("#shared-view text")].filter((text) =>
            text.textContent.startsWith("!")).length"""), 1)
        self.assertGreater(self.click_every_link(), 30)

    def test_keys_move_the_cursor(self):
        self.open_report("check", ["./rotate"])
        first = self.press("Home")[0]
        step, thread, focus = self.press("ArrowRight")
        self.assertEqual((step, focus), (first + 1, "lanes-box"))
        self.assertEqual(self.press("ArrowLeft")[0], first)
        self.assertEqual(self.press("ArrowDown")[1], thread + 1)
        self.assertEqual(self.press("ArrowUp")[1], thread)
        self.press("PageDown")
        self.assertIn("epoch 1", self.text("#cursor"))
        step, thread, _ = self.press("ArrowRight", "true")
        self.assertIn(f"Step {step}, epoch 1: thread ({thread},0,0)", self.text("#cursor"))
        self.press("End")
        self.assertIn("epoch 3", self.text("#cursor"))
        self.assertEqual(self.browser.complaints, [])

    def test_those_who_wait_point_at_those_who_have_exited(self):
        self.open_report("check", ["./app"], "--", "half")
        self.assertEqual(self.text(".error summary"), "error: barrier-divergence in launch 4, half")
        self.assertEqual(self.browser.evaluate('document.querySelectorAll("#finding-1 path[marker-end]").length'), 2)
        self.assertIn("waits", self.browser.evaluate(STATES))
        self.click_every_link()

    def test_a_deadlock_is_a_circle_of_spinning_threads(self):
        self.open_report("check", ["./app"], "--", "both", "locks")
        self.assertEqual(self.text(".error summary"), "error: deadlock in launch 4, both")
        self.assertIn("The arrows close a circle", self.text("#finding-1 figcaption"))
        self.assertIn("spins", self.browser.evaluate(STATES))
        self.assertIn("The block never ended", self.text("#lanes-view"))
        self.click_every_link()

    def test_an_arrow_goes_to_the_threads_that_are_awaited(self):
        """Threads 1 to 63 wait for thread 0, whose box is in the same column; that one waits for a value."""
        self.open_report("check", ["led.cu"])
        self.assertEqual(self.text(".error summary"), "error: deadlock in launch 1, led")
        arrows = self.browser.evaluate(
            '[...document.querySelectorAll("#finding-1 path[marker-end]")].map((path) => path.getAttribute("d"))')
        self.assertEqual(sorted(" C" in arrow for arrow in arrows), [False, True])
        self.assertIn("for thread 0 of their block", self.text("#finding-1 figure svg"))
        self.assertIn("waits for out[0] to change", self.text("#finding-1 figure svg"))

    def test_a_program_that_aborts_after_a_failure_leaves_a_page(self):
        self.open_report("check", ["./app"], "--", "both", "locks", "abort")
        self.assertEqual(self.text(".error summary"), "error: deadlock in launch 4, both")

    def test_a_link_to_a_line_moves_to_its_next_event(self):
        self.open_report("check", ["./rotate"])
        self.browser.evaluate("""document.querySelector('tr[data-line="17"] a').click()""")
        self.browser.evaluate("new Promise((done) => setTimeout(done))")
        self.assertRegex(self.text("#cursor"), r"epoch 3: .*store of .*rotate.cu:17")
        self.assertEqual(self.browser.evaluate('document.querySelectorAll("#lane-table tbody tr").length'), 32)

    def test_a_run_without_findings_shows_accesses_and_lanes(self):
        self.open_report("check", ["./app"])
        self.assertEqual(self.text("#verdict"), "Nothing found")
        self.open_report("profile", ["app.cu"])
        self.assertIn("memory accesses were not checked", self.text("#verdict"))
        self.browser.evaluate("goTo({launch: 2, block: 2, step: 0})")
        self.press("PageDown")
        self.browser.evaluate("goTo({line: %d, file: fileToShow(launchOf(2)), instruction: -1})" % LINE_OF_LOAD)
        self.assertIn("Block (2,0,0), ", self.text("#lanes-view figcaption"))
        self.assertEqual(self.browser.evaluate('document.querySelectorAll("#lane-table tbody tr").length'), 32)
        self.assertIn("part[32]", self.text("#lane-table"))
        self.assertIn("0.5", self.text("#lane-table"))
        self.assertIn("3 blocks of the grid", self.text("#slots-view figcaption"))
        self.click_every_link()

    def test_a_program_without_hooks_has_barriers_only(self):
        self.open_report("run", ["app.cu"])
        self.assertIn("not checked", self.text("#verdict"))
        self.assertEqual(self.browser.evaluate(STATES), ["exited", "unknown"])
        self.assertIn("checked programs only", self.text("#no-access"))
        self.click_every_link()

    def watch(self, *expressions):
        return [word for expression in expressions for word in ("--watch", expression)]

    def test_watched_expressions_have_a_value_for_each_lane_and_epoch(self):
        node = "nodes[threadIdx.x % 4]"
        for subcommand in ("run", "check", "profile"):
            self.open_report(subcommand, ["watched.cu"], *self.watch(
                "part[threadIdx.y][threadIdx.x]", f"{node}.children[2]", f"{node}.next->bits", f"{node}.w", f"(*{node}.next).w",
                "counter; total", "derived[threadIdx.y].weight", "derived[1].tag", "*(data + threadIdx.x*blockDim.y)",
                "data[threadIdx.x * 1000]", "data[1 / threadIdx.x]", f"{node}.next"))
            self.assertEqual(self.browser.complaints, [])
            self.browser.evaluate("goTo({launch: 1, block: 0, step: 0, thread: 33})")
            part = self.table("part[threadIdx.y][threadIdx.x]")
            self.assertEqual([re.sub("▶ ", "", head) for head in part[0]],
                             ["lane", "threadIdx", "epoch 0watched.cu:12", "epoch 1watched.cu:18", "epoch 2end of the block"])
            self.assertEqual(part[2], ["1", "(1,1,0)", "0", "* 3", "3"])
            self.assertEqual(self.column(f"{node}.children[2]", 3)[:4], ["* -1", "* -2", "* -3", "* -4"])
            self.assertEqual(self.column(f"{node}.next->bits", 3)[:4], ["null pointer", "* 0", "* 1056964608", "* 1065353216"])
            self.assertEqual(self.column(f"(*{node}.next).w", 3)[1:4], ["* 0", "* 0.5", "* 1"])
            self.assertEqual(self.column(f"{node}.next", 3)[0], "null")
            self.assertRegex(self.column(f"{node}.next", 3)[1], r"^\* 0x[0-9a-f]+$")
            self.assertEqual(self.table("counter")[1], ["all threads", "5", "5", "* 6"])
            self.assertEqual(self.table("total")[1], ["all threads", "0", "0", "* -7"])
            self.assertEqual(self.column("derived[threadIdx.y].weight", 2)[0], "-0.25")
            self.assertEqual(self.table("derived[1].tag")[1][1], "200")
            self.assertEqual(self.column("*(data + threadIdx.x*blockDim.y)", 4)[:2], ["* 6", "* 6"])
            self.assertEqual(self.column("data[threadIdx.x * 1000]", 2)[:3], ["0", "0", "no object there"])
            self.assertEqual(self.column("data[1 / threadIdx.x]", 2)[:2], ["division by 0", "0"])

    def open_watched(self, expressions, *arguments, **variables):
        """The page of a program that is built once."""
        if not (self.folder / "watched").exists():
            self.assertEqual(self.run_command("nvcc", "-g", "watched.cu", "-o", "watched").returncode, 0)
        page = self.folder / "watched.html"
        environment = {**os.environ, "WARPFIBER_REPORT": str(page), "WARPFIBER_WATCH": expressions, **variables}
        done = subprocess.run(["./watched", *arguments], cwd=self.folder, capture_output=True, text=True, env=environment)
        self.look_at(page)
        return done

    def test_a_shared_variable_is_that_of_the_kernel(self):
        self.open_watched("part[threadIdx.x]; part[threadIdx.y][0]")
        self.browser.evaluate("goTo({launch: 2, block: 0, step: 0, thread: 0})")
        self.assertEqual(self.column("part[threadIdx.x]", 2), ["0", "0.5", "1", "1.5"])
        self.assertIn("Not read: part[threadIdx.y] is neither a pointer nor an array.", self.text("#watched-view"))

    def test_dynamic_shared_memory_is_watched_by_its_declaration(self):
        done = self.open_watched("pool[threadIdx.x].key; pool[threadIdx.x + 2].key")
        self.assertEqual(done.stderr, "")
        self.browser.evaluate("goTo({launch: 3, block: 0, step: 0, thread: 0})")
        self.assertEqual(self.column("pool[threadIdx.x].key", 2), ["0", "10", "20", "30"])
        self.assertEqual(self.column("pool[threadIdx.x + 2].key", 2), ["20", "30", "no object there", "no object there"])

    def test_the_cursor_is_shared_with_watched_expressions(self):
        self.open_watched("part[threadIdx.y][threadIdx.x]")
        self.browser.evaluate("goTo({launch: 1, block: 0, step: 0, thread: 0})")
        heads = 'document.querySelectorAll("#watched-view th a")'
        self.browser.evaluate(f"{heads}[1].click()")
        self.browser.evaluate("new Promise((done) => setTimeout(done))")
        self.assertIn("epoch 1: all threads of the block have met", self.text("#cursor"))
        self.assertEqual(self.browser.evaluate(f"[...{heads}].map((link) => link.textContent)"), ["epoch 0", "▶ epoch 1", "epoch 2"])
        self.browser.evaluate("""document.querySelector('#watched-view button[aria-label="next warp"]').click()""")
        self.assertEqual(self.browser.evaluate("place.thread"), 32)
        self.assertEqual(self.table("part[threadIdx.y][threadIdx.x]")[1][1], "(0,1,0)")
        self.click_every_link()

    def test_an_expression_that_no_launch_could_read_says_why(self):
        done = self.open_watched("local; part; nodes[0]; nodes[0].missing; nodes[0].flag; nodes.key; untyped[0]; "
                                 "data[derived[0].weight]; n.x; threadIdx.w; data[0]")
        for line in ("local: no launch could read it: nothing that scan can reach is called local: it is none of its parameters "
                     "(data, n, nodes, untyped), no __shared__, __device__, __constant__ or __managed__ variable. Local variables "
                     "are not kept: `warpfiber gdb` shows them",
                     "part: no launch could read it: part is an array: name one of its elements, such as part[threadIdx.x]",
                     "nodes[0]: no launch could read it: nodes[0] is a structure: name one of its members: key, children, next, w, "
                     "bits, flag",
                     "nodes[0].missing: no launch could read it: nodes[0] has no member missing; it has key",
                     "nodes[0].flag is a bit-field, which is not read", "nodes is a pointer: write nodes->key",
                     "what untyped points to has no type that is known", "derived[0].weight is no integer",
                     "n is no structure and has no member x", "threadIdx has no member w; it has x, y, z"):
            self.assertIn(line, done.stderr)
        self.assertNotIn("data[0]: no launch", done.stderr)

    def test_wrong_options_for_watched_expressions(self):
        done = self.run_command("run", "--watch", "a[", "--report", "r.html", "watched.cu")
        self.assertEqual(done.returncode, 2)
        self.assertIn('--watch a[: "a[": a name or a number is missing', done.stderr)
        for subcommand in ("run", "check", "profile"):
            done = self.run_command(subcommand, "--watch", "a", "watched.cu")
            self.assertEqual(done.returncode, 2)
            self.assertIn("--watch needs --report FILE", done.stderr)
        self.assertEqual(self.run_command("nvcc", "watched.cu", "-o", "plain").returncode, 0)
        variables = ["env", "WARPFIBER_WATCH=counter;scale["]
        done = subprocess.run([*variables, "./plain"], cwd=self.folder, capture_output=True, text=True)
        self.assertIn('WARPFIBER_WATCH=counter;scale[ is ignored: "scale[": a name', done.stderr)
        variables = ["env", "WARPFIBER_WATCH=counter"]
        done = subprocess.run([*variables, "./plain"], cwd=self.folder, capture_output=True, text=True)
        self.assertIn("which is not set", done.stderr)
        done = subprocess.run([*variables, "WARPFIBER_REPORT=plain.html", "./plain"], cwd=self.folder, capture_output=True, text=True)
        self.assertIn("the type of counter is not known: build the program with debug information (-g)", done.stderr)

    def test_a_launch_that_never_ends_has_values_of_its_end(self):
        self.assertIn("bad-mask", self.open_watched("data[threadIdx.x]", "waits").stderr)
        self.assertEqual(self.table("data[threadIdx.x]")[0][2][-17:], "end of the launch")
        self.assertEqual(set(self.column("data[threadIdx.x]", 2)), {"77"})

    def test_values_of_many_epochs_are_bounded(self):
        self.open_watched("data[threadIdx.x]", "busy")
        self.assertIn("The values of 37 later epochs are left out", self.text("#watched-view figcaption"))
        self.browser.evaluate("goTo({step: 0})")
        self.assertEqual(self.column("data[threadIdx.x]", 3)[0], "* 2")

    def test_each_device_has_variables_of_its_own(self):
        done = self.open_watched("counter", "on", "1", WARPFIBER_DEVICES="2")
        self.assertIn("device 1 has no counter before a kernel on it has used it", self.text("#watched-view"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.browser.evaluate("goTo({launch: 4, block: 0, step: 0, thread: 0})")
        self.assertEqual(self.table("counter")[1], ["all threads", "6", "6", "* 7"])

    def test_a_program_writes_a_report_without_a_command(self):
        self.assertEqual(self.run_command("nvcc", "app.cu", "-o", "unchecked").returncode, 0)
        subprocess.run(["env", "WARPFIBER_REPORT=of-%p.html", "./unchecked"], cwd=self.folder, check=True)
        self.assertEqual(len(list(self.folder.glob("of-*.html"))), 1)
        done = self.run_command("run", "--report", "nowhere/r.html", "app.cu")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nowhere/r.html: no report was written", done.stderr)


unittest.main()

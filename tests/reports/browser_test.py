# SPDX-License-Identifier: Apache-2.0
"""Pages about runs in a headless browser: browser_test.py WARPFIBER EXAMPLES"""
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
        shutil.copy(EXAMPLES / "rotate.cu", cls.folder)
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
        self.open_report("check", ["rotate.cu"])
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
        self.open_report("check", ["rotate.cu"])
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
        self.open_report("check", ["app.cu"], "--", "half")
        self.assertEqual(self.text(".error summary"), "error: barrier-divergence in launch 4, half")
        self.assertEqual(self.browser.evaluate('document.querySelectorAll("#finding-1 path[marker-end]").length'), 2)
        self.assertIn("waits", self.browser.evaluate(STATES))
        self.click_every_link()

    def test_a_deadlock_is_a_circle_of_spinning_threads(self):
        self.open_report("check", ["app.cu"], "--", "both", "locks")
        self.assertEqual(self.text(".error summary"), "error: deadlock in launch 4, both")
        self.assertIn("The arrows close a circle", self.text("#finding-1 figcaption"))
        self.assertIn("spins", self.browser.evaluate(STATES))
        self.assertIn("The block never ended", self.text("#lanes-view"))
        self.click_every_link()

    def test_a_program_that_aborts_after_a_failure_leaves_a_page(self):
        self.open_report("check", ["app.cu"], "--", "both", "locks", "abort")
        self.assertEqual(self.text(".error summary"), "error: deadlock in launch 4, both")

    def test_a_link_to_a_line_moves_to_its_next_event(self):
        self.open_report("check", ["rotate.cu"])
        self.browser.evaluate("""document.querySelector('tr[data-line="17"] a').click()""")
        self.browser.evaluate("new Promise((done) => setTimeout(done))")
        self.assertRegex(self.text("#cursor"), r"epoch 3: .*store of .*rotate.cu:17")
        self.assertEqual(self.browser.evaluate('document.querySelectorAll("#lane-table tbody tr").length'), 32)

    def test_a_run_without_findings_shows_accesses_and_lanes(self):
        self.open_report("check", ["app.cu"])
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

    def test_a_program_writes_a_report_without_a_command(self):
        self.assertEqual(self.run_command("nvcc", "app.cu", "-o", "app").returncode, 0)
        subprocess.run(["env", "WARPFIBER_REPORT=of-%p.html", "./app"], cwd=self.folder, check=True)
        self.assertEqual(len(list(self.folder.glob("of-*.html"))), 1)
        done = self.run_command("run", "--report", "nowhere/r.html", "app.cu")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nowhere/r.html: no report was written", done.stderr)


unittest.main()

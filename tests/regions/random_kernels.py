# SPDX-License-Identifier: Apache-2.0
"""Random kernels with barriers and collectives of warps, as CUDA text: random_kernels.text(seeds).

A kernel is free of races and ends, by its construction. A statement is drawn for who executes it: all threads of the
block that have not returned ("block"), whole warps ("warp"), or any threads ("lane"). Only the first may meet at barriers,
the first two in full-mask collectives. A condition or bound has the name of the widest group that agrees on it.
"""
import random

WORDS = 1 << 14
THREADS = (1, 32, 32, 33, 64, 64, 64, 96, 96, 100, 128, 128, 160, 256, 256, 1000, 1024)
OPERATORS = ("+", "-", "*", "^", "|", "&")


PROLOGUE = """#include "results.h"

struct Pair {
  unsigned low;
  double high;
};

__device__ unsigned f_bits(float f) { return __float_as_uint(f); }

__device__ Pair mixed(Pair a, unsigned b) {
  a.low = a.low * 31 + (b ^ static_cast<unsigned>(a.high));
  a.high = a.high * 0.25 + b / 3.0;
  return a;
}

__device__ unsigned bits_of(unsigned long long w, const Pair& pair) {
  return static_cast<unsigned>(w >> 11) ^ pair.low ^ static_cast<unsigned>(__double_as_longlong(pair.high) >> 9);
}
"""


class Drawing:
    """The text of one kernel, and of the functions that it calls."""

    def __init__(self, seed, mistakes):
        self.random = random.Random(seed)
        self.mistakes = mistakes
        self.name = f"kernel_{seed}"
        self.lines = []
        self.depth = 1
        self.names = 0
        self.left = self.random.randint(6, 26)  # statements
        self.functions = []
        self.in_function = False
        self.uniforms = ["u0", "u1"]
        self.loops = []  # of the statement at hand: the group that goes round together
        self.threads = self.random.choice(THREADS)
        self.blocks = self.random.randint(1, 4)
        self.may_leave = False  # threads may have returned before the next statement
        self.has_warps = self.threads % 32 == 0
        self.rows = self.random.choice([1, 1, 1, *(rows for rows in (2, 4, 8, 10) if self.threads % rows == 0)])

    def write(self, line):
        self.lines.append("  " * self.depth + line)

    def write_places(self):
        self.write("const unsigned n = blockDim.x * blockDim.y;")
        self.write("const unsigned t = threadIdx.y * blockDim.x + threadIdx.x;")

    def fresh(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def block(self):
        return self.threads if self.rows == 1 else f"dim3({self.threads // self.rows}, {self.rows})"

    def chance(self, per_cent):
        return self.random.randrange(100) < per_cent

    def pick(self, *choices):
        return self.random.choice(choices)

    # Expressions.

    def value(self):
        return self.pick("v0", "v1", "v2", "t", self.uniform(), "p[v0 % 8]", f"p[{self.random.randrange(8)}]",
                         f"{self.random.randrange(1, 1 << 16)}u", f"in[(gid + v1) % {WORDS}u]", "lane", "f_bits(f0)", "pair.low", "static_cast<unsigned>(w0 >> 20)")

    def expression(self):
        kind = self.random.randrange(10)
        if kind < 6:
            return f"{self.value()} {self.pick(*OPERATORS)} {self.value()}"
        if kind == 6:
            return f"({self.value()} >> {self.random.randrange(1, 17)}) + {self.value()}"
        if kind == 7:
            return f"{self.value()} / ({self.value()} | 1u)"
        if kind == 8:
            return f"({self.value()} < {self.value()} ? {self.value()} : {self.value()})"
        return f"__popc({self.value()}) + {self.pick('min', 'max')}(v0, v2)"

    def uniform(self):
        return self.random.choice(self.uniforms)

    def condition(self, group):
        if group == "block":
            return self.pick(f"({self.uniform()} + {self.random.randrange(9)}u) % {self.random.randint(2, 4)} != 0",
                             f"in[blockIdx.x * 7 + {self.random.randrange(200)}u] & {self.pick(1, 2, 4)}u",
                             "t < 2048u", "n > 50u", f"u0 > {self.random.randrange(1 << 32)}u")
        if group == "warp":
            return self.pick(f"warp < {self.random.randint(1, 3)}u", "warp % 2 == 0",
                             f"in[warp + {self.random.randrange(200)}u] & 1u", self.condition("block"))
        return self.pick(f"{self.pick('v0', 'v1', 'v2')} % {self.random.randint(2, 5)} == 0",
                         f"t < {self.random.randint(1, self.threads)}u", "(v0 ^ v1) & 4u", "lane >= 16u",
                         f"t == {self.random.randrange(self.threads)}u", "v0 < v2", self.condition("warp"))

    def bound(self, group):
        if group == "block":
            return self.pick(f"{self.random.randint(1, 4)}u", f"{self.uniform()} % {self.random.randint(2, 5)}u",
                             f"in[blockIdx.x + {self.random.randrange(99)}u] % 5u")
        if group == "warp":
            return self.pick(f"in[warp + {self.random.randrange(99)}u] % 4u", "warp % 4u", self.bound("block"))
        return self.pick(f"{self.pick('v0', 'v1', 'v2')} % {self.random.randint(2, 7)}u", "t % 4u", self.bound("block"))

    # Statements that no other thread has to do with.

    def arithmetic(self):
        kind = self.random.randrange(10)
        if kind < 5:
            self.write(f"{self.pick('v0', 'v1', 'v2')} {self.pick('=', '+=', '^=')} {self.expression()};")
        elif kind == 5:
            self.write(f"p[{self.pick('v0', 'v1', 't', self.uniform())} % 8] += {self.value()};")
        elif kind == 6:
            self.write("f0 = f0 * 0.25f + f1 * static_cast<float>(v0 & 1023u);")
        elif kind == 7:
            self.write(f"w0 = w0 * 0x5851f42d4c957f2dull + {self.value()};")
        elif kind == 8:
            self.write(f"pair = mixed(pair, {self.value()});")
        else:
            self.write("f1 = sqrtf(static_cast<float>(v1 & 0xffffu)) / (f0 * f0 + 1.5f) + f1 * 0.5f;")

    def store(self):
        self.write(f"out[gid] {self.pick('+=', '^=')} {self.value()};")

    def atomic(self):
        self.write(f"atomicAdd(&bins[{self.pick('v0', 'v1', 't')} % 16], {self.value()});")

    # Statements in which threads meet.

    def barrier(self):
        self.write("__syncthreads();")

    def place(self):
        return self.pick(f"(t + {self.random.randint(1, 40)}u) % n", "n - 1 - t", "(t ^ 1u) % n", "v1 % n", "(t * 5u) % n",
                         f"{self.uniform()} % n", "t / 2")

    def exchange(self):
        mine, other = self.random.sample(("s0", "s1"), 2)
        self.write(f"{mine}[t] = {self.pick('v0', 'v1', 'v2', self.expression())};")
        self.barrier()
        self.write(f"{self.pick('v0', 'v1', 'v2')} {self.pick('=', '+=', '^=')} {mine}[{self.place()}];")
        if self.chance(30):  # a barrier fewer: the other array in between
            self.write(f"{other}[t] = {self.expression()};")
            self.barrier()
            self.write(f"v2 += {other}[{self.place()}];")
        self.barrier()

    def tree(self):
        distance = self.fresh("d")
        self.write("s0[t] = v0;")
        self.barrier()
        self.write(f"for (unsigned {distance} = 512; {distance} > 0; {distance} {self.pick('/= 2', '>>= 1')}) {{")
        self.write(f"  if (t < {distance} && t + {distance} < n) s0[t] {self.pick('+=', '^=')} s0[t + {distance}];")
        self.write("  __syncthreads();")
        self.write("}")
        self.write("v1 ^= s0[0];")
        self.barrier()

    def counted(self):
        self.barrier()
        self.write(f"v{self.random.randrange(3)} += bins[{self.pick('t % 16', 'v0 % 16', '3')}];")
        self.barrier()

    def block_vote(self):
        vote = self.pick("__syncthreads_count", "__syncthreads_and", "__syncthreads_or")
        self.write(f"v{self.random.randrange(3)} += 3 * {vote}({self.condition('lane')});")

    def call(self):
        if not self.functions or self.chance(50) and len(self.functions) < 3:
            self.functions.append(self.draw_function())
        function = self.random.choice(self.functions)
        self.write(f"v{self.random.randrange(3)} ^= {function[0]}(in, s0, s1, bins, {self.value()}, {self.uniform()});")

    def collective(self):
        to = self.pick("v0", "v1", "v2")
        sent = self.pick("v0", "v1", "v2", "t")
        width = self.pick("", "", "", ", 16", ", 8", ", 4")
        source = self.pick(f"{self.random.randrange(32)}", "v1 % 32", "lane ^ 3", "t * 3 + 1")
        kind = self.random.randrange(15)
        shuffles = {
            0: f"__shfl_sync(kFull, {sent}, {source}{width})",
            1: f"__shfl_up_sync(kFull, {sent}, {self.random.randrange(1, 20)}{width})",
            2: f"__shfl_down_sync(kFull, {sent}, {self.random.randrange(1, 20)}{width})",
            3: f"__shfl_xor_sync(kFull, {sent}, {self.random.randrange(1, 32)}{width})",
            4: f"__ballot_sync(kFull, {self.condition('lane')})",
            5: f"__any_sync(kFull, {self.condition('lane')}) + 2 * __all_sync(kFull, {self.condition('lane')})",
            6: f"__match_any_sync(kFull, {sent} % 5)",
            7: f"__reduce_{self.pick('add', 'min', 'max', 'and', 'or', 'xor')}_sync(kFull, {sent})",
            8: f"__reduce_{self.pick('min', 'max', 'add')}_sync(kFull, static_cast<int>({sent}))",
            9: f"__shfl_xor_sync(kFull, {sent} * 0x100000003ull, {self.random.randrange(1, 32)}) >> 13",
            10: f"static_cast<unsigned>(__shfl_down_sync(kFull, pair.high, {self.random.randrange(1, 20)}))",
        }
        if kind in shuffles:
            self.write(f"{to} {self.pick('=', '+=', '^=')} {shuffles[kind]};")
        elif kind == 11:
            self.write(f"f0 += 0.5f * __shfl_down_sync(kFull, f1, {self.random.randrange(1, 20)}{width});")
        elif kind == 12:
            self.write("__syncwarp();")
        else:
            step = self.fresh("d")
            self.write(f"for (int {step} = 16; {step} > 0; {step} /= 2)")
            self.write(f"  {to} {self.pick('+=', '^=')} __shfl_{self.pick('xor', 'down', 'up')}_sync(kFull, {to}, {step});")

    # Statements that hold others.

    def body(self, group, most):
        self.depth += 1
        for _ in range(self.random.randint(1, most)):
            self.statement(group)
        self.depth -= 1

    def narrower(self, group):
        groups = ("block", "warp", "lane")
        return self.random.choice(groups[groups.index(group):])

    def branch(self, group):
        inner = self.narrower(group)
        self.write(f"if ({self.condition(inner)}) {{")
        loops, self.loops = self.loops, [*self.loops, ("branch", inner)]
        self.body(inner, 3)
        if self.chance(40):
            self.write("} else {")
            self.body(inner, 3)
        self.loops = loops
        self.write("}")

    def switch(self, group):
        inner = self.pick(group, "lane")
        what = {"block": self.uniform(), "warp": "warp", "lane": self.pick("v0", "v1", "t")}[inner]
        self.write(f"switch ({what} % 4) {{")
        loops, self.loops = self.loops, []
        self.depth += 1
        for case in self.random.sample(range(4), self.random.randint(1, 3)):
            self.write(f"case {case}: {{")
            self.body(inner, 2)
            self.write("}")
            if self.chance(70):
                self.write("break;")
            else:
                self.write("[[fallthrough]];")
        self.write("default: v0 += 1;")
        self.depth -= 1
        self.loops = loops
        self.write("}")

    def loop(self, group):
        inner = self.narrower(group)
        i = self.fresh("i")
        loops, self.loops = self.loops, [("loop", inner)]
        uniforms = list(self.uniforms)
        kind = self.random.randrange(5)
        if kind == 0 and inner == "block" and not self.in_function:
            self.write(f"unsigned {i} = 0;")
            self.write("do {")
            self.body(inner, 3)
            again = self.pick(f"__syncthreads_or({self.condition('lane')})", self.condition("block"))
            self.write(f"}} while (++{i} < 4 && {again});")
        elif kind == 1 and inner != "lane" and self.has_warps and not self.may_leave:
            self.write(f"for (unsigned {i} = 0; {i} < 4 && __any_sync(kFull, {self.condition('lane')}); ++{i}) {{")
            self.loops = [("loop", "warp")]
            self.body("warp", 3)
            self.write("}")
        elif kind == 2:  # as often for each, from a place of its own
            self.write(f"for (unsigned {i} = t; {i} < t + {self.bound(inner)}; ++{i}) {{")
            self.body(inner, 3)
            self.write("}")
        else:
            self.write(f"for (unsigned {i} = 0; {i} < {self.bound_kept(inner)}; ++{i}) {{")
            if inner == "block":
                self.uniforms.append(i)
            self.body(inner, 4)
            self.write("}")
        self.loops = loops
        self.uniforms = uniforms

    def bound_kept(self, group):
        """A bound that the body does not change."""
        bound = self.bound(group)
        if "v" not in bound:
            return bound
        kept = self.fresh("b")
        self.write(f"const unsigned {kept} = {bound};")
        return kept

    def leave(self):
        """break or continue of the loop around, of all that go round together or of those that a branch has chosen."""
        group = self.loops[0][1]
        inside = self.loops[-1][1]
        if group != "lane" and inside != group:
            return  # those that stay would wait for those that have left
        self.write(f"if ({self.condition(group)}) {self.pick('break', 'continue')};")

    def returning(self):
        self.may_leave = True
        condition = self.condition(self.pick("lane", "lane", "warp", "block"))
        if self.in_function:
            self.write(f"if ({self.condition('block')}) return v0 ^ v1;")
        else:
            self.write(f"if ({condition}) {{")
            self.write("  out[gid] += v0 + 3 * v1 + f_bits(f0);")
            self.write("  return;")
            self.write("}")

    def statement(self, group):
        if self.left <= 0:
            return self.arithmetic()
        self.left -= 1
        if self.mistakes and self.chance(12):  # threads may wait for each other for ever
            return self.random.choice((self.barrier, self.collective))()
        alone = [self.arithmetic, self.arithmetic, self.arithmetic, self.store, self.atomic]
        choices = alone + [lambda: self.branch(group), lambda: self.switch(group), lambda: self.loop(group)] * 2
        if self.loops and self.loops[0][0] == "loop":
            choices += [self.leave, self.leave]
        if group == "block":
            choices += [self.barrier, self.exchange, self.exchange, self.exchange, self.tree, self.counted, self.block_vote]
            if not self.in_function:
                choices += [self.call, self.call]
            if self.chance(20):
                choices += [self.returning]
        if group != "lane" and self.has_warps and not self.may_leave:
            choices += [self.collective] * 6
        if self.in_function:
            choices = [choice for choice in choices if choice != self.store]
        return self.random.choice(choices)()

    def draw_function(self):
        name = f"{self.name}_f{len(self.functions)}"
        kept = self.lines, self.depth, self.loops, self.uniforms, self.in_function, self.left, self.may_leave
        self.lines, self.depth, self.loops, self.uniforms, self.in_function = [], 1, [], ["u0", "u1"], True
        self.left = self.random.randint(2, 6)
        self.write_places()
        self.write("const unsigned gid = blockIdx.x * n + t;")
        self.write("[[maybe_unused]] const unsigned lane = t % 32;")
        self.write("[[maybe_unused]] const unsigned warp = t / 32;")
        self.write("const unsigned u1 = in[blockIdx.x + 9];")
        self.write("unsigned v1 = in[gid], v2 = t * u0, p[8] = {v0, v1, v2, t};")
        self.write("float f0 = static_cast<float>(v0 & 255u), f1 = 2.0f;")
        self.write("unsigned long long w0 = v0 * 77777777ull;")
        self.write("Pair pair = {v1, 0.5};")
        while self.left > 0:
            self.statement("block")
        self.write("return v0 + v1 * 3 + v2 * 5 + p[t % 8] + f_bits(f0 + f1) + bits_of(w0, pair);")
        body = self.lines
        self.lines, self.depth, self.loops, self.uniforms, self.in_function, self.left, self.may_leave = kept
        parameters = "const unsigned* in, unsigned* s0, unsigned* s1, unsigned* bins, unsigned v0, unsigned u0"
        return name, [f"__device__ unsigned {name}({parameters}) {{", *body, "}"]

    def draw(self):
        self.write("__shared__ unsigned s0[1024], s1[1024], bins[16];")
        self.write_places()
        self.write("const unsigned gid = blockIdx.x * n + t;")
        self.write("[[maybe_unused]] const unsigned lane = t % 32;")
        self.write("[[maybe_unused]] const unsigned warp = t / 32;")
        self.write("const unsigned u0 = in[blockIdx.x], u1 = in[blockIdx.x + 100] >> 5;")
        self.write("unsigned v0 = in[gid], v1 = in[gid + 1000] ^ t, v2 = u1 + t, p[8] = {v0, v1, v2, t, u0};")
        self.write("float f0 = static_cast<float>(v0 >> 16), f1 = 1.25f;")
        self.write("unsigned long long w0 = v0;")
        self.write("Pair pair = {v2, v1 * 0.125};")
        self.write("s0[t] = v0; s1[t] = v1; if (t < 16) bins[t] = t;")
        if self.threads < 16:
            self.write("for (unsigned i = t; i < 16; ++i) bins[i] = i;")
        self.barrier()
        while self.left > 0:
            self.statement("block")
        self.write("out[gid] += v0 + v1 * 3 + v2 * 5 + p[t % 8] * 7 + f_bits(f0) + 11 * f_bits(f1) + bits_of(w0, pair);")
        text = []
        for _, lines in self.functions:
            text += [*lines, ""]
        return [*text, f"__global__ void {self.name}(const unsigned* in, unsigned* out) {{", *self.lines, "}", ""]


def text(seeds, mistakes=False):
    """A program of the kernels of these seeds; results.h runs them and prints a line for each.

    With `mistakes`, some barriers and collectives are where not all threads that take part come.
    """
    lines = [PROLOGUE]
    table = []
    for seed in seeds:
        drawing = Drawing(seed, mistakes)
        lines += drawing.draw()
        table.append(f'    {{"{drawing.name}", {drawing.name}, {drawing.blocks}, {drawing.block()}, 0}},')
    return "\n".join([*lines, "const Test kTests[] = {", *table, "};", "", "int main() { return run_all(kTests); }", ""])

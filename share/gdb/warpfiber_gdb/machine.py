# SPDX-License-Identifier: Apache-2.0
"""The machine at a stop: kernels, blocks and threads. Objects are made anew after each stop."""
import functools
import os
import struct

import gdb

from .memory import TABLE, VARIABLES, read, text, triple, u8, u64
from .names import linear, shown, symbol_at, unlinear

def each_in_list(address, fibers):
    """The fibers of a detail::WaitList. Where a launch ends they are put aside, and lists may lead in a circle."""
    tail = TABLE.pointer(address, "list.tail")
    if tail == address + TABLE["list.head"]:
        return
    fiber = TABLE.pointer(address, "list.head")
    for _ in range(len(fibers)):
        if fiber not in fibers:
            return
        yield fiber
        if tail == fiber + TABLE["fiber.next"]:
            return
        fiber = fibers[fiber].next


def vector(address, size=8):
    """The addresses of the elements of a std::vector."""
    first, last = struct.unpack("<2Q", read(address, 16))
    return range(first, last, size)


class Fiber:
    MEMBERS = {"stack_pointer": "Q", "resume": "Q", "frame_pointer": "Q", "next": "Q", "warp": "Q", "more": "Q", "lane": "I"}

    def __init__(self, address, members):
        self.address = address
        self.__dict__.update(members)

    @classmethod
    def read_all(cls, address, count):
        """`count` of them that lie one after another: there may be many thousands."""
        names = sorted(cls.MEMBERS, key=lambda name: TABLE["fiber." + name])
        form, end = "<", 0
        for name in names:
            form += "%dx%s" % (TABLE["fiber." + name] - end, cls.MEMBERS[name])
            end = TABLE["fiber." + name] + struct.calcsize(cls.MEMBERS[name])
        size = TABLE["fiber.size"]
        rows = struct.iter_unpack("%s%dx" % (form, size - end), read(address, count * size)) if count else ()
        return [cls(address + i * size, zip(names, row)) for i, row in enumerate(rows)]

    def registers(self):
        """Those with which a thread that waits goes on."""
        if not TABLE["constant.portable_switch"]:
            return {"rip": self.resume, "rsp": self.stack_pointer, "rbp": self.frame_pointer}
        # What Boost.Context's jump_fcontext keeps on the stack (x86-64, System V).
        names = ("r12", "r13", "r14", "r15", "rbx", "rbp", "rip")
        kept = dict(zip(names, struct.unpack("<7Q", read(self.stack_pointer + 8, 56))))
        kept["rsp"] = self.stack_pointer + 64
        return kept


class Worker:
    """What runs threads of kernels on one OS thread."""

    def __init__(self, address, os_thread):
        self.address = address
        self.os_thread = os_thread
        self.fibers = {}
        for fibers, count in self.slabs():
            self.fibers.update((fiber.address, fiber) for fiber in Fiber.read_all(fibers, count))
        self.running, self.running_block = self.read_running()

    @functools.cached_property
    def fibers_of_warps(self):
        """{address of a warp: fibers of its threads that have waited}"""
        found = {}
        for fiber in self.fibers.values():
            found.setdefault(fiber.warp, []).append(fiber)
        return found

    def slabs(self):
        stacks = self.address + TABLE["worker.stacks"]
        slabs = vector(stacks + TABLE["slabs.slabs"], TABLE["slab.size"])
        for slab in slabs:
            yield TABLE.pointer(slab, "slab.fibers"), TABLE.pointer(slab, "slab.prepared")

    def read_running(self):
        """The fiber that runs, and its block; none where the worker's own stack does."""
        if self.os_thread is None:
            return None, 0
        current = VARIABLES.address(self.os_thread, "warpfiber_current_thread_in_process")
        fiber = TABLE.pointer(current, "current.waitable") or TABLE.pointer(current, "current.fiber")
        return self.fibers.get(fiber), TABLE.pointer(current, "current.block")

    def index(self):
        """threadIdx of the OS thread."""
        return triple(VARIABLES.address(self.os_thread, "threadIdx_in_process"))


class Place:
    """Where a thread is in the user's code."""

    def __init__(self, file="", line=0, function=""):
        self.file, self.line, self.function = file, line, function

    def __str__(self):
        return "%s:%d" % (os.path.basename(self.file), self.line) if self.line else "?"


class Wait:
    """What a thread waits at: a call, as it is named in reports. members: the ranks of all that have to come, where they
    are known. alone: it waits for no meeting."""

    def __init__(self, what, place=None, arrived=0, expected=0, members=None, alone=False):
        self.what, self.place, self.arrived, self.expected = what, place, arrived, expected
        self.members, self.alone = members, alone


def site(address):
    return Place(text(TABLE.pointer(address, "site.file")), TABLE.number(address, "site.line"))


class Thread:
    def __init__(self, block, rank, state, fiber=None):
        self.block, self.rank, self.state, self.fiber = block, rank, state, fiber

    @property
    def index(self):
        return unlinear(self.rank, self.block.kernel.block)

    @property
    def warp(self):
        return self.rank // self.block.kernel.warp_size

    @property
    def lane(self):
        return self.rank % self.block.kernel.warp_size

    @property
    def wait(self):
        return self.block.waits.get(self.fiber.address) if self.fiber and self.state == "waiting" else None

    def has_frames(self):
        return self.state in ("running", "waiting", "ready")

    def same_as(self, other):
        return (self.rank, self.block.rank, self.block.kernel.grid_address) == (
            other.rank, other.block.rank, other.block.kernel.grid_address)

    def __str__(self):
        return "kernel %d, block %s, thread %s, warp %d, lane %d" % (
            self.block.kernel.number, shown(self.block.index), shown(self.index), self.warp, self.lane)



class Block:
    """A block that is resident on a worker. A device may hold thousands, so most is read when it is asked for."""

    def __init__(self, kernel, worker, address):
        self.kernel, self.worker, self.address = kernel, worker, address
        self.rank = TABLE.pointer(address, "block.rank")
        self.index = triple(address + TABLE["block.index"])
        self.engaged = u8(address + TABLE["block.engaged"]) != 0
        self.claimed = TABLE.number(address, "block.claimed")

    @functools.cached_property
    def threads(self):
        return [self.thread(rank) for rank in range(self.kernel.threads)]

    def warps(self):
        first = TABLE.pointer(self.address, "block.warp_storage")
        return [first + i * TABLE["warp.size"] for i in range(self.kernel.warps)]

    @functools.cached_property
    def bound(self):
        """Fibers of threads that have waited, by rank."""
        if not self.engaged:
            return {}
        size = self.kernel.warp_size
        return {i * size + fiber.lane: fiber for i, warp in enumerate(self.warps())
                for fiber in self.worker.fibers_of_warps.get(warp, ())}

    @functools.cached_property
    def live(self):
        return [TABLE.pointer(warp, "warp.live") for warp in self.warps()]

    @functools.cached_property
    def waits(self):
        """What each fiber waits at, by its address."""
        return self.meetings[0]

    @functools.cached_property
    def barriers(self):
        """What threads wait at, each with their fibers."""
        return self.meetings[1]

    @functools.cached_property
    def meetings(self):
        self.waits, self.barriers = {}, []
        if self.engaged:
            self.collect_waits()
        return self.waits, self.barriers

    def runs_here(self):
        return self.worker.running is not None and self.worker.running_block == self.address

    @functools.cached_property
    def running_rank(self):
        """Of the thread that runs; -1: it is in another block, or the worker's own stack runs."""
        if not self.runs_here():
            return -1
        running = self.worker.running
        for rank, fiber in self.bound.items():
            if fiber is running:
                return rank
        return linear(self.worker.index(), self.kernel.block)

    def thread(self, rank):
        running = self.running_rank
        fiber = self.bound.get(rank)
        if rank == running:
            return Thread(self, rank, "running", fiber)
        if fiber is not None:
            return Thread(self, rank, "waiting" if fiber.address in self.waits else "ready", fiber)
        return Thread(self, rank, "done" if self.is_done(rank, running) else "not started")

    def is_done(self, rank, running):
        """Threads that return without having waited are counted late: those between the last that waited and the one
        that runs."""
        size = self.kernel.warp_size
        if self.engaged and not self.live[rank // size] >> rank % size & 1:
            return True
        if not self.kernel.in_order or running in self.bound:
            return not self.engaged and self.kernel.in_order and rank < self.claimed
        return rank < max(running, self.claimed)

    # The same lists as src/execution/engine/findings/stall_snapshot.cpp visits.
    def collect_waits(self):
        size = self.kernel.threads
        at = self.address + TABLE["block.barrier"]
        self.add_list(at + TABLE["barrier.waiting"],
                      Wait("__syncthreads()", site(at + TABLE["barrier.site"]), TABLE.number(at, "barrier.arrived"),
                           TABLE.number(self.address, "block.live"), self.live_ranks()))
        for name, what in (("grid_barrier", "grid barrier"), ("cluster_barrier", "cluster barrier"),
                           ("split_waits", "block.barrier_wait()")):
            at = self.address + TABLE["block." + name]
            self.add_list(at + TABLE["wide.waiting"],
                          Wait(what, site(at + TABLE["wide.site"]), TABLE.number(at, "wide.arrived"), size))
        self.collect_mismatched()
        self.collect_yielded()
        self.collect_groups()
        for number, warp in enumerate(self.warps()):
            self.collect_warp(number, warp)

    def live_ranks(self):
        size = self.kernel.warp_size
        return [rank for rank in range(self.kernel.threads) if self.live[rank // size] >> rank % size & 1]

    def add_list(self, address, wait):
        waiting = list(each_in_list(address, self.worker.fibers))
        for fiber in waiting:
            self.waits[fiber] = wait
        if waiting:
            self.barriers.append((wait, waiting))

    def collect_mismatched(self):
        for entry in vector(self.address + TABLE["block.mismatched_arrivals"], TABLE["mismatch.size"]):
            fiber = TABLE.pointer(entry, "mismatch.fiber")
            self.waits[fiber] = Wait("another barrier", site(entry + TABLE["mismatch.site"]), 1, 0, alone=True)

    def collect_yielded(self):
        for fiber in each_in_list(self.address + TABLE["block.yielded"], self.worker.fibers):
            note = TABLE.pointer(self.worker.fibers[fiber].more, "details.note")
            phase = TABLE.pointer(note, "note.phase") if note else 0
            what = text(TABLE.pointer(phase, "phase.call")) if phase else "changes of memory"
            self.waits[fiber] = Wait(what, alone=True)

    def collect_groups(self):
        if not TABLE.number(self.address, "block.open_groups"):
            return
        groups = TABLE.pointer(self.address, "block.groups")
        if groups:
            for i in range(TABLE["constant.group_places"]):
                self.add_group(groups + i * TABLE["group.size"])
        sets = TABLE.pointer(self.address, "block.sets")
        for i in range(TABLE["constant.set_rows"] if sets else 0):
            group = u64(sets + TABLE["sets.rows"] + 8 * i)
            while group:
                self.add_group(group)
                group = TABLE.pointer(group, "set.next")

    def add_group(self, group):
        arrived = TABLE.number(group, "group.arrived")
        if arrived:
            collective = TABLE.pointer(group, "group.collective")
            part = TABLE.pointer(group, "group.parts")
            self.add_list(group + TABLE["group.waiting"],
                          Wait(text(TABLE.pointer(collective, "group_collective.name")),
                               site(part + TABLE["part.site"]) if part else None, arrived,
                               TABLE.number(group, "group.members")))

    def collect_warp(self, number, warp):
        self.add_list(warp + TABLE["warp.converging"], Wait("__activemask()"))
        pending = [warp + TABLE["warp.pending"]]
        others = TABLE.pointer(warp, "warp.others")
        pending += [others + i * TABLE["pending.size"] for i in range(TABLE.number(warp, "warp.others_used"))]
        live = TABLE.pointer(warp, "warp.live")
        for at in pending:
            arrived = TABLE.pointer(at, "pending.arrived")
            if not arrived:
                continue
            lane = (arrived & -arrived).bit_length() - 1
            argument = u64(warp + TABLE["warp.arguments"] + 8 * lane)
            name = text(TABLE.pointer(TABLE.pointer(at, "pending.collective"), "collective.name"))
            wanted = TABLE.pointer(at, "pending.mask") & live
            lanes = [number * self.kernel.warp_size + i for i in range(self.kernel.warp_size) if wanted >> i & 1]
            self.add_list(at + TABLE["pending.waiting"],
                          Wait(name, site(argument) if argument else None, bin(arrived).count("1"), len(lanes), lanes))




class Kernel:
    """A launch that runs."""

    def __init__(self, grid_address, workers):
        self.grid_address = grid_address
        request = TABLE.pointer(grid_address, "grid.request")
        self.number = TABLE.pointer(request, "request.number")
        self.stream = TABLE.pointer(request, "request.stream")
        self.device = TABLE.number(request, "request.device")
        self.device_name = text(TABLE.pointer(request, "request.device_name"))
        self.name = text(TABLE.pointer(request, "request.name")) or symbol_at(TABLE.pointer(request, "request.kernel"))
        self.grid = triple(request + TABLE["request.grid"])
        self.block = triple(request + TABLE["request.block"])
        self.warp_size = TABLE.number(request, "request.warp_size")
        self.threads = TABLE.number(grid_address, "grid.threads")
        self.warps = -(-self.threads // self.warp_size)
        addresses = [u64(at) for at in vector(grid_address + TABLE["grid.workers"])]
        self.in_order = all(u8(at + TABLE["worker.in_order"]) for at in addresses)
        self.workers = [Worker(at, workers.get(at)) for at in addresses]
        self.blocks = sorted((Block(self, worker, u64(at)) for worker in self.workers
                              for at in vector(worker.address + TABLE["worker.resident"])),
                             key=lambda block: block.rank)

    def __str__(self):
        return "Kernel %d: %s<<<%s, %s>>>" % (self.number, self.name, shown(self.grid), shown(self.block))


class Machine:
    """All kernels that run, as they are at this stop."""

    def __init__(self):
        self.kernels_ = None

    def forget(self, *_):
        self.kernels_ = None

    def kernels(self):
        if self.kernels_ is None:
            self.kernels_ = self.collect()
        return self.kernels_

    @staticmethod
    def collect():
        grids, workers = set(), {}
        for thread in gdb.selected_inferior().threads():
            worker = worker_of(thread)
            if worker:
                grid = TABLE.pointer(worker, "worker.launch")
                grids.add(grid)
                workers[worker] = thread
        return sorted((Kernel(grid, workers) for grid in grids), key=lambda kernel: kernel.number)

    def blocks(self):
        return [block for kernel in self.kernels() for block in kernel.blocks]

    def running_on(self, os_thread):
        """The CUDA thread that an OS thread runs."""
        for block in self.blocks():
            thread = block.worker.os_thread
            if thread is not None and os_thread is not None and thread.ptid == os_thread.ptid and block.runs_here():
                rank = block.running_rank
                return block.threads[rank] if rank < len(block.threads) else None  # behind the last thread of a row
        return None


def worker_of(thread):
    """The address of the worker that runs on an OS thread, or 0."""
    try:
        return TABLE.pointer(VARIABLES.address(thread, "warpfiber_current_thread_in_process"), "current.worker")
    except (gdb.error, TypeError):
        return 0


MACHINE = Machine()

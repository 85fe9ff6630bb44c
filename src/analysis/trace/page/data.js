// The data of the page, and the place in it that is shown: launch, block, step, thread, file and line.
const $ = (id) => document.getElementById(id);
const DATA = JSON.parse($("data").textContent);
const KINDS = ["threads_begin", "threads_end", "release", "access", "fence", "arrive", "wait", "phase_end"];
const READS = 1, WRITES = 2, ATOMIC = 4, VOLATILE = 8, SHARED = 16, HAS_VALUE = 32;
const WIDTHS = ["warp", "block", "cluster", "grid"];
const FINDINGS = DATA.findings.findings || [];
const place = {launch: 0, block: 0, step: 0, thread: 0, file: "", line: 0, time: 0, instruction: -1};

const volume = (t) => t[0] * t[1] * t[2];
const triple = (index, extent) =>
  `(${index % extent[0]},${Math.floor(index / extent[0]) % extent[1]},${Math.floor(index / extent[0] / extent[1])})`;
const linear = (t, extent) => (t[2] * extent[1] + t[1]) * extent[0] + t[0];
const shortFile = (file) => file.split("/").pop();
const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
const launchOf = (number) => DATA.launches.find((launch) => launch.number === number);

/** A file may be named from the folder of the compiler in one place and by its whole path in another. */
function fullName(file) {
  if (!file || DATA.sources[file]) return file;
  return Object.keys(DATA.sources).find((whole) => whole.endsWith(`/${file}`)) || file;
}
for (const finding of FINDINGS) for (const site of finding.sites || []) site.file = fullName(site.file);
for (const launch of DATA.launches) for (const worker of launch.workers) for (const site of worker.sites) site[0] = fullName(site[0]);

DATA.launches.sort((a, b) => a.number - b.number);

function blocksOf(launch) {
  const all = [];
  for (const worker of launch.workers) for (const block of worker.blocks) all.push({worker, raw: block, rank: block.rank});
  return all.sort((a, b) => a.rank - b.rank);
}

const decoded = new Map();

/** The block with its events as objects, and what its threads do in each epoch. */
function blockOf(launch, rank) {
  const found = blocksOf(launch).find((block) => block.rank === rank);
  if (!found) return null;
  if (!decoded.has(found.raw)) decoded.set(found.raw, decode(launch, found));
  return decoded.get(found.raw);
}

function decode(launch, {worker, raw}) {
  const block = {launch, worker, rank: raw.rank, begin: raw.begin, end: raw.end || launch.end || DATA.steps, ended: raw.end !== 0,
                 leftOut: raw.left_out, raw, threads: volume(launch.block), warp: launch.warp};
  block.areas = raw.areas.map(([address, bytes, shared, name, type, made]) => ({address, bytes, shared: shared === 1, name, type, made}));
  block.sites = worker.sites.map(([file, line]) => ({file, line}));
  const last = new Map();
  let step = 0;
  block.events = raw.events.map((n) => {
    const [kind, delta, thread = 0, site = 0, count = 0, flags = 0, address = 0, word = 0, repeats = 0, spins = 0, more = 0] = n;
    step += delta;
    const event = {kind: KINDS[kind], step, thread, site, count, flags, repeats, spins, last: step + more};
    if (event.kind === "access") {
      event.address = (last.get(site) || 0) + address;
      last.set(site, event.address);
      event.value = BigInt("0x" + (word || 0));
    } else {
      event.lanes = BigInt("0x" + (word || 0));
      event.width = WIDTHS[flags];
    }
    return event;
  });
  block.epochs = epochsOf(block);
  return block;
}

const isBarrier = (event) => event.kind === "release" && event.lanes === 0n;
const isOfThread = (event) => ["access", "fence", "arrive", "wait"].includes(event.kind);

/** Epochs with their events and, for each thread, the first and last of its own. */
function epochsOf(block) {
  const exited = new Map();
  const started = new Set();
  const make = (begin) => ({begin, end: block.end, barrier: null, events: [], threads: new Map(), exits: new Map(), gone: new Map(exited)});
  const epochs = [make(block.begin)];
  for (const event of block.events) {
    const epoch = epochs[epochs.length - 1];
    epoch.events.push(event);
    if (isOfThread(event)) {
      const own = epoch.threads.get(event.thread) || {first: event.step, last: event.step, spins: 0};
      own.last = event.step;
      own.spins = Math.max(own.spins, event.spins);
      epoch.threads.set(event.thread, own);
    }
    if (event.kind === "threads_begin") for (let i = 0; i < event.count; ++i) started.add(event.thread + i);
    if (event.kind === "threads_end") {
      for (let i = 0; i < event.count; ++i) {
        exited.set(event.thread + i, event.step);
        epoch.exits.set(event.thread + i, event.step);
      }
    }
    if (isBarrier(event)) {
      epoch.end = event.step;
      epoch.barrier = event;
      epochs.push(make(event.step));
    }
  }
  block.started = started;
  const tail = epochs[epochs.length - 1];
  if (epochs.length > 1 && tail.events.length === 0) epochs.pop();
  return epochs;
}

const epochAt = (block, step) => {
  const at = block.epochs.findIndex((epoch) => step <= epoch.end);
  return at < 0 ? block.epochs.length - 1 : at;
};

/** The last event at or before a step. */
function eventAt(block, step) {
  let low = 0, high = block.events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (block.events[middle].step <= step) low = middle + 1; else high = middle;
  }
  return block.events[low - 1] || null;
}

const siteText = (block, event) => {
  const site = block.sites[event.site];
  return site && site.line ? `${shortFile(site.file)}:${site.line}` : "a line that is not known";
};
const accessName = (event) => (event.flags & ATOMIC ? "atomic" : event.flags & WRITES ? "store" : "load");

function areaOf(block, event) {
  const shared = (event.flags & SHARED) !== 0;
  return block.areas.find((a) => a.shared === shared && event.address >= a.address && event.address < a.address + a.bytes);
}

/** "tile[3][17]": indices from the dimensions of the type, else from the size of the access. */
function elementText(block, event) {
  const area = areaOf(block, event);
  const hex = "0x" + event.address.toString(16);
  if (!area) return event.flags & SHARED ? `shared memory + ${event.address}` : hex;
  const name = area.name || (area.made ? `allocation of ${area.made}` : "allocation");
  const offset = event.address - area.address;
  const dims = [...area.type.matchAll(/\[(\d+)\]/g)].map((m) => Number(m[1])).filter((n) => n > 0);
  const elements = dims.reduce((a, b) => a * b, 1);
  const size = dims.length && area.bytes % elements === 0 ? area.bytes / elements : event.count;
  if (area.bytes === event.count && !dims.length) return name;
  let index = Math.floor(offset / size), text = "";
  for (const dim of dims.slice(1).reverse()) {
    text = `[${index % dim}]${text}`;
    index = Math.floor(index / dim);
  }
  const rest = offset % size;
  return `${name}[${index}]${text}${rest ? ` + ${rest} bytes` : ""}`;
}

/** What an access reads, by the type of its object where that is known. */
function valueText(block, event) {
  if (!(event.flags & HAS_VALUE)) return event.flags & READS ? "not recorded" : "–";
  const area = areaOf(block, event);
  const type = area ? area.type : "";
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, event.value, true);
  if (/\bdouble\b/.test(type) && event.count === 8) return String(bytes.getFloat64(0, true));
  if (/\bfloat\b/.test(type) && event.count === 4) return String(Math.fround(bytes.getFloat32(0, true)).toPrecision(7) * 1);
  if (event.value === 0x5ead5eadn && event.count === 4) return "not written yet";
  const signed = BigInt.asIntN(event.count * 8, event.value);
  const text = String(/unsigned|uint/.test(type) ? event.value : signed);
  const float = event.count === 4 && !type ? bytes.getFloat32(0, true) : 0;
  return Math.abs(float) > 1e-6 && Math.abs(float) < 1e9 ? `${text} (as float ${float.toPrecision(6) * 1})` : text;
}

function eventText(block, event) {
  const warp = Math.floor(event.thread / block.warp), lane = event.thread % block.warp;
  const who = `thread ${triple(event.thread, block.launch.block)} (lane ${lane} of warp ${warp})`;
  switch (event.kind) {
    case "access": {
      const also = event.repeats ? `, and ${counted(event.repeats, "more time")}${event.spins ? ", spinning" : ""}` : "";
      const value = event.flags & HAS_VALUE ? `, reads ${valueText(block, event)}` : "";
      return `${who}: ${accessName(event)} of ${elementText(block, event)}${value}, ${siteText(block, event)}${also}`;
    }
    case "release":
      if (isBarrier(event)) return `all threads of the ${event.width} have met, ${siteText(block, event)}`;
      return `${counted(event.count, "lane")} of warp ${event.thread} have met, ${siteText(block, event)}`;
    case "threads_begin": return event.count === 1 ? `${who} begins` : `${counted(event.count, "thread")} begin`;
    case "threads_end": return event.count === 1 ? `${who} has exited` : `${counted(event.count, "thread")} have exited`;
    case "phase_end": return "a phase of a two-part barrier is complete";
    default: return `${who}: ${event.kind}`;
  }
}

/** "#launch=1&block=0&step=7…" of the place with changes. */
function hashOf(changes) {
  const to = {launch: place.launch, block: place.block, step: place.step, thread: place.thread, file: place.file, line: place.line, ...changes};
  return "#" + Object.entries(to).filter(([, value]) => value !== "" && value !== undefined)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
}

// Source with counts, the place in the address, and what is drawn when it changes.

/** Reads and writes of each line of a file by the launch, and the counters of its kernel. */
function countsOf(launch, file) {
  const lines = new Map();
  const of = (number) => lines.get(number) || lines.set(number, {reads: 0, writes: 0, notes: []}).get(number);
  for (const worker of launch ? launch.workers : []) {
    for (const [siteFile, number, reads, writes] of worker.sites) {
      if (siteFile !== file || !number) continue;
      of(number).reads += reads;
      of(number).writes += writes;
    }
  }
  const kernel = launch && ((DATA.profile && DATA.profile.kernels) || []).find((k) => k.kernel === launch.name);
  for (const row of kernel ? kernel.lines : []) {
    if (row.file !== file || !row.requests) continue;
    const mean = (n) => (n / row.requests).toFixed(1);
    if (row.sectors !== undefined) of(row.line).notes.push(`${row.operation}: ${mean(row.sectors)} sectors`);
    if (row.bank_conflicts) of(row.line).notes.push(`${row.operation}: ${mean(row.bank_conflicts)} bank conflicts`);
  }
  return lines;
}

function findingsAt(file, number) {
  const roles = [];
  FINDINGS.forEach((finding, i) => (finding.sites || []).forEach((site) => {
    if (site.file === file && site.line === number) roles.push(`${finding.id}: ${site.role}`);
  }));
  return roles;
}

function fileToShow(launch) {
  if (place.file && DATA.sources[place.file]) return place.file;
  const files = launch ? launch.workers.flatMap((worker) => worker.sites.map(([file]) => file)) : [];
  return files.find((file) => DATA.sources[file]) || Object.keys(DATA.sources)[0];
}

function lineOfEvent() {
  const launch = launchOf(place.launch), block = launch && blockOf(launch, place.block);
  const event = block && eventAt(block, place.step);
  return event && (event.kind === "access" || event.kind === "release") ? block.sites[event.site] : null;
}

function showSource() {
  const launch = launchOf(place.launch), view = $("source-view"), file = fileToShow(launch);
  if (!file) return view.replaceChildren(element("p", {}, "No source can be read, or the program was built without debug information (-g)."));
  const counts = countsOf(launch, file), most = Math.max(1, ...[...counts.values()].map((c) => c.reads + c.writes)), now = lineOfEvent();
  const rows = DATA.sources[file].map((words, i) => {
    const number = i + 1, count = counts.get(number), bad = findingsAt(file, number), total = count ? count.reads + count.writes : 0;
    const here = now && now.file === file && now.line === number;
    return element("tr", {class: `${here ? "here" : ""} ${bad.length ? "bad" : ""}`, "data-line": number},
      element("td", {class: "number"}, element("a", {href: hashOf({file, line: number})}, String(number))),
      element("td", {class: "mark", title: bad.join("; ")}, bad.length ? "!" : ""),
      element("td", {class: "number"}, count && count.reads ? count.reads.toLocaleString("en") : ""), element("td", {class: "number"}, count && count.writes ? count.writes.toLocaleString("en") : ""),
      element("td", {}, total ? element("span", {class: "bar", style: `width:${4 + 66 * Math.log1p(total) / Math.log1p(most)}px`}) : ""),
      element("td", {class: "code"}, words), element("td", {class: "soft"}, [...(count ? count.notes : []), ...bad].join("; ")));
  });
  const head = ["line", "", "reads", "writes", "", "source", ""].map((words) => element("th", {scope: "col"}, words));
  const box = element("div", {class: "scroll source", tabindex: 0}, element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)));
  const files = element("div", {class: "tools"}, ...Object.keys(DATA.sources).map((one) => element("a", {href: hashOf({file: one, line: 1}), "aria-current": one === file}, `${one === file ? "▶ " : ""}${shortFile(one)}`)));
  view.replaceChildren(files, box);
  const row = box.querySelector("tr.here") || box.querySelector(`tr[data-line="${place.line || [...counts.keys()].sort((a, b) => a - b)[0] || 1}"]`);
  if (row) box.scrollTop = Math.max(0, row.offsetTop - 160);
}

function showPlace() {
  const launch = launchOf(place.launch);
  const block = launch && blockOf(launch, place.block);
  $("launch").replaceChildren(...DATA.launches.map((one) => element("option", {value: one.number}, `${one.number}: ${clip(one.kernel, 30)}${one.found.length ? " !" : ""}`)));
  $("launch").value = place.launch;
  const named = (rank) => (FINDINGS.length && launch && launch.found.length && rank !== 0 && rank + 1 !== volume(launch.grid) ? " " : "");
  $("block").replaceChildren(...(launch ? blocksOf(launch) : []).map(({rank}) => element("option", {value: rank}, `${triple(rank, launch.grid)}${named(rank)}`)));
  $("block").value = place.block;
  const event = block && eventAt(block, place.step);
  $("cursor").textContent = !block ? "No block is recorded." : `Step ${place.step}, epoch ${epochAt(block, place.step)}: ${event ? eventText(block, event) : "before the first event"}`;
}

function show() {
  for (const draw of [showPlace, showLanes, showWatched, showSource, showAccess, showShared, showSlots]) draw();
}

/** Puts the place where the launch has something to show. */
function settle(asked) {
  if (!launchOf(place.launch)) place.launch = (DATA.launches.find((one) => one.found.length) || DATA.launches[0] || {number: 0}).number;
  const launch = launchOf(place.launch);
  if (!launch) return;
  const blocks = blocksOf(launch);
  if (!blocks.some(({rank}) => rank === place.block)) place.block = blocks.length ? blocks[0].rank : 0;
  const block = blockOf(launch, place.block);
  if (!block) return;
  if (place.step < block.begin || place.step > block.end) place.step = block.events.length ? block.events[0].step : block.begin;
  place.thread = Math.max(0, Math.min(block.threads - 1, place.thread));
  const site = lineOfEvent();
  if (asked.line === undefined || !place.line) {
    if (site && site.line) Object.assign(place, {file: site.file, line: site.line});
  } else if (asked.finds && !(site && site.line === place.line && site.file === place.file)) {
    goToLine(block);
  }
}

/** The event of the line that is next to the cursor, of its thread if there is one. */
function goToLine(block) {
  const isThere = (e) => (e.kind === "access" || e.kind === "release") && block.sites[e.site].line === place.line && block.sites[e.site].file === place.file;
  const all = block.events.filter(isThere), own = all.filter((e) => e.kind === "access" && e.thread === place.thread);
  const of = own.length ? own : all;
  const event = of.find((e) => e.step >= place.step) || of[of.length - 1];
  if (event) Object.assign(place, {step: event.step, thread: event.kind === "access" ? event.thread : place.thread});
}

function goTo(changes) {
  Object.assign(place, changes);
  const event = changes.step !== undefined ? lineOfEvent() : null;
  if (event && event.line && changes.line === undefined) Object.assign(place, {file: event.file, line: event.line, time: 0, instruction: -1});
  settle({line: place.line});
  history.replaceState(null, "", hashOf({}));
  show();
}

function readHash() {
  const hash = location.hash.slice(1);
  if (hash && !hash.includes("=")) {
    const part = $(hash);
    if (part) part.scrollIntoView();
    return false;
  }
  const asked = {};
  for (const [key, value] of new URLSearchParams(hash)) if (key in place) asked[key] = key === "file" ? value : Number(value) || 0;
  if (asked.file === undefined && asked.line !== undefined) asked.file = fileToShow(launchOf(asked.launch || place.launch));
  Object.assign(place, {time: 0, instruction: -1}, asked);
  settle({...asked, finds: true});
  return true;
}

function start() {
  showFindings();
  const first = FINDINGS.map((finding) => ({finding, launch: launchOfFinding(finding)})).find(({launch, finding}) => launch && (finding.sites || []).some((site) => site.line));
  if (first && !location.hash) Object.assign(place, placesOf(first.launch, first.finding)[first.finding.sites.findIndex((site) => site.line)]);
  readHash();
  if (place.launch === 0) settle({});
  show();
  addEventListener("hashchange", () => {
    if (readHash()) show();
  });
  $("launch").addEventListener("change", (change) => goTo({launch: Number(change.target.value), block: 0, step: 0, thread: 0}));
  $("block").addEventListener("change", (change) => goTo({block: Number(change.target.value), step: 0, thread: 0}));
}

start();

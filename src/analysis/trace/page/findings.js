// The verdict, the findings with links to their places, races as two accesses, and who waits for whom.

const linesOf = (words, most) => {
  const made = [""];
  for (const word of words.split(" ")) {
    if (made[made.length - 1].length + word.length > most) made.push("");
    made[made.length - 1] += (made[made.length - 1] ? " " : "") + word;
  }
  return made;
};

/** The launch that the finding is about: the first of its kernel that had such a finding. */
function launchOfFinding(finding) {
  const same = DATA.launches.filter((launch) => launch.kernel === finding.kernel);
  return same.find((launch) => launch.found.includes(finding.id)) || same[0];
}

function isOneOf(site, launch, thread) {
  if (!site.threads) return true;
  return site.threads.some(([first, last]) => thread >= linear(first, launch.block) && thread <= linear(last, launch.block));
}

/** Where in the recorded blocks the site is: its last event there, else the end of a block that it names. */
function placeOfSite(launch, site) {
  const blocks = blocksOf(launch).filter((block) => !site.blocks || site.blocks.some(([first, last]) =>
    block.rank >= linear(first, launch.grid) && block.rank <= linear(last, launch.grid)));
  for (const {rank} of blocks) {
    const block = blockOf(launch, rank);
    const isThere = (event) => block.sites[event.site] && block.sites[event.site].line === site.line && block.sites[event.site].file === site.file;
    const events = block.events.filter((e) => isThere(e) && (e.kind !== "access" || isOneOf(site, launch, e.thread)));
    const lasts = ["wait", "spin"].includes(site.role);
    const event = lasts ? events[events.length - 1] : site.role === "exited" ? null : events.find((e) => e.kind === "access") || events[0];
    if (event) return {launch: launch.number, block: rank, step: event.step, thread: isOfThread(event) ? event.thread : 0, file: site.file, line: site.line};
  }
  if (!blocks.length) return {launch: launch.number, file: site.file, line: site.line};
  const lane = site.lanes ? [...Array(launch.warp).keys()].find((i) => (BigInt(site.lanes) >> BigInt(i)) & 1n) || 0 : 0;
  const thread = site.threads ? linear(site.threads[0][0], launch.block) : site.warp !== undefined ? site.warp * launch.warp + lane : 0;
  const block = blockOf(launch, blocks[0].rank);
  const exit = site.role === "exited" ? block.events.find((e) => e.kind === "threads_end" && e.thread <= thread && thread < e.thread + e.count) : null;
  const last = exit || block.events[block.events.length - 1];
  return {launch: launch.number, block: block.rank, step: last ? last.step : block.begin, thread, file: site.file, line: site.line};
}

/** Two accesses of one epoch and to one address, by threads of the two sites. */
function placesOfRace(launch, sites) {
  for (const {rank} of blocksOf(launch)) {
    const block = blockOf(launch, rank);
    const of = (epoch, site) => epoch.events.filter((e) => e.kind === "access" && block.sites[e.site].line === site.line && block.sites[e.site].file === site.file && isOneOf(site, launch, e.thread));
    for (const epoch of block.epochs) {
      const firsts = of(epoch, sites[0]), seconds = of(epoch, sites[1]);
      for (const a of firsts) {
        const b = seconds.find((e) => e.thread !== a.thread && e.address < a.address + a.count && a.address < e.address + e.count);
        if (b) return [a, b].map((e, i) => ({launch: launch.number, block: rank, step: e.step, thread: e.thread, file: sites[i].file, line: sites[i].line}));
      }
    }
  }
  return null;
}

function placesOf(launch, finding) {
  const sites = finding.sites || [];
  const race = finding.id.startsWith("race") && sites.length > 1 ? placesOfRace(launch, sites) : null;
  return sites.map((site, i) => (race && race[i]) || placeOfSite(launch, site));
}

function linksOf(finding, launch) {
  const links = element("p", {class: "links"});
  const places = launch ? placesOf(launch, finding) : [];
  for (const [i, site] of (finding.sites || []).entries()) {
    if (!site.file || !site.line) continue;
    const to = places[i] || {file: site.file, line: site.line};
    links.append(element("a", {href: hashOf({block: undefined, step: undefined, thread: undefined, ...to})}, `${site.role}, ${shortFile(site.file)}:${site.line}`));
  }
  return links;
}

function boxOf(x, y, width, lines, kind, href) {
  const made = shape("g", {}, rect(x, y, width, 12 + lines.length * 15, kind));
  lines.forEach((words, i) => made.append(text(x + 8, y + 17 + i * 15, words, {class: i === 0 ? "bold" : ""})));
  return made;
}

const VERBS = {wait: ["waits", "wait"], spin: ["spins", "spin"], exited: ["has exited", "have exited"], "not-started": ["has not started", "have not started"],
  read: ["reads", "read"], write: ["writes", "write"], access: ["accesses", "access"]};
const verbOf = (site) => (VERBS[site.role] || [site.role, site.role])[site.count > 1 ? 1 : 0];

const wordsOfSite = (site, most = 44) => [...linesOf(`${site.who || counted(site.count || 0, site.unit || "thread")} ${verbOf(site)}`, most),
  ...(site.file ? [`${shortFile(site.file)}:${site.line}`] : []), ...(site.source ? linesOf(site.source, most).slice(0, 2) : []),
  ...(site.object && (site.object.name || site.object.address) ? [`on ${site.object.name || `0x${Number(site.object.address).toString(16)}`}`] : [])];

/** Two accesses with no barrier between them. */
function raceFigure(finding, number) {
  const pairs = (finding.sites || []).filter((site) => ["read", "write", "access"].includes(site.role)).slice(0, 2);
  if (!finding.id.startsWith("race") || pairs.length < 2) return [];
  const launch = launchOfFinding(finding);
  const object = (finding.object && finding.object.name) || (pairs[0].object && pairs[0].object.name) || "the same memory";
  const places = launch ? placesOf(launch, finding) : [];
  const boxes = pairs.map((site) => {
    const to = places[finding.sites.indexOf(site)];
    return [...wordsOfSite(site), ...(to && to.step ? [`step ${to.step}`] : [])];
  });
  const height = 24 + 15 * Math.max(boxes[0].length, boxes[1].length);
  const svg = drawing(960, height + 16, "Race", boxOf(10, 10, 350, boxes[0], "bad"), boxOf(600, 10, 350, boxes[1], "bad"),
    line(360, 40, 600, 40, "dashed"), text(480, 32, clip(object, 34), {"text-anchor": "middle", class: "bold"}), text(480, 58, "no barrier between", {"text-anchor": "middle"}),
    shape("path", {d: "M474,66 l12,12 M486,66 l-12,12", class: "dashed"}));
  return [figure(svg, `race-${number}`, `Nothing orders the two accesses: no barrier, fence or atomic lies between them.`)];
}

/** The threads of a party by their ranks in the block. */
function ranksOf(site, block) {
  const ranks = new Set();
  for (const [first, last] of site.threads || [])
    for (let z = first[2]; z <= last[2]; z++)
      for (let y = first[1]; y <= last[1]; y++)
        for (let x = first[0]; x <= last[0]; x++) ranks.add(x + block[0] * (y + block[1] * z));
  return ranks;
}

/** The parties that a party waits for, as its detail says: "for thread 0 of their block", "for lanes 1-3, 7 of their warp". */
function awaitedBy(site, sites, launch) {
  const found = /\b(thread|lane)s? ([\d-]+(?:, [\d-]+)*)/.exec(site.detail || "");
  if (!found || !launch) return [];
  const wanted = new Set();
  for (const range of found[2].split(", ")) {
    const [first, last = first] = range.split("-").map(Number);
    for (let i = first; i <= last; i++) wanted.add(i);
  }
  const warp = launch.warp_size, warps = new Set([...ranksOf(site, launch.block)].map((rank) => Math.floor(rank / warp)));
  const isWanted = (rank) => found[1] === "thread" ? wanted.has(rank) : wanted.has(rank % warp) && warps.has(Math.floor(rank / warp));
  return sites.filter((other) => other !== site && [...ranksOf(other, launch.block)].some(isWanted));
}

/** What a party waits for that is none of the finding's parties. */
function missingFor(site) {
  if (site.detail) return site.detail;
  const word = site.object && (site.object.name || site.object.address);
  return site.role === "spin" && word ? `for ${word} to change, which no runnable thread does` : "";
}

/** Who waits for whom: the cycle, or those who wait and what keeps them waiting. */
function waitFigure(finding, number) {
  const sites = finding.sites || [];
  const waiting = sites.filter((site) => ["wait", "spin"].includes(site.role));
  if (!waiting.length) return [];
  const left = [], right = [], edges = [];
  const cycle = finding.cycle || [];
  if (cycle.length) {
    cycle.forEach((step, i) => {
      (i % 2 ? right : left).push(sites[step.site]);
      edges.push([sites[step.site], sites[cycle[(i + 1) % cycle.length].site], step.over || ""]);
    });
  } else {
    const others = sites.filter((site) => !waiting.includes(site));
    left.push(...waiting);
    right.push(...others);
    for (const site of waiting) {
      const awaited = awaitedBy(site, sites, finding.launch);
      // Threads that have exited are none that a value could come from.
      const causes = awaited.length ? awaited : others.filter((other) => site.role === "wait" || other.role !== "exited");
      const missing = causes.length ? "" : missingFor(site);
      for (const other of causes) edges.push([site, other, site.detail || ""]);
      if (missing) {
        const never = {who: missing, role: "", never: true};
        right.push(never);
        edges.push([site, never, ""]);
      }
    }
  }
  return [drawGraph(left, right, edges, finding, number)];
}

function drawGraph(left, right, edges, finding, number) {
  const boxes = new Map(), shapes = [];
  let height = 10;
  for (const [column, x] of [[left, 10], [right, 590]]) {
    let y = 10;
    for (const site of column) {
      if (boxes.has(site)) continue;
      const lines = site.never ? linesOf(`waits ${site.who}`, 46) : wordsOfSite(site, 46);
      shapes.push(boxOf(x, y, 360, lines, site.role === "exited" || site.never ? "box" : "bad"));
      boxes.set(site, {x, y, height: 12 + lines.length * 15});
      y += 12 + lines.length * 15 + 18;
    }
    height = Math.max(height, y);
  }
  edges.forEach(([from, to, words], i) => {
    const a = boxes.get(from), b = boxes.get(to), forward = a.x < b.x, same = a.x === b.x;
    const shift = (edges.length > 1 ? i % 2 * 16 : 0) - 4;
    const x1 = forward || same ? a.x + 360 : a.x, x2 = forward ? b.x : same ? b.x + 360 : b.x + 360;
    const y1 = a.y + a.height / 2 + shift, y2 = b.y + b.height / 2 + shift;
    const path = same ? `M${x1},${y1} C${x1 + 90},${y1} ${x1 + 90},${y2} ${x2},${y2}` : `M${x1},${y1} L${x2},${y2}`;
    shapes.push(shape("path", {d: path, class: "edge", "marker-end": "url(#arrow)"}));
    linesOf(words, 34).slice(0, 3).forEach((part, n) => shapes.push(text(same ? x1 + 76 : (x1 + x2) / 2, (y1 + y2) / 2 - 5 + n * 13, part, {class: "small", "text-anchor": same ? "start" : "middle"})));
  });
  return figure(drawing(960, height, "Who waits for whom", ...shapes), `waits-${number}`,
    (finding.cycle || []).length ? "An arrow goes from those who wait to those who have what they wait for. The arrows close a circle." : "An arrow goes from those who wait to what keeps them waiting.");
}

function showFindings() {
  const count = (severity) => FINDINGS.filter((finding) => finding.severity === severity).length;
  const parts = [["error", "error"], ["warning", "warning"], ["info", "note"]].filter(([s]) => count(s)).map(([s, noun]) => counted(count(s), noun));
  $("verdict").textContent = parts.length ? parts.join(", ") : DATA.findings.hooks ? "Nothing found" : "No hang and no fault; memory accesses were not checked";
  const left = [DATA.left_out_launches ? `${counted(DATA.left_out_launches, "launch").replace("launchs", "launches")} left out` : "", DATA.findings.unlisted ? `${counted(DATA.findings.unlisted, "kind")} of findings not listed` : ""].filter(Boolean);
  const runs = DATA.launches.length + DATA.left_out_launches;
  $("run").textContent = `${DATA.command ? `${DATA.command} · ` : ""}${runs.toLocaleString("en")} ${runs === 1 ? "launch" : "launches"} · ${counted(DATA.steps, "step")}${left.length ? ` · ${left.join(", ")}` : ""}`;
  const list = $("finding-list");
  if (!FINDINGS.length) return list.replaceChildren(element("p", {}, "There are none."));
  list.replaceChildren(...FINDINGS.map((finding, i) => {
    const launch = launchOfFinding(finding);
    const where = launch ? `launch ${launch.number}, ` : "";
    return element("details", {class: finding.severity, id: `finding-${i + 1}`, open: i < 3 ? "" : false},
      element("summary", {}, `${finding.severity}: ${finding.id} in ${where}${finding.kernel || "the host program"}`),
      linksOf(finding, launch), ...raceFigure(finding, i + 1), ...waitFigure(finding, i + 1), element("pre", {tabindex: 0}, finding.text || finding.why || ""));
  }));
}

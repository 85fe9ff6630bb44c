// Swim lanes: a row for each lane of the warps that are open, a row for each other warp, epochs from left to right.
const EPOCHS_SHOWN = 24, LABELS = 118, LANE = 12, WARP = 20, GAP = 6;

/** Where a step is drawn: events of an epoch have equal distances. */
function scaleOf(block) {
  const now = epochAt(block, place.step);
  const first = Math.max(0, Math.min(now - EPOCHS_SHOWN / 2, block.epochs.length - EPOCHS_SHOWN));
  const shown = block.epochs.slice(first, first + EPOCHS_SHOWN);
  const weights = shown.map((epoch) => 3 + Math.sqrt(epoch.events.length));
  const all = weights.reduce((a, b) => a + b, 0);
  const total = Math.max(930, 70 * shown.length);
  let x = LABELS;
  const columns = shown.map((epoch, i) => {
    const width = total * weights[i] / all;
    const column = {epoch, number: first + i, x, width};
    x += width;
    return column;
  });
  const at = (column, step) => {
    const events = column.epoch.events;
    let low = 0, high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (events[middle].step < step) low = middle + 1; else high = middle;
    }
    return column.x + 3 + (column.width - 9) * (events.length ? low / events.length : 0);
  };
  const stepAt = (where) => {
    const column = columns.find((c) => where < c.x + c.width) || columns[columns.length - 1];
    const events = column.epoch.events;
    if (!events.length) return column.epoch.begin;
    const index = Math.floor((where - column.x - 3) / (column.width - 9) * events.length);
    return events[Math.max(0, Math.min(events.length - 1, index))].step;
  };
  return {columns, at, stepAt, width: x + 8};
}

/** Rows from above: {warp, lane} or {warp}. */
function rowsOf(block) {
  const warps = Math.ceil(block.threads / block.warp);
  const open = warps <= 2 ? null : Math.floor(place.thread / block.warp);
  const rows = [];
  let y = 26;
  for (let warp = 0; warp < warps; ++warp) {
    if (open !== null && warp !== open) {
      rows.push({warp, y, height: WARP - 4});
      y += WARP;
      continue;
    }
    for (let lane = 0; lane < block.warp && warp * block.warp + lane < block.threads; ++lane, y += LANE)
      rows.push({warp, lane, thread: warp * block.warp + lane, y, height: LANE - 3});
    y += GAP;
  }
  return {rows, height: y + 34};
}

/** What the threads of a row do in an epoch, as one: {first, last, spins, exit}; first is null where nothing is known. */
function partOf(block, row, column) {
  const {epoch} = column;
  const threads = row.lane !== undefined ? [row.thread]
    : [...Array(Math.min(block.warp, block.threads - row.warp * block.warp)).keys()].map((lane) => row.warp * block.warp + lane);
  const part = {first: null, last: null, spins: 0, gone: true, exit: null};
  for (const thread of threads) {
    if (!epoch.gone.has(thread)) part.gone = false;
    const own = epoch.threads.get(thread);
    if (own) {
      part.first = part.first === null ? own.first : Math.min(part.first, own.first);
      part.last = Math.max(part.last || 0, own.last);
      part.spins = Math.max(part.spins, own.spins);
    }
  }
  if (threads.every((thread) => epoch.exits.has(thread) || epoch.gone.has(thread)) && !part.gone)
    part.exit = Math.max(...threads.map((thread) => epoch.exits.get(thread) || 0));
  return part;
}

function drawPart(block, row, column, scale) {
  const part = partOf(block, row, column);
  if (part.gone) return [];
  const {y, height} = row, middle = y + height / 2;
  const right = part.exit !== null ? scale.at(column, part.exit) : column.x + column.width - 4;
  const shapes = [line(column.x, middle, right, middle, "ready")];
  const waits = part.exit === null && (column.epoch.barrier || !block.ended);
  if (part.first === null) {
    if (block.worker.accesses === 0 || block.leftOut || !waits) shapes.push(shape("rect", {x: column.x + 3, y, width: Math.max(1, right - column.x - 3), height, fill: "url(#unknown)", stroke: "#b8b8b8", "data-state": "unknown"}));
    else shapes.push(shape("rect", {x: column.x + 3, y, width: Math.max(1, right - column.x - 3), height, fill: "url(#waits)", stroke: "#5a5a5a", "data-state": "waits"}));
  } else {
    const from = scale.at(column, part.first), to = Math.max(from + 2, scale.at(column, part.last + 1));
    const spins = part.spins >= 4;
    if (waits && right > to) shapes.push(shape("rect", {x: to, y, width: right - to, height, fill: "url(#waits)", stroke: "#5a5a5a", "stroke-width": .5, "data-state": "waits"}));
    shapes.push(spins ? shape("rect", {x: from, y, width: Math.max(8, right - from), height, fill: "url(#spins)", stroke: "#1a1a1a", "data-state": "spins"})
                      : shape("rect", {x: from, y, width: to - from, height, class: "runs", "data-state": "runs"}));
    if (spins) shapes.push(text(from + 2, middle + 4, "spins", {class: "small bold"}));
  }
  if (part.exit !== null) shapes.push(shape("path", {d: `M${right},${y - 1} v${height + 2} M${right - 3},${y - 1} l6,${height + 2} M${right + 3},${y - 1} l-6,${height + 2}`, class: "meet", "data-state": "exited"}));
  return shapes;
}

function drawBarriers(block, scale, rows, height) {
  const shapes = [];
  for (const column of scale.columns) {
    shapes.push(text(column.x + 4, 12, `epoch ${column.number}`, {class: "small"}));
    const {barrier} = column.epoch;
    const x = column.x + column.width - 2;
    if (barrier) {
      shapes.push(shape("line", {x1: x, x2: x, y1: 18, y2: height - 30, class: "barrier"}, title(eventText(block, barrier))));
      shapes.push(text(x, height - 17, siteText(block, barrier), {class: "small", "text-anchor": "end"}));
      if (barrier.width !== "block") shapes.push(text(x, height - 6, `of the ${barrier.width}`, {class: "small", "text-anchor": "end"}));
    }
    for (const event of column.epoch.events) {
      if (event.kind !== "release" || isBarrier(event)) continue;
      const at = scale.at(column, event.step);
      for (const row of rows) {
        if (row.warp !== event.thread || (row.lane !== undefined && !((event.lanes >> BigInt(row.lane)) & 1n))) continue;
        shapes.push(line(at, row.y - 1, at, row.y + row.height + 2, "meet"));
      }
    }
  }
  return shapes;
}

function drawLabels(block, rows) {
  const shapes = [];
  for (const row of rows) {
    const here = row.lane === undefined ? false : row.thread === place.thread;
    const words = row.lane === undefined ? `warp ${row.warp}, all lanes` : `${row.lane === 0 ? `warp ${row.warp}  ` : ""}lane ${row.lane}`;
    shapes.push(text(LABELS - 6, row.y + row.height - (row.lane === undefined ? 3 : 0), `${here ? "▶ " : ""}${words}`, {class: `small${here ? " bold" : ""}`, "text-anchor": "end"}));
  }
  return shapes;
}

function legend() {
  const sample = (fill, words) => {
    const svg = drawing(26, 12, words, fill === "runs" ? rect(1, 1, 24, 10, "runs") : shape("rect", {x: 1, y: 1, width: 24, height: 10, fill, stroke: "#5a5a5a"}));
    return element("span", {class: "tools"}, svg, words);
  };
  const mark = (kind, d, words) => element("span", {class: "tools"}, drawing(14, 12, words, shape("path", {d, class: kind})), words);
  return element("div", {class: "tools soft", id: "legend"}, sample("runs", "runs"), sample("url(#waits)", "waits, or has nothing more to do, until the barrier"),
    sample("url(#spins)", "spins"), sample("url(#unknown)", "runs or waits: no accesses are recorded"),
    mark("barrier", "M7,0 v12", "barrier"), mark("meet", "M7,0 v12", "lanes meet"), mark("meet", "M7,1 v10 M4,1 l6,10 M10,1 l-6,10", "exited"));
}

function showLanes() {
  const launch = launchOf(place.launch), view = $("lanes-view");
  const block = launch && blockOf(launch, place.block);
  if (!block) return view.replaceChildren(element("p", {}, "No block of this launch is recorded."));
  const scale = scaleOf(block), {rows, height} = rowsOf(block);
  const shapes = drawLabels(block, rows);
  for (const column of scale.columns) for (const row of rows) shapes.push(...drawPart(block, row, column, scale));
  shapes.push(...drawBarriers(block, scale, rows, height));
  const column = scale.columns.find((c) => c.number === epochAt(block, place.step)) || scale.columns[0];
  const at = scale.at(column, place.step);
  shapes.push(line(at, 14, at, height - 30, "cursor"));
  const svg = drawing(scale.width, height, `Lanes of block ${triple(block.rank, launch.grid)}`, ...shapes);
  svg.addEventListener("click", (click) => {
    const box = svg.getBoundingClientRect();
    const y = click.clientY - box.top;
    const row = rows.filter((r) => r.y <= y).pop() || rows[0];
    goTo({step: scale.stepAt(click.clientX - box.left), thread: row.lane === undefined ? row.warp * block.warp : row.thread});
  });
  const more = block.epochs.length > scale.columns.length ? `epochs ${scale.columns[0].number} to ${scale.columns[scale.columns.length - 1].number} of ${block.epochs.length}; ` : "";
  const leftOut = block.leftOut ? ` ${counted(block.leftOut, "access")}${block.leftOut === 1 ? " is" : "es are"} left out.`.replace("accesss", "access") : "";
  const end = block.ended ? "" : " The block never ended.";
  view.replaceChildren(legend(), figure(svg, `lanes-${place.launch}-${place.block}`, `Block ${triple(block.rank, launch.grid)}, ${more}${counted(block.events.length, "event")}.${end}${leftOut}`,
    {id: "lanes-box", role: "application", "aria-label": "Lanes; arrow keys move the cursor", onkeydown: (key) => moveByKey(key, block)}));
}

function moveByKey(key, block) {
  const events = key.shiftKey ? block.events.filter((e) => e.thread === place.thread && isOfThread(e)) : block.events;
  const epoch = epochAt(block, place.step);
  const next = () => events.find((e) => e.step > place.step);
  const previous = () => [...events].reverse().find((e) => e.step < place.step);
  const moves = {
    ArrowRight: () => next(), ArrowLeft: () => previous(),
    ArrowDown: () => ({step: place.step, thread: Math.min(block.threads - 1, place.thread + 1)}),
    ArrowUp: () => ({step: place.step, thread: Math.max(0, place.thread - 1)}),
    PageDown: () => (block.epochs[epoch + 1] || {events: []}).events[0], PageUp: () => (block.epochs[epoch - 1] || {events: []}).events[0],
    Home: () => block.events[0], End: () => block.events[block.events.length - 1],
  };
  if (!moves[key.key]) return;
  key.preventDefault();
  const to = moves[key.key]();
  if (!to) return;
  const keeps = to.kind !== undefined && !isOfThread(to);
  goTo({step: to.step, thread: keeps ? place.thread : to.thread});
  $("lanes-box").focus();
}

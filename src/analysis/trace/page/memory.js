// Shared memory by banks with the last writer of each word, and the slots of SMs with the queue.

/** The last writer of each word of shared memory up to a step. */
function writersAt(block, step) {
  const writers = new Map();
  for (const event of block.events) {
    if (event.step > step) break;
    if (event.kind !== "access" || !(event.flags & SHARED) || !(event.flags & WRITES)) continue;
    for (let word = Math.floor(event.address / 4); word * 4 < event.address + event.count; ++word) writers.set(word, event);
  }
  return writers;
}

const shade = (warp) => `hsl(${(warp * 67 + 205) % 360} 55% ${84 - (warp * 5) % 20}%)`;

function bankRows(block) {
  const rows = new Set();
  for (const event of block.events) {
    if (event.kind === "access" && event.flags & SHARED) for (let at = event.address; at < event.address + event.count; at += 4) rows.add(Math.floor(at / 128));
  }
  return [...rows].sort((a, b) => a - b);
}

function showShared() {
  const launch = launchOf(place.launch), view = $("shared-view");
  const block = launch && blockOf(launch, place.block);
  const all = block ? bankRows(block) : [];
  if (!all.length) return view.replaceChildren(element("p", {id: "no-shared"}, "No access to shared memory is recorded of this block."));
  const writers = writersAt(block, place.step), now = eventAt(block, place.step);
  const isNow = (word) => now && now.kind === "access" && now.flags & SHARED && word * 4 + 4 > now.address && word * 4 < now.address + now.count;
  const here = isNow(Math.floor((now ? now.address || 0 : 0) / 4)) ? all.indexOf(Math.floor(now.address / 128)) : 0;
  const first = Math.max(0, Math.min(here - 20, all.length - 40));
  const rows = all.slice(first, first + 40);
  const raced = racedWords(launch, block);
  const shapes = [], cell = 30, height = 18;
  for (let bank = 0; bank < 32; ++bank) shapes.push(text(78 + bank * cell + cell / 2, 12, String(bank), {class: "small soft", "text-anchor": "middle"}));
  rows.forEach((row, i) => {
    const y = 18 + i * height;
    shapes.push(text(70, y + 13, `+${row * 128}`, {class: "small soft", "text-anchor": "end"}));
    for (let bank = 0; bank < 32; ++bank) {
      const word = row * 32 + bank, writer = writers.get(word), x = 78 + bank * cell;
      const area = block.areas.find((a) => a.shared && word * 4 >= a.address && word * 4 < a.address + a.bytes);
      const words = area ? `${elementText(block, {address: word * 4, flags: SHARED, count: 4})}, bank ${bank}: ${writer ? `thread ${writer.thread} at step ${writer.step}, ${siteText(block, writer)}` : "not written"}` : "no variable";
      shapes.push(shape("rect", {x, y, width: cell - 1, height: height - 1, fill: writer ? shade(Math.floor(writer.thread / block.warp)) : area ? "#fff" : "#ececec",
        stroke: isNow(word) ? "#d13400" : raced.has(word) ? "#a4000f" : "#b8b8b8", "stroke-width": isNow(word) || raced.has(word) ? 2.5 : .5, "data-word": word}, title(words)));
      if (writer) shapes.push(text(x + cell / 2, y + 13, (raced.has(word) ? "!" : "") + writer.thread, {class: "small", "text-anchor": "middle"}));
      else if (raced.has(word)) shapes.push(text(x + cell / 2, y + 13, "!", {class: "small bold", "text-anchor": "middle"}));
    }
  });
  const names = block.areas.filter((a) => a.shared).map((a) => `${a.name || "dynamic"} (${a.type ? `${a.type}, ` : ""}${counted(a.bytes, "byte")} from +${a.address})`).join("; ");
  const more = all.length > rows.length ? ` Rows ${first + 1} to ${first + rows.length} of ${all.length}.` : "";
  const marks = raced.size ? " ! marks words of a race." : "";
  view.replaceChildren(figure(drawing(78 + 32 * cell + 6, 24 + rows.length * height, "Shared memory by banks", ...shapes), `shared-${place.launch}-${place.block}`,
    `${names}. At step ${place.step} the last writers of ${counted(writers.size, "word")} are known.${more}${marks}`));
}

/** Words of the block's shared memory that races of the launch are about. */
function racedWords(launch, block) {
  const words = new Set();
  for (const finding of FINDINGS) {
    if (finding.id !== "race-shared" || finding.kernel !== launch.kernel) continue;
    for (const object of [finding.object, ...(finding.sites || []).map((site) => site.object)]) {
      if (!object || object.offset === undefined) continue;
      const area = block.areas.find((a) => a.shared && a.name && (object.name || "").split("[")[0] === a.name);
      if (area) for (let at = object.offset; at < object.offset + Math.min(object.size || 4, 256); at += 4) words.add(Math.floor((area.address + at) / 4));
    }
  }
  return words;
}

function showSlots() {
  const launch = launchOf(place.launch), view = $("slots-view");
  const all = launch ? launch.workers.flatMap((worker) => worker.residencies.map(([rank, slot, begin, end]) =>
    ({rank, slot: `${launch.workers.length > 1 ? `worker ${worker.worker}, ` : ""}slot ${slot}`, begin, end: end || launch.end}))) : [];
  if (!all.length) return view.replaceChildren(element("p", {}, "No block of this launch has run."));
  const names = [...new Set(all.map((block) => block.slot))].slice(0, 40);
  const begin = launch.begin, end = Math.max(launch.end || DATA.steps, begin + 1), row = 18;
  const at = (step) => 100 + (step - begin) / (end - begin) * 850;
  const shapes = names.map((name, i) => text(94, 14 + i * row, name, {class: "small", "text-anchor": "end"}));
  for (const block of all) {
    const i = names.indexOf(block.slot);
    if (i < 0) continue;
    const x = at(block.begin), width = Math.max(1.5, at(block.end) - x), here = block.rank === place.block;
    shapes.push(shape("rect", {x, y: 3 + i * row, width, height: row - 4, fill: here ? "url(#waits)" : "#fff", stroke: "#1a1a1a", "stroke-width": here ? 2 : .7},
      title(`block ${triple(block.rank, launch.grid)}, steps ${block.begin} to ${block.end}`)));
    if (width > 22) shapes.push(text(x + 3, 14 + i * row, clip(triple(block.rank, launch.grid), Math.floor(width / 6)), {class: "small"}));
  }
  const blocks = volume(launch.grid), top = names.length * row + 14, tall = 60;
  const begins = all.map((block) => block.begin).sort((a, b) => a - b);
  let path = `M100,${top}`, waiting = blocks;
  for (const step of begins) {
    path += ` L${at(step)},${top + tall * (1 - waiting / blocks)}`;
    waiting -= 1;
    path += ` L${at(step)},${top + tall * (1 - waiting / blocks)}`;
  }
  path += ` L950,${top + tall * (1 - waiting / blocks)}`;
  shapes.push(shape("path", {d: path, class: "edge"}), line(100, top + tall, 950, top + tall, "thin"),
    text(94, top + 8, `queue: ${blocks.toLocaleString("en")}`, {class: "small", "text-anchor": "end"}), text(94, top + tall, "0", {class: "small", "text-anchor": "end"}));
  if (place.step >= begin && place.step <= end) shapes.push(line(at(place.step), 0, at(place.step), top + tall, "cursor"));
  const leftOut = launch.workers.reduce((sum, worker) => sum + worker.left_out_residencies, 0);
  const slots = new Set(all.map((block) => block.slot)).size;
  view.replaceChildren(figure(drawing(970, top + tall + 8, "Slots of SMs", ...shapes), `slots-${place.launch}`,
    `${counted(blocks, "block")} of the grid, at most ${slots.toLocaleString("en")} resident at once on ${launch.device}.` +
    `${slots > names.length ? ` ${names.length} slots are shown.` : ""}${leftOut ? ` ${counted(leftOut, "block")} left out.` : ""}`));
}

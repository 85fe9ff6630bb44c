// The access picture of a line: lanes above, lines of global memory or banks of shared memory below; and the lane table.

/** Accesses of the warp by the instructions of the line in this epoch, by instruction and by execution. */
function requestsOf(block) {
  const warp = Math.floor(place.thread / block.warp);
  const epoch = block.epochs[epochAt(block, place.step)];
  const instructions = new Map();
  for (const event of epoch.events) {
    const site = block.sites[event.site];
    if (event.kind !== "access" || site.line !== place.line || site.file !== place.file || Math.floor(event.thread / block.warp) !== warp) continue;
    const key = event.site * 4 + (event.flags & WRITES ? 1 : 0) + (event.flags & SHARED ? 2 : 0);
    if (!instructions.has(key)) instructions.set(key, {key, name: accessName(event), shared: (event.flags & SHARED) !== 0, times: [], seen: new Map()});
    const {times, seen} = instructions.get(key);
    const time = seen.get(event.thread) || 0;
    seen.set(event.thread, time + 1);
    (times[time] = times[time] || []).push(event);
  }
  return [...instructions.values()];
}

function pictureOfGlobal(events, block) {
  const lines = [...new Set(events.flatMap((e) => [Math.floor(e.address / 128), Math.floor((e.address + e.count - 1) / 128)]))].sort((a, b) => a - b);
  const sectors = new Set(events.flatMap((e) => [Math.floor(e.address / 32), Math.floor((e.address + e.count - 1) / 32)]));
  const shown = lines.slice(0, 32), width = Math.max(28, Math.min(460, 900 / shown.length - 8)), shapes = [];
  shown.forEach((number, i) => {
    const x = 20 + i * (width + 8);
    for (let sector = 0; sector < 4; ++sector) {
      const touched = sectors.has(number * 4 + sector);
      shapes.push(shape("rect", {x: x + sector * width / 4, y: 130, width: width / 4, height: 26, fill: touched ? "url(#waits)" : "#fff", stroke: "#1a1a1a"},
        title(`sector 0x${(number * 128 + sector * 32).toString(16)}${touched ? ", touched" : ", not touched"}`)));
    }
    if (width > 60) shapes.push(text(x, 172, `line 0x${(number * 128).toString(16)}`, {class: "small"}));
  });
  for (const e of events) {
    const i = shown.indexOf(Math.floor(e.address / 128));
    if (i >= 0) shapes.push(line(33 + e.thread % block.warp * 28, 44, 20 + i * (width + 8) + (e.address % 128 + e.count / 2) / 128 * width, 130, "thin"));
  }
  const caption = `${counted(events.length, "lane")}, ${counted(sectors.size, "sector")} of 32 bytes in ${counted(lines.length, "line")} of 128 bytes${lines.length > 32 ? ", of which 32 are shown" : ""}.`;
  return {shapes, caption, height: 180};
}

function pictureOfShared(events, block) {
  const words = new Map();
  const shapes = [];
  for (const e of events) {
    for (let word = Math.floor(e.address / 4); word * 4 < e.address + e.count; ++word) {
      const bank = word % 32;
      if (!words.has(bank)) words.set(bank, new Set());
      words.get(bank).add(word);
      shapes.push(line(33 + e.thread % block.warp * 28, 44, 33 + bank * 28, 130, "thin"));
    }
  }
  for (let bank = 0; bank < 32; ++bank) {
    const count = words.has(bank) ? words.get(bank).size : 0;
    shapes.push(shape("rect", {x: 20 + bank * 28, y: 130, width: 26, height: 26, fill: count > 1 ? "url(#spins)" : count ? "url(#waits)" : "#fff", stroke: "#1a1a1a", "stroke-width": count > 1 ? 2.5 : 1},
      title(`bank ${bank}: ${counted(count, "word")}`)));
    shapes.push(text(33 + bank * 28, 170, String(bank), {class: "small soft", "text-anchor": "middle"}));
    if (count > 1) shapes.push(shape("rect", {x: 25 + bank * 28, y: 136, width: 16, height: 14, fill: "#fff"}), text(33 + bank * 28, 147, String(count), {class: "small bold", "text-anchor": "middle"}));
  }
  const most = Math.max(0, ...[...words.values()].map((set) => set.size));
  const wide = Math.max(...events.map((e) => e.count)) > 4;
  const passes = wide ? "Accesses of more than 4 bytes go over the banks in parts." : `${counted(most, "pass").replace("passs", "passes")} over the banks${most > 1 ? `: a bank has to give ${most} different words` : ", no conflict"}.`;
  return {shapes, caption: `${counted(events.length, "lane")} in ${counted(words.size, "bank")}. ${passes}`, height: 180};
}

function laneTable(block, events) {
  const rows = [...events].sort((a, b) => a.thread - b.thread).map((e) => element("tr", {class: e.thread === place.thread ? "here" : ""},
    element("td", {class: "number"}, String(e.thread % block.warp)), element("td", {}, triple(e.thread, block.launch.block)),
    element("td", {class: "code"}, elementText(block, e)), element("td", {class: "code"}, e.flags & SHARED ? `shared + ${e.address}` : `0x${e.address.toString(16)}`),
    element("td", {class: "code number"}, valueText(block, e)), element("td", {class: "number"}, element("a", {href: hashOf({step: e.step, thread: e.thread})}, String(e.step)))));
  const head = ["lane", "threadIdx", "element", "address", "value read", "step"].map((words) => element("th", {scope: "col"}, words));
  return element("details", {id: "lane-table", open: ""}, element("summary", {}, "The lanes as a table"),
    element("div", {class: "scroll source", tabindex: 0}, element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows))));
}

function showAccess() {
  const launch = launchOf(place.launch), view = $("access-view");
  const block = launch && blockOf(launch, place.block);
  const found = block ? requestsOf(block) : [];
  if (!found.length) {
    const why = !block || !block.worker.accesses ? "Accesses are recorded in checked programs only: warpfiber check, warpfiber profile, or -fcheck."
      : `Warp ${Math.floor(place.thread / block.warp)} does not access memory at ${place.line ? `${shortFile(place.file)}:${place.line}` : "this line"} in epoch ${epochAt(block, place.step)}. Choose a line of the source, or another epoch.`;
    return view.replaceChildren(element("p", {id: "no-access"}, why));
  }
  const now = eventAt(block, place.step);
  const chosen = found.find((one) => one.key === place.instruction) || found.find((one) => now && one.times.some((events) => events.includes(now))) || found[0];
  const time = Math.min(place.time, chosen.times.length - 1);
  const events = chosen.times[time].filter((e) => e !== undefined);
  const {shapes, caption, height} = chosen.shared ? pictureOfShared(events, block) : pictureOfGlobal(events, block);
  const active = new Set(events.map((e) => e.thread % block.warp));
  for (let lane = 0; lane < block.warp; ++lane) {
    shapes.push(rect(20 + lane * 28, 20, 26, 24, "box"), text(33 + lane * 28, 36, active.has(lane) ? String(lane) : "–", {class: "small", "text-anchor": "middle"}));
  }
  shapes.push(text(20, 13, `lanes of warp ${Math.floor(place.thread / block.warp)}`, {class: "small soft"}));
  const tools = element("div", {class: "tools"}, `${shortFile(place.file)}:${place.line}`);
  for (const one of found) {
    tools.append(element("button", {type: "button", "aria-pressed": one === chosen, onclick: () => goTo({instruction: one.key, time: 0})},
      `${one === chosen ? "● " : ""}${one.name}, ${one.shared ? "shared" : "global"}`));
  }
  const step = (by) => () => goTo({time: time + by});
  tools.append(element("button", {type: "button", disabled: time === 0 ? "" : false, onclick: step(-1)}, "◀"), `execution ${time + 1} of ${chosen.times.length}`,
    element("button", {type: "button", disabled: time + 1 === chosen.times.length ? "" : false, onclick: step(1)}, "▶"));
  const svg = drawing(20 + 28 * block.warp + 20, height, `Accesses of ${shortFile(place.file)}:${place.line}`, ...shapes);
  view.replaceChildren(tools, figure(svg, `access-${place.line}`, caption), laneTable(block, events));
}

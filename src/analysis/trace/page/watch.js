// Watched expressions: a table for each, of the lanes of one warp and of the ends of epochs.
const SAMPLES_SHOWN = 8;
const NO_VALUE = {"-1": "no object there", "-2": "null pointer", "-3": "not used yet", "-4": "division by 0"};

/** The samples of an expression in a block: their steps, and what each thread's value was and when it changed. */
function samplesOf(block, which) {
  block.samples = block.samples || [];
  if (block.samples[which]) return block.samples[which];
  const [leftOut, ...raw] = (block.raw.watched || [])[which] || [0];
  const made = {leftOut, steps: [], changes: new Map()};
  raw.forEach(([step, ...changes], index) => {
    made.steps.push(step);
    for (let i = 0; i < changes.length; i += 2) {
      const own = made.changes.get(changes[i]) || made.changes.set(changes[i], []).get(changes[i]);
      own.push({index, word: changes[i + 1]});
    }
  });
  return block.samples[which] = made;
}

/** The value of a thread at the end of an epoch, and whether it is another than at the end of the one before. */
function sampleAt(samples, thread, index) {
  const own = samples.changes.get(thread) || [];
  let low = 0, high = own.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (own[middle].index <= index) low = middle + 1; else high = middle;
  }
  const change = own[low - 1];
  return change ? {word: change.word, changed: index > 0 && change.index === index} : null;
}

function watchedText(form, count, word) {
  if (NO_VALUE[word]) return NO_VALUE[word];
  const bits = typeof word === "string" ? BigInt("0x" + word) : BigInt(word);
  if ((count === 4 && bits === 0x5ead5eadn) || (count === 8 && bits === 0x5ead5ead5ead5eadn)) return "not written";
  if (form === "pointer") return bits ? `0x${bits.toString(16)}` : "null";
  if (form === "signed") return String(BigInt.asIntN(count * 8, bits));
  if (form !== "float") return String(bits);
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, bits, true);
  if (count === 8) return String(bytes.getFloat64(0, true));
  return count === 4 ? String(Number(bytes.getFloat32(0, true).toPrecision(7))) : `0x${bits.toString(16)}`;
}

/** Above a column: the epoch that ends there, and by what. */
function sampleHead(block, step, here) {
  const epoch = epochAt(block, step), {barrier, end} = block.epochs[epoch];
  const how = barrier && end === step ? siteText(block, barrier) : block.ended ? "end of the block" : "end of the launch";
  return element("th", {scope: "col", "aria-current": here ? "step" : false},
    element("a", {href: hashOf({step, file: undefined, line: undefined})}, `${here ? "▶ " : ""}epoch ${epoch}`), element("div", {class: "soft"}, how));
}

function watchTable(block, which, [name, form, count, ofThread]) {
  const samples = samplesOf(block, which), now = samples.steps.findIndex((step) => step >= place.step);
  const at = now < 0 ? samples.steps.length - 1 : now;
  const first = Math.max(0, Math.min(at - SAMPLES_SHOWN / 2, samples.steps.length - SAMPLES_SHOWN));
  const shown = samples.steps.slice(first, first + SAMPLES_SHOWN).map((step, i) => ({step, index: first + i}));
  const warp = Math.floor(place.thread / block.warp);
  const threads = ofThread ? [...Array(block.warp).keys()].map((lane) => warp * block.warp + lane).filter((thread) => thread < block.threads) : [0];
  const rows = threads.map((thread) => {
    const here = ofThread && thread === place.thread;
    const who = ofThread ? [element("td", {class: "number"}, element("a", {href: hashOf({thread, file: undefined, line: undefined})}, String(thread % block.warp))),
      element("td", {}, triple(thread, block.launch.block))] : [element("td", {colspan: 2}, "all threads")];
    return element("tr", {class: here ? "here" : ""}, ...who, ...shown.map(({index}) => {
      const sample = sampleAt(samples, thread, index);
      const words = sample ? watchedText(form, count, sample.word) : "";
      return element("td", {class: `code number${sample && sample.changed ? " changed" : ""}`}, `${sample && sample.changed ? "* " : ""}${words}`);
    }));
  });
  const head = ["lane", "threadIdx"].map((words) => element("th", {scope: "col"}, words));
  const table = element("table", {"aria-label": name}, element("thead", {}, element("tr", {}, ...head, ...shown.map(({step, index}) => sampleHead(block, step, index === at)))), element("tbody", {}, ...rows));
  const range = samples.steps.length > shown.length ? `Epochs ${first} to ${first + shown.length - 1} of ${samples.steps.length}. ` : "";
  const out = samples.leftOut ? `The values of ${counted(samples.leftOut, "later epoch")} are left out. ` : "";
  const same = ofThread ? "" : "It is the same for all threads. ";
  return element("figure", {}, element("div", {class: "scroll source values", tabindex: 0}, table), element("figcaption", {}, `${range}${out}${same}* marks values that have changed since the epoch before.`));
}

function showWatched() {
  const launch = launchOf(place.launch), block = launch && blockOf(launch, place.block);
  $("watched").hidden = $("to-watched").hidden = !DATA.launches.some((one) => (one.watched || []).length);
  if (!block) return $("watched-view").replaceChildren(element("p", {}, "No block of this launch is recorded."));
  const warps = Math.ceil(block.threads / block.warp), warp = Math.floor(place.thread / block.warp);
  const step = (by) => () => goTo({thread: (warp + by) * block.warp});
  const tools = element("div", {class: "tools"}, element("button", {type: "button", "aria-label": "warp before", disabled: warp === 0 ? "" : false, onclick: step(-1)}, "◀"),
    `warp ${warp} of ${warps}`, element("button", {type: "button", "aria-label": "next warp", disabled: warp + 1 === warps ? "" : false, onclick: step(1)}, "▶"));
  const tables = launch.watched.map((watched, which) => {
    const [name, , , , error] = watched;
    return element("div", {class: "watched"}, element("h3", {class: "code"}, name), error ? element("p", {}, `Not read: ${error}.`) : watchTable(block, which, watched));
  });
  $("watched-view").replaceChildren(...(warps > 1 && launch.watched.some((watched) => watched[3]) ? [tools] : []), ...tables);
}

"use strict";
// The page of one fleet run. The payload is gzip + base64 JSON: `strings` holds every text once, `rows` one array of indexes into them per column, `definitions` indexes into `lines`.
(async function () {
  const EFFECTS = ["stops", "unknown", "diverges", "unsupported", "lossy", "incomplete", "compatible", "identical"];
  const style = getComputedStyle(document.documentElement);
  const colour = (effect) => style.getPropertyValue("--" + effect).trim();
  const unpacked = (text) => new Response(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  const D = await unpacked(document.getElementById("data").textContent.trim());
  const S = D.strings, R = D.rows;
  let N = R.effect.length;
  const get = (name, i) => S[R[name][i]];
  const $ = (id) => document.getElementById(id);
  // Text only, never markup; characters that reorder or hide text are shown by their numbers.
  const shown = (s) => String(s ?? "").replace(/[\u0000-\u001f\u007f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
  const el = (tag, text, attrs) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = shown(text); for (const k in attrs || {}) e.setAttribute(k, attrs[k]); return e; };
  // Plotly reads <b> and <a> in texts: it gets none.
  const flat = (s) => shown(s).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const kind = (t) => D.kinds[t] ?? t;

  // ---- pictures -----------------------------------------------------------------------------------------------------------------
  const ink = colour("ink"), grid = style.getPropertyValue("--line").trim();
  const base = { margin: { l: 60, r: 16, t: 8, b: 40 }, font: { family: "system-ui, DejaVu Sans, sans-serif", size: 12, color: ink }, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)" };
  // Grows upwards, whatever the number of its lines.
  const legend = { orientation: "h", x: 0, y: 1.02, yanchor: "bottom", traceorder: "reversed" };
  const config = { displaylogo: false, responsive: true, displayModeBar: false };
  const draw = (id, data, layout, onclick) => {
    const box = $(id);
    if (!data.length || data.every((d) => (d.x || d.z || d.labels || []).length === 0)) { box.textContent = "Nothing to show."; return; }
    for (const axis of ["xaxis", "yaxis"]) if (layout[axis]) layout[axis] = { gridcolor: grid, ...layout[axis] };
    Plotly.newPlot(box, data, { ...base, ...layout }, config);
    if (onclick) box.on("plotly_click", (e) => onclick(e.points[0]));
  };
  const s = D.summary;
  const runs = s.trend || [];
  if (runs.length > 1) {
    const days = runs.map((r) => flat(r.snapshot_date)), twice = new Set(days).size < days.length;
    const names = days.map((d, i) => (twice ? d + " (" + (i + 1) + ")" : d));
    draw("plot-trend", [...EFFECTS].slice(0, 6).reverse().map((e) => ({ type: "bar", name: e, x: names, y: runs.map((r) => r.verdicts[e] || 0), customdata: runs.map((r) => [r.pairs]), marker: { color: colour(e), line: { width: 0.5, color: "#555" } }, hovertemplate: "%{x}: %{y} of %{customdata[0]} pairs " + e + "<extra></extra>" })),
      { barmode: "stack", height: 240, bargap: 0.1, legend, xaxis: { type: "category", automargin: true, nticks: 12 }, yaxis: { title: { text: "table pairs" }, rangemode: "tozero" } });
  }
  const clusters = Object.entries(s.clusters).sort((a, b) => bad(b[1]) - bad(a[1])).slice(0, 40);
  function bad(counts) { return (counts.stops || 0) * 1000 + (counts.unknown || 0) + (counts.diverges || 0) * 100 + (counts.unsupported || 0) * 10 + (counts.lossy || 0); }
  draw("plot-clusters", [...EFFECTS].reverse().map((e) => ({ type: "bar", name: e, x: clusters.map((c) => flat(c[0])), y: clusters.map((c) => c[1][e] || 0), marker: { color: colour(e), line: { width: 0.5, color: "#555" } }, hovertemplate: "%{y} " + e + "<extra>%{x}</extra>" })),
    { barmode: "stack", height: 320, legend, xaxis: { type: "category", automargin: true }, yaxis: { title: { text: "table pairs" } } },
    (p) => choose({ cluster: clusters[p.pointIndex][0] === "(none)" ? "" : clusters[p.pointIndex][0] }));
  const top = (key) => { const n = {}; for (const t of s.types) n[t[key]] = (n[t[key]] || 0) + t.count; return Object.entries(n).sort((a, b) => b[1] - a[1]).slice(0, 25).map((x) => x[0]); };
  const from = top("source"), to = top("replica"), at = {};
  for (const t of s.types) at[t.source + "\u0000" + t.replica] = t;
  const cells = from.map((a) => to.map((b) => at[a + "\u0000" + b]));
  draw("plot-types", from.length ? [{ type: "heatmap", x: to.map(flat), y: from.map(flat), z: cells.map((r) => r.map((c) => (c ? Math.log10(c.count) + 0.2 : null))), customdata: cells.map((r) => r.map((c) => (c ? [c.count, c.worst] : null))), text: cells.map((r) => r.map((c) => (c ? String(c.count) : ""))), texttemplate: "%{text}", colorscale: "Cividis", reversescale: true, showscale: false, xgap: 1, ygap: 1, hoverongaps: false, hovertemplate: "%{y} to %{x}<br>%{customdata[0]} findings, worst: %{customdata[1]}<extra></extra>" }] : [],
    { height: Math.max(300, 60 + from.length * 22), xaxis: { type: "category", title: { text: "replica" }, automargin: true }, yaxis: { type: "category", title: { text: "source" }, automargin: true, autorange: "reversed" }, hoverlabel: { namelength: -1 } },
    (p) => choose({ from: from[p.pointIndex[0]], to: to[p.pointIndex[1]] }));
  const every = Object.values(s.rules.reduce((m, r) => { const k = r.code + " " + r.rule; (m[k] = m[k] || { name: k, code: r.code, count: 0, by: {} }).count += r.count; m[k].by[r.effect] = r.count; return m; }, {})).sort((a, b) => worst(a) - worst(b) || b.count - a.count);
  // Worst first; rules that only ever find what changes nothing are one bar.
  function worst(rule) { return Math.min(...Object.keys(rule.by).map((e) => EFFECTS.indexOf(e))); }
  const harmless = every.filter((r) => worst(r) >= EFFECTS.indexOf("compatible")), fold = harmless.length > 1;
  const rules = every.filter((r) => !fold || !harmless.includes(r));
  if (fold) rules.push(harmless.reduce((m, r) => { m.count += r.count; for (const e in r.by) m.by[e] = (m.by[e] || 0) + r.by[e]; return m; }, { name: harmless.length + " harmless rules", code: "", count: 0, by: {} }));
  let sum = 0; const all = rules.reduce((n, r) => n + r.count, 0);
  const share = rules.map((r) => (100 * (sum += r.count)) / all);
  draw("plot-rules", rules.length ? [...EFFECTS].map((e) => ({ type: "bar", name: e, x: rules.map((r) => r.name), y: rules.map((r) => r.by[e] || 0), marker: { color: colour(e), line: { width: 0.5, color: "#555" } } })).concat([{ type: "scatter", name: "share", x: rules.map((r) => r.name), y: share, yaxis: "y2", mode: "lines+markers", line: { color: ink, dash: "dot" }, hovertemplate: "%{y:.0f} % of all findings<extra></extra>" }]) : [],
    { barmode: "stack", height: Math.max(300, 60 + from.length * 22), showlegend: false, margin: { ...base.margin, r: 45 }, xaxis: { type: "category", automargin: true, tickangle: -40 }, yaxis: { title: { text: "findings" } }, yaxis2: { overlaying: "y", side: "right", range: [0, 105], tickvals: [0, 25, 50, 75, 100], showgrid: false, ticksuffix: " %" } },
    (p) => choose(rules[p.pointIndex].code ? { rule: rules[p.pointIndex].code } : { effect: "compatible" }));
  const percent = (r) => (100 * r[1]) / Math.max(1, r[2]);
  const what = (id, list, label) => draw(id, list.length ? [{ type: "bar", orientation: "h", y: list.map((r) => r[0] === "" ? "'' (none)" : flat(r[0].replaceAll(",", ", "))), x: list.map(percent), text: list.map((r) => percent(r).toFixed(1) + " %"), textposition: "auto", marker: { color: "#56b4e9", line: { width: 0.5, color: "#555" } }, customdata: list.map((r) => [r[1], r[2]]), hovertemplate: "%{customdata[0]} of %{customdata[1]} pairs keep every value<extra>%{y}</extra>" }] : [],
    { height: 80 + list.length * 26, xaxis: { range: [0, 100], ticksuffix: " %", title: { text: label } }, yaxis: { type: "category", automargin: true, autorange: "reversed" } });
  what("plot-settings", s.what_if.settings, "pairs that keep every value, by setting");
  what("plot-versions", s.what_if.versions, "pairs that keep every value, by replica version");
  const big = D.largest;
  draw("plot-size", big.length ? [{ type: "treemap", labels: big.map((t) => flat(t.database + "." + t.table)), ids: big.map((t, i) => String(i)), parents: big.map(() => ""), values: big.map((t) => t.n_bytes || 1), marker: { colors: big.map((t) => colour(t.verdict)) }, customdata: big.map((t) => [flat(t.source + " \u2192 " + t.replica), t.verdict, (t.n_bytes / 1048576).toFixed(1), t.n_rows]), hovertemplate: "%{label}<br>%{customdata[0]}<br>%{customdata[1]}, %{customdata[2]} MiB, about %{customdata[3]} rows<extra></extra>", textinfo: "label", tiling: { packing: "squarify" } }] : [],
    { height: 340, margin: { l: 4, r: 4, t: 4, b: 4 } }, (p) => { const t = big[Number(p.id)]; if (t) choose({ text: t.database + "." + t.table }); });

  // ---- the table ----------------------------------------------------------------------------------------------------------------
  const HEIGHT = 30;
  const columns = [
    ["effect", "Effect", (i) => EFFECTS.indexOf(get("effect", i))], ["code", "Rule", (i) => get("code", i)],
    ["link", "Source \u2192 replica", (i) => get("source", i) + "\u0000" + get("replica", i)], ["name", "Table", (i) => get("database", i) + "." + get("table", i)],
    ["column", "Column", (i) => get("column", i) || ""], ["message", "What happens", (i) => get("message", i)],
  ];
  const small = (t) => (t === null ? "" : String(t).toLowerCase());
  const lower = S.map(small);
  const searched = ["database", "table", "column", "source", "replica", "cluster", "source_type", "replica_type", "message", "code", "rule"];
  let want = {}, order = ["effect", 1], view = [], chosen = -1;
  const match = (i) => {
    if (want.effect && get("effect", i) !== want.effect) return false;
    if (want.rule && get("code", i) !== want.rule) return false;
    if (want.cluster !== undefined && get("cluster", i) !== want.cluster) return false;
    if (want.from !== undefined && (kind(get("source_type", i)) !== want.from || kind(get("replica_type", i)) !== want.to)) return false;
    if (want.fresh && !R.fresh[i]) return false;
    if (!want.words || !want.words.length) return true;
    const name = (lower[R.database[i]] + "." + lower[R.table[i]]);
    return want.words.every((w) => name.includes(w) || searched.some((c) => lower[R[c][i]].includes(w)));
  };
  const refresh = () => {
    view = []; for (let i = 0; i < N; i++) if (match(i)) view.push(i);
    const key = columns.find((c) => c[0] === order[0])[2], keys = new Map(view.map((i) => [i, key(i)]));
    view.sort((a, b) => { const x = keys.get(a), y = keys.get(b); return (x < y ? -1 : x > y ? 1 : a - b) * order[1]; });
    $("spacer").style.height = view.length * HEIGHT + "px"; $("body").scrollTop = 0; $("count").textContent = view.length.toLocaleString("en") + " of " + N.toLocaleString("en") + (N < D.of ? " here" : "");
    for (const b of $("head").children) b.setAttribute("aria-sort", b.dataset.key === order[0] ? (order[1] > 0 ? "ascending" : "descending") : "none");
    paint();
  };
  const rowOf = (i) => {
    const row = el("div", undefined, { class: "row" + (i === chosen ? " chosen" : ""), role: "row", "data-i": i });
    const effect = el("span"); const mark = el("i", undefined, { class: "mark" }); mark.style.background = colour(get("effect", i)); effect.append(mark, get("effect", i)); if (R.fresh[i]) effect.classList.add("new");
    row.append(effect, el("span", get("code", i) + " " + get("rule", i)), el("span", get("source", i) + " \u2192 " + get("replica", i)), el("bdi", get("database", i) + "." + get("table", i)), el("bdi", get("column", i)), el("span", get("message", i), { title: shown(get("message", i)) }));
    return row;
  };
  const paint = () => {
    const body = $("body"), first = Math.max(0, Math.floor(body.scrollTop / HEIGHT) - 8), last = Math.min(view.length, first + Math.ceil(body.clientHeight / HEIGHT) + 16);
    const rows = []; for (let k = first; k < last; k++) { const row = rowOf(view[k]); row.style.top = k * HEIGHT + "px"; rows.push(row); }
    $("spacer").replaceChildren(...rows);
  };
  const side = (title, lines, other, column) => {
    const box = el("div", undefined, { class: "side" }); box.append(el("b", title));
    const set = new Set(other || []);
    if (!lines.length) box.append(el("div", "nothing that the other end has not"));
    lines.forEach((n) => { const line = el("div", S[n]); if (!set.has(n)) line.className = "differs"; if (column && String(S[n]).startsWith(column + " ")) line.classList.add("here"); box.append(line); });
    return box;
  };
  const open = (i) => {
    chosen = i; const box = $("detail"); box.hidden = false; box.replaceChildren();
    box.append(el("h3", get("code", i) + " " + get("rule", i) + ": " + get("database", i) + "." + get("table", i) + (get("column", i) ? "." + get("column", i) : "")), el("p", get("message", i)));
    const list = el("dl"); const put = (k, v) => { if (v !== null && v !== undefined && v !== "") list.append(el("dt", k), el("dd", v)); };
    put("effect", get("effect", i)); put("cluster", get("cluster", i)); put("link", get("source", i) + " \u2192 " + get("replica", i) + (get("channel", i) ? " (" + get("channel", i) + ")" : ""));
    put("types", get("source_type", i) ? get("source_type", i) + " \u2192 " + (get("replica_type", i) || "") : ""); put("error", get("errno", i) ? get("errno", i) + (R.depends[i] ? " (some rows)" : "") + ": " + (get("error", i) || "") : "");
    put("example", get("example_source", i) !== null ? get("example_source", i) + " becomes " + get("example_replica", i) : ""); put("decided by", get("setting", i)); put("remedy", get("remedy", i)); put("statement", get("remedy_sql", i)); put("see", get("reference", i));
    box.append(list);
    const two = el("div", undefined, { class: "two" }), a = D.definitions[R.source_lines[i]], b = D.definitions[R.replica_lines[i]];
    two.append(side("source " + get("source", i) + " (" + (D.servers[get("source", i)] || "") + ")", a, b, get("source_ordinal", i)), side("replica " + get("replica", i) + " (" + (D.servers[get("replica", i)] || "") + ")", b, a, get("replica_ordinal", i)));
    box.append(two); const page = D.pages[get("code", i)]; if (page) { const d = el("details"); d.append(el("summary", "About " + get("code", i))); const p = el("pre"); p.textContent = page; d.append(p); box.append(d); }
    const same = el("button", "all findings of this table", { type: "button" }); same.onclick = () => choose({ text: get("database", i) + "." + get("table", i) }); box.append(same);
    history.replaceState(null, "", "#finding-" + i); paint(); box.scrollIntoView({ block: "nearest" });
  };
  const choose = (what) => {
    want = { ...what, words: what.text ? [what.text.toLowerCase()] : [] }; $("search").value = what.text || ""; $("effect").value = what.effect || ""; $("rule").value = what.rule || ""; $("cluster").value = what.cluster ?? "*";
    refresh(); $("findings").scrollIntoView();
  };
  const pick = () => { want = { ...want, effect: $("effect").value, rule: $("rule").value, cluster: $("cluster").value === "*" ? undefined : $("cluster").value, words: $("search").value.toLowerCase().split(/\s+/).filter(Boolean) }; refresh(); };
  for (const [key, title] of columns) { const b = el("button", title, { type: "button", role: "columnheader", "data-key": key }); b.onclick = () => { order = [key, order[0] === key ? -order[1] : 1]; refresh(); }; $("head").append(b); }
  const distinct = (c) => [...new Set(R[c])].map((n) => S[n]).sort();
  const fill = (id, label, value, values) => { $(id).append(el("option", label, { value })); for (const v of values) $(id).append(el("option", v[1], { value: v[0] })); };
  fill("effect", "every effect", "", EFFECTS.filter((e) => distinct("effect").includes(e)).map((e) => [e, e]));
  fill("rule", "every rule", "", every.map((r) => [r.code, r.name])); fill("cluster", "every cluster", "*", distinct("cluster").map((c) => [c, c || "(none)"]));
  let wait; $("search").oninput = () => { clearTimeout(wait); wait = setTimeout(pick, 120); }; for (const id of ["effect", "rule", "cluster"]) $(id).onchange = pick;
  $("clear").onclick = () => choose({}); $("body").onscroll = paint; window.addEventListener("resize", paint);
  $("spacer").onclick = (e) => { const row = e.target.closest(".row"); if (row) open(Number(row.dataset.i)); };
  $("table").onkeydown = (e) => { const k = view.indexOf(chosen) + (e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : NaN); if (k >= 0 && k < view.length) { e.preventDefault(); $("body").scrollTop = Math.max(0, k * HEIGHT - 200); open(view[k]); } };
  for (const card of document.querySelectorAll("[data-effect]")) card.onclick = (e) => { e.preventDefault(); choose({ effect: card.dataset.effect }); };
  if ($("only-new")) $("only-new").onclick = () => choose({ fresh: true });
  // A cell that a spreadsheet would take for a formula begins with an apostrophe.
  const cell = (v) => { let t = shown(v); if (/^[=+\-@\t\r]/.test(t)) t = "'" + t; return '"' + t.replaceAll('"', '""') + '"'; };
  const csvOf = (rows) => [["effect", "code", "rule", "cluster", "source", "replica", "database", "table", "column", "source_type", "replica_type", "errno", "message", "remedy", "remedy_sql"]].concat(rows.map((i) => ["effect", "code", "rule", "cluster", "source", "replica", "database", "table", "column", "source_type", "replica_type", "errno", "message", "remedy", "remedy_sql"].map((c) => get(c, i)))).map((r) => r.map(cell).join(",")).join("\r\n") + "\r\n";
  $("csv").onclick = () => { const a = el("a", "", { download: "findings.csv", href: URL.createObjectURL(new Blob([csvOf(view)], { type: "text/csv" })) }); a.click(); URL.revokeObjectURL(a.href); };
  window.addEventListener("beforeprint", () => { const t = el("table", undefined, { class: "plain" }); for (const i of view.slice(0, 300)) { const r = el("tr"); r.append(el("td", get("effect", i)), el("td", get("code", i)), el("td", get("source", i) + " \u2192 " + get("replica", i)), el("td", get("database", i) + "." + get("table", i) + (get("column", i) ? "." + get("column", i) : "")), el("td", get("message", i))); t.append(r); } $("printed").replaceChildren(el("p", "The first " + Math.min(300, view.length) + " of " + view.length + " findings."), t); });
  // More findings lie in files beside the page; each is a script that calls `add`.
  const texts = [...new Set(Object.keys(R))].filter((c) => !["depends", "fresh", "source_lines", "replica_lines"].includes(c));
  const add = async (number, text) => {
    const more = await unpacked(text), at = S.length, from = D.definitions.length;
    for (const t of more.strings) { S.push(t); lower.push(small(t)); }
    for (const lines of more.definitions) D.definitions.push(lines.map((n) => n + at));
    for (const name in more.rows) { const own = R[name], by = texts.includes(name) ? at : name.endsWith("_lines") ? from : 0; for (const n of more.rows[name]) own.push(n + by); }
    Object.assign(D.kinds, more.kinds); N = R.effect.length; fetched();
  };
  let asked = 0, fetched = () => {};
  const next = () => new Promise((done, failed) => { const tag = document.createElement("script"); fetched = done; tag.onerror = () => failed(new Error(D.parts[asked] + " cannot be read")); tag.src = D.parts[asked]; document.body.append(tag); });
  const button = $("more");
  if (button) {
    const label = () => { button.hidden = asked >= D.parts.length; button.textContent = "load the other " + (D.of - N).toLocaleString("en") + " findings"; };
    button.onclick = async () => { button.disabled = true; try { while (asked < D.parts.length) { await next(); asked++; label(); } } catch (wrong) { button.textContent = wrong.message; } button.disabled = false; refresh(); };
    label();
  }
  refresh();
  const start = /^#finding-(\d+)$/.exec(location.hash); if (start && Number(start[1]) < N) open(Number(start[1]));
  window.schemacheck = { add, choose, open, csvOf, get view() { return view; }, get order() { return order; } };
  document.body.dataset.ready = "1";
})();

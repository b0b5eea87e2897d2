"use strict";
// The findings of one fleet run. The payload is gzip + base64 JSON: `strings` holds every text once, `rows` one array of indexes into them per column, `definitions` the lines of tables by index. All else of the page is HTML already.
(async function () {
  const unpacked = (text) => new Response(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  const $ = (id) => document.getElementById(id);
  const D = await unpacked($("data").textContent.trim());
  const S = D.strings, R = D.rows, EFFECTS = D.effects;
  let N = R.effect.length;
  const get = (name, i) => S[R[name][i]];
  // Text only, never markup; characters that reorder or hide text are shown by their numbers.
  const shown = (t) => (t === null || t === undefined ? "" : String(t).replace(/[\u0000-\u001f\u007f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")));
  const el = (tag, text, attributes) => { const e = document.createElement(tag); if (text !== undefined && text !== null) e.textContent = shown(text); for (const k in attributes || {}) e.setAttribute(k, attributes[k]); return e; };
  const kind = (t) => (t === null ? undefined : D.kinds[t]);
  const name = (i) => get("database", i) + "." + get("table", i) + (get("column", i) ? "." + get("column", i) : "");
  const link = (i) => get("source", i) + " \u2192 " + get("replica", i) + (get("channel", i) ? " (" + get("channel", i) + ")" : "");
  const CHUNK = 50;
  const columns = [["effect", "Effect", (i) => EFFECTS.indexOf(get("effect", i))], ["code", "Rule", (i) => get("code", i)], ["link", "Source \u2192 replica", link], ["name", "Table and column", name], ["message", "What happens", (i) => get("message", i)]];
  const small = (t) => (t === null ? "" : String(t).toLowerCase());
  const lower = S.map(small);
  const searched = ["database", "table", "column", "source", "replica", "cluster", "source_type", "replica_type", "message", "code", "rule"];
  let want = {}, order = ["effect", 1], view = [], drawn = 0, chosen = -1;
  const match = (i) => {
    if (want.effect && get("effect", i) !== want.effect) return false;
    if (want.rule && get("code", i) !== want.rule) return false;
    if (want.cluster !== undefined && get("cluster", i) !== want.cluster) return false;
    if (want.from !== undefined && (kind(get("source_type", i)) !== want.from || kind(get("replica_type", i)) !== want.to)) return false;
    if (want.types && (get("column", i) ? get("source_type", i) !== want.types[0] || get("replica_type", i) !== want.types[1] : want.types[0] !== null || want.types[1] !== null)) return false;
    if (want.fresh && !R.fresh[i]) return false;
    if (!want.words || !want.words.length) return true;
    const table = lower[R.database[i]] + "." + lower[R.table[i]];
    return want.words.every((w) => table.includes(w) || searched.some((c) => lower[R[c][i]].includes(w)));
  };
  const rowOf = (i) => {
    const row = el("tr", undefined, { "data-i": i }), effect = el("td");
    effect.append(el("i", undefined, { class: "mark " + get("effect", i) }), get("effect", i)); if (R.fresh[i]) effect.classList.add("new");
    row.append(effect, el("td", get("code", i) + " " + get("rule", i)), el("td", link(i)));
    for (const text of [name(i), get("message", i)]) { const cell = el("td"); cell.append(el("bdi", text)); row.append(cell); }
    return row;
  };
  const draw = (until) => { const rows = []; for (; drawn < Math.min(until, view.length); drawn++) rows.push(rowOf(view[drawn])); $("rows").append(...rows); };
  // Rows are drawn when the end of those that are there comes near.
  const follow = () => { while (drawn < view.length && $("end").getBoundingClientRect().top < innerHeight + 600) draw(drawn + CHUNK); };
  window.addEventListener("scroll", follow); window.addEventListener("resize", follow);
  const refresh = () => {
    view = []; for (let i = 0; i < N; i++) if (match(i)) view.push(i);
    const key = columns.find((c) => c[0] === order[0])[2], keys = new Map(view.map((i) => [i, key(i)]));
    view.sort((a, b) => { const x = keys.get(a), y = keys.get(b); return (x < y ? -1 : x > y ? 1 : a - b) * order[1]; });
    $("count").textContent = view.length.toLocaleString("en") + " of " + N.toLocaleString("en") + (N < D.of ? " here" : "");
    for (const b of $("head").children) b.setAttribute("aria-sort", b.dataset.key === order[0] ? (order[1] > 0 ? "ascending" : "descending") : "none");
    $("rows").replaceChildren(); drawn = 0; draw(CHUNK);
    if (!view.length) $("rows").append(el("tr")), $("rows").lastChild.append(el("td", N ? "No finding is chosen: clear the filters above." : "There are no findings.", { colspan: 5 }));
  };
  const side = (title, lines, other, column) => {
    const box = el("div", undefined, { class: "side" }), set = new Set(other || []); box.append(el("b", title));
    if (!lines.length) box.append(el("div", "nothing that the other end has not"));
    lines.forEach((n) => { const line = el("div", S[n]); if (!set.has(n)) line.className = "differs"; if (column && String(S[n]).startsWith(column + " ")) line.classList.add("here"); box.append(line); });
    return box;
  };
  const open = (i) => {
    document.querySelector(".detail")?.remove(); document.querySelector(".chosen")?.classList.remove("chosen");
    if (chosen === i) { chosen = -1; return; }
    chosen = i; draw(view.indexOf(i) + 1);
    const row = document.querySelector('#rows [data-i="' + i + '"]'); if (!row) return; row.classList.add("chosen");
    const under = el("tr", undefined, { class: "detail" }), box = el("td", undefined, { colspan: 5 }), list = el("dl");
    const put = (k, v) => { if (v !== null && v !== undefined && v !== "") list.append(el("dt", k), el("dd", v)); };
    put("cluster", get("cluster", i)); put("types", get("source_type", i) ? get("source_type", i) + " \u2192 " + (get("replica_type", i) || "") : ""); put("error", get("errno", i) ? get("errno", i) + (R.depends[i] ? " (some rows)" : "") + ": " + (get("error", i) || "") : "");
    put("example", get("example_source", i) !== null ? get("example_source", i) + " becomes " + get("example_replica", i) : ""); put("decided by", get("setting", i)); put("fix", get("remedy", i)); put("statement", get("remedy_sql", i)); put("see", get("reference", i));
    const two = el("div", undefined, { class: "two" }), a = D.definitions[R.source_lines[i]], b = D.definitions[R.replica_lines[i]];
    two.append(side("source " + get("source", i) + " (" + (D.servers[get("source", i)] || "") + ")", a, b, get("source_ordinal", i)), side("replica " + get("replica", i) + " (" + (D.servers[get("replica", i)] || "") + ")", b, a, get("replica_ordinal", i)));
    box.append(list); if (a.length || b.length) box.append(two); const page = D.pages[get("code", i)]; if (page) { const d = el("details"), p = el("pre"); p.textContent = page; d.append(el("summary", "About " + get("code", i)), p); box.append(d); }
    const same = el("button", "all findings of this table", { type: "button" }); same.onclick = () => choose({ text: get("database", i) + "." + get("table", i) }); box.append(same);
    under.append(box); row.after(under); history.replaceState(null, "", "#finding-" + i);
  };
  const choose = (what) => {
    want = { ...what, words: what.text ? [what.text.toLowerCase()] : [] }; $("search").value = what.text || ""; $("effect").value = what.effect || ""; $("rule").value = what.rule || ""; $("cluster").value = what.cluster ?? "*";
    chosen = -1; refresh(); $("findings").scrollIntoView();
  };
  const pick = () => { want = { ...want, effect: $("effect").value, rule: $("rule").value, cluster: $("cluster").value === "*" ? undefined : $("cluster").value, words: $("search").value.toLowerCase().split(/\s+/).filter(Boolean) }; refresh(); };
  for (const [key, title] of columns) { const h = el("th", undefined, { "data-key": key }), b = el("button", title, { type: "button" }); b.onclick = () => { order = [key, order[0] === key ? -order[1] : 1]; refresh(); }; h.append(b); $("head").append(h); }
  const distinct = (c) => [...new Set(R[c])].map((n) => S[n]).sort();
  const fill = (id, label, value, values) => { $(id).append(el("option", label, { value })); for (const v of values) $(id).append(el("option", v[1], { value: v[0] })); };
  const rules = new Map(R.code.map((n, i) => [S[n], get("rule", i)]));
  fill("effect", "every effect", "", EFFECTS.filter((e) => distinct("effect").includes(e)).map((e) => [e, e]));
  fill("rule", "every rule", "", [...rules].sort().map((r) => [r[0], r.join(" ")])); fill("cluster", "every cluster", "*", distinct("cluster").map((c) => [c, c || "(none)"]));
  let wait; $("search").oninput = () => { clearTimeout(wait); wait = setTimeout(pick, 120); }; for (const id of ["effect", "rule", "cluster"]) $(id).onchange = pick;
  $("clear").onclick = () => choose({});
  $("rows").onclick = (e) => { const row = e.target.closest("[data-i]"); if (row) open(Number(row.dataset.i)); };
  for (const one of document.querySelectorAll("[data-choose]")) one.onclick = (e) => { e.preventDefault(); choose(JSON.parse(one.dataset.choose)); };
  // A cell that a spreadsheet would take for a formula begins with an apostrophe.
  const cell = (v) => { let t = shown(v); if (/^[=+\-@\t\r]/.test(t)) t = "'" + t; return '"' + t.replaceAll('"', '""') + '"'; };
  const saved = ["effect", "code", "rule", "cluster", "source", "replica", "database", "table", "column", "source_type", "replica_type", "errno", "message", "remedy", "remedy_sql"];
  const csvOf = (rows) => [saved].concat(rows.map((i) => saved.map((c) => get(c, i)))).map((r) => r.map(cell).join(",")).join("\r\n") + "\r\n";
  $("csv").onclick = () => { const a = el("a", "", { download: "findings.csv", href: URL.createObjectURL(new Blob([csvOf(view)], { type: "text/csv" })) }); a.click(); URL.revokeObjectURL(a.href); };
  window.addEventListener("beforeprint", () => draw(300));
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
  const button = $("more"), label = () => { button.hidden = asked >= D.parts.length; button.textContent = "load the other " + (D.of - N).toLocaleString("en") + " findings"; };
  button.onclick = async () => { button.disabled = true; try { while (asked < D.parts.length) { await next(); asked++; label(); } } catch (wrong) { button.textContent = wrong.message; } button.disabled = false; refresh(); };
  label(); refresh();
  const start = /^#finding-(\d+)$/.exec(location.hash); if (start && Number(start[1]) < N) open(Number(start[1]));
  window.schemacheck = { add, choose, open, csvOf, get view() { return view; }, get order() { return order; } };
  document.body.dataset.ready = "1";
})();

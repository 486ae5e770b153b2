// @ts-check
/** The panels beside the board: scores, moves, fields, analysis. */
import { points, provenText, sideName, signed, t } from "./text.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./game.js").Game} Game */

/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/**
 * @param {string} tag
 * @param {string} text
 * @param {string} [className]
 */
function make(tag, text, className) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  return element;
}

/**
 * @param {(string | number)[]} cells
 * @param {"td" | "th"} tag
 */
function row(cells, tag = "td") {
  const row = document.createElement("tr");
  row.append(...cells.map((cell) => make(tag, String(cell))));
  if (tag === "th") for (const cell of row.children) cell.setAttribute("scope", "col");
  return row;
}

/**
 * @param {View} view
 * @param {import("./clock.js").Clock | null} clock
 */
export function showScores(view, clock) {
  for (const side of /** @type {const} */ (["light", "dark"])) {
    const element = byId(`score-${side}`);
    const parts = [
      make("span", sideName(side), "who"),
      make("span", points(view[side]), "points"),
    ];
    if (clock) parts.push(make("span", clock.text(side), "clock"));
    element.replaceChildren(...parts);
    element.classList.toggle("turn", view.side === side && view.stage !== "over");
  }
}

/**
 * @param {Game} game
 * @param {(ply: number) => void} go
 */
export function showMoves(game, go) {
  const list = byId("moves");
  if (!game.moves.length) {
    list.replaceChildren(make("li", t("moves.none"), "none"));
    return;
  }
  const items = game.moves.map((move, i) => {
    const item = document.createElement("li");
    const button = make("button", `${i + 1}. ${move}`);
    const side = game.views[i]?.side;
    if (side) button.className = side;
    if (i + 1 === game.ply) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => go(i + 1));
    item.append(button);
    return item;
  });
  list.replaceChildren(...items);
  const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** @param {View} view */
export function showFields(view) {
  const head = row(
    ["fields.at", "fields.cells", "fields.light", "fields.dark", "fields.owner", "fields.value"].map((key) => t(key)),
    "th",
  );
  const list = (/** @type {number[]} */ crops) => crops.join(" ") || t("fields.none");
  const touched = view.fields.filter((field) => field.light.length || field.dark.length);
  touched.sort((a, b) => b.value - a.value);
  const rows = touched.map((field) => {
    const owner = field.controller ? sideName(field.controller) : t("fields.nobody");
    return row([field.label, field.cells.length, list(field.light), list(field.dark), owner, field.value]);
  });
  byId("fields").replaceChildren(head, ...rows);
}

/**
 * @param {import("./api.js").Thought | null} thought
 * @param {boolean} running
 */
export function showAnalysis(thought, running) {
  const button = byId("analyse");
  button.textContent = t(running ? "analysis.stop" : "analysis.start");
  button.setAttribute("aria-pressed", String(running));
  if (!thought) {
    byId("analysis-note").textContent = t("analysis.off");
    byId("analysis").replaceChildren();
    return;
  }
  const seconds = (thought.time_ms / 1000).toFixed(1);
  const percent = (100 * thought.winrate).toFixed(1);
  const nodes = thought.nodes.toLocaleString("en");
  byId("analysis-note").textContent = t("analysis.on", nodes, seconds, percent, signed(thought.margin));
  const head = ["analysis.move", "analysis.visits", "analysis.win", "analysis.margin", "analysis.line"];
  const rows = thought.lines.map((line) => {
    const rate = `${(100 * line.winrate).toFixed(1)} %`;
    const win = line.proven ? t("proven.proven", rate, provenText(line.proven)) : rate;
    const pv = line.pv.slice(1, 7).join(" ");
    return row([line.move, line.visits.toLocaleString("en"), win, signed(line.margin), pv]);
  });
  byId("analysis").replaceChildren(row(head.map((key) => t(key)), "th"), ...rows);
}

/**
 * Whose turn it is, or how the game ended.
 * @param {Game} game
 * @param {View} view
 * @param {boolean} thinking
 */
export function statusText(game, view, thinking) {
  if (game.isLatest && game.ending) {
    const winner = game.ending.loser === "light" ? "dark" : "light";
    return t(`over.${game.ending.kind}`, sideName(game.ending.loser), sideName(winner));
  }
  const turn = turnText(view);
  if (!game.isLatest) return t("turn.older", game.ply, game.moves.length, turn);
  if (view.stage === "over") return turn;
  if (thinking) return t("turn.engine", turn);
  if (game.setup.you === "both" || game.isEngine(view.side)) return turn;
  const yours = t("turn.yours", turn);
  // Whoever can't see the board hears what the engine has done.
  const before = game.views[game.ply - 1]?.side;
  if (!before || !game.isEngine(before)) return yours;
  return t("turn.after", sideName(before), game.moves[game.ply - 1], yours);
}

/** @param {View} view */
function turnText(view) {
  const [light, dark] = [points(view.light), points(view.dark)];
  if (view.stage === "over") {
    if (view.light === view.dark) return t("over.draw", light, dark);
    const winner = view.light > view.dark ? "light" : "dark";
    return winner === "light" ? t("over.won", sideName(winner), light, dark) : t("over.won", sideName(winner), dark, light);
  }
  const side = sideName(view.side);
  if (view.stage === "placement") return t("turn.placement", side);
  const other = sideName(view.side === "light" ? "dark" : "light");
  return view.passes ? t("turn.passed", side, other) : t("turn.moving", side);
}

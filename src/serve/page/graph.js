// @ts-check
/** The course of a game: Light's chance to win and the margin expected. */
import { signed, t } from "./text.js";

const WIDTH = 600;
const HEIGHT = 150;
const LEFT = 34;
const RIGHT = 40;
const TOP = 10;
const BOTTOM = 16;

/**
 * Draws the graph; a click goes to the nearest ply.
 * @param {HTMLElement} root
 * @param {import("./game.js").Game} game
 * @param {(ply: number) => void} go
 */
export function drawGraph(root, game, go) {
  const plies = Math.max(1, game.moves.length);
  const x = (/** @type {number} */ ply) => LEFT + (ply * (WIDTH - LEFT - RIGHT)) / plies;
  const y = (/** @type {number} */ share) => TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
  const margins = game.opinions.map((opinion) => opinion?.margin);
  // A spread of opinions would make undefined of the plies without one.
  const most = margins.reduce((most, margin) => Math.max(most ?? 0, Math.abs(margin ?? 0)), 10) ?? 10;
  const wins = path(game.opinions.map((opinion) => opinion?.winrate), x, y);
  const course = path(margins.map((m) => (m === undefined ? m : m / most / 2 + 0.5)), x, y);
  const now = x(game.ply);
  const axis = (/** @type {string} */ text, /** @type {number} */ share, /** @type {boolean} */ right) =>
    `<text x="${right ? WIDTH - RIGHT + 5 : LEFT - 5}" y="${y(share) + 4}"${right ? "" : ' text-anchor="end"'}>${text}</text>`;
  const opinion = game.opinions[game.ply];
  const summary = opinion ? `${Math.round(opinion.winrate * 100)} %` : "–";
  root.innerHTML =
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${t("graph.label", game.moves.length, summary)}">` +
    `<rect x="${LEFT}" y="${TOP}" width="${WIDTH - LEFT - RIGHT}" height="${HEIGHT - TOP - BOTTOM}" class="area"/>` +
    `<path d="M${LEFT} ${y(0.5)}H${WIDTH - RIGHT}" class="middle"/>` +
    `<path d="M${now} ${TOP}V${HEIGHT - BOTTOM}" class="now"/>` +
    `<path d="${course}" class="margins"/><path d="${wins}" class="wins"/>` +
    axis("100", 1, false) + axis("50", 0.5, false) + axis("0", 0, false) +
    axis(signed(Math.round(most)).replace(".0", ""), 1, true) + axis("0", 0.5, true) +
    axis(signed(-Math.round(most)).replace(".0", ""), 0, true) +
    `</svg><p class="legend"><span class="wins">${t("graph.win")}</span> <span class="margins">${t("graph.margin")}</span></p>`;
  const svg = root.querySelector("svg");
  svg?.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) * WIDTH) / box.width;
    const ply = Math.round(((at - LEFT) * plies) / (WIDTH - LEFT - RIGHT));
    go(Math.max(0, Math.min(game.moves.length, ply)));
  });
}

/**
 * A line through the values known; it bridges those that aren't.
 * @param {(number | undefined)[]} values
 * @param {(ply: number) => number} x
 * @param {(share: number) => number} y
 */
function path(values, x, y) {
  let out = "";
  values.forEach((value, ply) => {
    if (value === undefined) return;
    out += `${out ? "L" : "M"}${x(ply).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  // A line of one point would not be seen.
  return out.includes("L") || !out ? out : `${out}h2`;
}

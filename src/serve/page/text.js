// @ts-check
/**
 * Every word that the page shows. To translate it, translate the values of
 * this table; `{0}`, `{1}` stand for what is filled in.
 */

/** @type {Record<string, string>} */
const TEXT = {
  "side.light": "Light",
  "side.dark": "Dark",
  "cancel": "Cancel",
  "close": "Close",
  "board.section": "Board",
  "board.grid": "Board, {0} by {0}. Arrow keys move, Enter chooses a farmer or a cell.",
  "cell.empty": "{0}, empty",
  "cell.field": "{0}, empty, {1}'s field worth {2}",
  "cell.seed": "{0}, {1} seed",
  "cell.farmer": "{0}, {1} farmer, crop {2}",
  "cell.place": "{0}: place a farmer here",
  "cell.movable": "{0}: can move",
  "cell.chosen": "{0}: chosen",
  "cell.harvest": "{0}: harvest to here, crop {1}",
  "cell.sow": "{0}: sow to here, leaving {1}",
  "seeds.one": "1 seed",
  "seeds.many": "{0} seeds",
  "turn.placement": "{0} to place a farmer.",
  "turn.moving": "{0} to move.",
  "turn.passed": "{0} to move; {1} has passed.",
  "turn.yours": "{0} It is your turn.",
  "turn.engine": "{0} The engine is thinking…",
  "turn.older": "After move {0} of {1}. {2}",
  "over.won": "The game is over: {0} wins {1} : {2}.",
  "over.draw": "The game is over: a draw, {0} : {1}.",
  "over.resigned": "{0} has resigned: {1} wins.",
  "over.time": "{0} has no time left: {1} wins.",
  "turn.after": "{0} played {1}. {2}",
  "hint": "A good move: {0}.",
  "go.first": "To the start",
  "go.back": "One move back",
  "go.forward": "One move forward",
  "go.last": "To the latest move",
  "do.pass": "Pass",
  "do.hint": "Hint",
  "do.undo": "Undo",
  "do.resign": "Resign",
  "analysis.section": "Analysis",
  "analysis.table": "The moves thought best",
  "analysis.start": "Analyse",
  "analysis.stop": "Stop",
  "analysis.off": "Analyse shows what the engine thinks of the position on the board. All numbers are Light's view.",
  "analysis.on": "{0} simulations in {1} s. Light wins {2} %, expected margin {3}. All numbers are Light's view.",
  "analysis.review": "Analyse the game",
  "analysis.reviewing": "Stop at {0}/{1}",
  "analysis.move": "Move",
  "analysis.visits": "Visits",
  "analysis.win": "Light wins",
  "analysis.margin": "Margin",
  "analysis.line": "Line of play",
  "proven.exact": "{0} wins by {1}",
  "proven.least": "{0} wins by {1} or more",
  "proven.draw": "draw",
  "proven.proven": "{0} (proven: {1})",
  "graph.section": "Course of the game",
  "graph.label": "Light's chance to win and the expected margin after each of {0} moves; now {1}",
  "graph.win": "Light wins, %",
  "graph.margin": "expected margin, Light − Dark",
  "moves.section": "Moves",
  "moves.none": "No move yet.",
  "fields.section": "Fields",
  "fields.cells": "Cells",
  "fields.light": "Light's crops",
  "fields.dark": "Dark's crops",
  "fields.owner": "Whose",
  "fields.value": "Value",
  "fields.at": "At",
  "fields.nobody": "nobody",
  "fields.none": "–",
  "new.open": "New game",
  "new.title": "A new game",
  "new.size": "Board",
  "new.size_option": "{0}×{0}{1}",
  "new.usual": " (standard)",
  "new.quick": " (quick)",
  "new.deep": " (deep)",
  "new.farmers": "Farmers each",
  "new.you": "You play",
  "new.both": "both sides",
  "new.neither": "neither (the engine plays itself)",
  "new.level": "The engine's strength",
  "new.level_option": "{0} – {1}",
  "new.time": "The engine's time for a move, at most",
  "new.seconds": "{0} s",
  "new.clock": "Clock for both",
  "new.no_clock": "none",
  "new.clock_option": "{0} min + {1} s a move",
  "new.start": "Start",
  "text.open": "Copy and paste",
  "text.title": "Position and record",
  "text.note": "A record is a position (or start:SIZE:FARMERS) on a line of its own, and moves below. Paste either and load it.",
  "text.position": "The position on the board",
  "text.record": "The record of the game",
  "text.load": "Load",
  "text.copy_position": "Copy position",
  "text.copy_record": "Copy record",
  "text.save_record": "Save record",
  "text.save_picture": "Save picture",
  "text.loaded": "Loaded.",
  "rules.open": "Rules",
  "rules.title": "The rules in short",
  "rules.1": "Placement: Light places one farmer, then both place two at a turn, and Dark places the last one. A farmer alone has crop 1.",
  "rules.2": "Harvest: a farmer with crop c moves exactly c cells in one of eight directions, over empty cells and its own side's pieces, to an empty cell. A seed goes under it: its crop grows by one.",
  "rules.3": "Sow: a farmer with crop c moves c − 1 cells over empty cells only and leaves its c − 1 seeds behind, the first on the cell it leaves. Its crop is 1 again.",
  "rules.4": "Pass: always allowed. Two passes in a row end the game.",
  "rules.5": "Score: a field is a set of empty cells joined at their sides. Whoever has the taller farmers beside it controls it and gets its cells times the tallest crop. The side with the taller farmers on the whole board gets half a point more.",
  "error.network": "The server does not answer. Is it still running?",
  "error.failed": "The search failed.",
};

/**
 * The text of a key.
 * @param {string} key
 * @param {...(string | number)} values
 * @returns {string}
 */
export function t(key, ...values) {
  const text = TEXT[key];
  if (text === undefined) throw new Error(`no text for ${key}`);
  return text.replace(/\{(\d)\}/g, (_, i) => String(values[Number(i)] ?? ""));
}

/** @param {"light" | "dark"} side */
export function sideName(side) {
  return t(side === "light" ? "side.light" : "side.dark");
}

/**
 * Points with a half written as ½.
 * @param {number} value
 */
export function points(value) {
  const whole = Math.trunc(value);
  if (value === whole) return String(whole);
  return (value < 0 && whole === 0 ? "-" : "") + (whole === 0 ? "" : whole) + "½";
}

/**
 * A margin with its sign and one decimal.
 * @param {number} value
 */
export function signed(value) {
  const text = Math.abs(value).toFixed(1);
  return text === "0.0" ? "0.0" : (value < 0 ? "−" : "+") + text;
}

/**
 * What is proven, in words.
 * @param {{winner: "light" | "dark" | null, by: number, exact: boolean}} proven
 */
export function provenText({ winner, by, exact }) {
  if (!winner) return t("proven.draw");
  return t(exact ? "proven.exact" : "proven.least", sideName(winner), points(by));
}

/** Fills in every text that the page's source names. */
export function fillPage() {
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = t(element.getAttribute("data-text") ?? "");
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", t(element.getAttribute("data-label") ?? ""));
  }
  const rules = ["rules.1", "rules.2", "rules.3", "rules.4", "rules.5"].map((key) => {
    const paragraph = document.createElement("p");
    paragraph.textContent = t(key);
    return paragraph;
  });
  document.getElementById("rules")?.replaceChildren(...rules);
}

// @ts-check
/** The page: what happens when, with everything else in files of its own. */
import * as api from "./api.js";
import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { newGameDialog, rulesDialog, textDialog } from "./controls.js";
import { Game, USUAL } from "./game.js";
import { drawGraph } from "./graph.js";
import { byId, showAnalysis, showFields, showMoves, showScores, statusText } from "./panels.js";
import { fillPage, t } from "./text.js";

/** @typedef {import("./api.js").Thought} Thought */

/** Simulations for each position when a whole game is analysed. */
const REVIEW_NODES = 400;

const game = new Game();
const board = new Board(byId("board"), (move) => play(move));

/** @type {Clock | null} */
let clock = null;
/** The engine's own thinking about its move, the analysis, the review. */
/** @type {{turn: AbortController | null, analysis: AbortController | null, review: AbortController | null}} */
const searches = { turn: null, analysis: null, review: null };
let analysing = false;

/** @param {unknown} error */
function report(error) {
  const problem = byId("problem");
  problem.textContent = error instanceof Error ? error.message : String(error ?? "");
  problem.hidden = !error;
}

/** @param {keyof typeof searches} which */
function begin(which) {
  searches[which]?.abort();
  searches[which] = new AbortController();
  return searches[which].signal;
}

/** @param {keyof typeof searches} which */
function end(which) {
  searches[which]?.abort();
  searches[which] = null;
}

/** Shows the ply that the game is at, and goes on from there. */
async function refresh() {
  const ply = game.ply;
  /** @type {api.View | null} */
  let view;
  try {
    view = await game.view(ply);
  } catch (error) {
    report(error);
    return;
  }
  if (!view || ply !== game.ply) return;
  const live = game.isLatest && !game.ending && view.stage !== "over";
  const engine = live && game.isEngine(view.side);
  board.show(view, { movable: view.stage !== "over" && !engine && !game.ending, last: game.moves[ply - 1] ?? null });
  if (clock && live) clock.start(view.side);
  else clock?.stop();
  draw(view);
  if (analysing) analyse();
  if (engine && !searches.turn) think(view);
}

/** @param {api.View} view */
function draw(view) {
  showScores(view, clock);
  showMoves(game, go);
  showFields(view);
  drawGraph(byId("graph"), game, go);
  const engine = game.isLatest && !game.ending && view.stage !== "over" && game.isEngine(view.side);
  byId("status").textContent = statusText(game, view, engine);
  const able = (/** @type {string} */ id, /** @type {boolean} */ yes) => {
    /** @type {HTMLButtonElement} */ (byId(id)).disabled = !yes;
  };
  const yours = board.movable;
  able("pass", yours && view.legal.some((move) => move.kind === "pass"));
  able("hint", yours);
  able("undo", game.moves.length > 0);
  able("resign", yours && game.isLatest);
  able("first", game.ply > 0);
  able("back", game.ply > 0);
  able("forward", !game.isLatest);
  able("last", !game.isLatest);
}

/** Draws again what an opinion or the clock changes. */
function redraw() {
  const view = game.views[game.ply];
  if (view) draw(view);
}

/** @param {string} move */
function play(move) {
  report("");
  clock?.stop(true);
  end("turn");
  end("review");
  showReview(null);
  board.showArrows([]);
  game.play(move);
  refresh();
}

/** @param {number} ply */
function go(ply) {
  if (ply < 0 || ply > game.moves.length || ply === game.ply) return;
  game.ply = ply;
  board.showArrows([]);
  refresh();
}

/**
 * The engine's move.
 * @param {api.View} view
 */
async function think(view) {
  const signal = begin("turn");
  const { level, seconds } = game.setup;
  const time_ms = clock ? Math.min(clock.share(view.side), seconds * 1000) : seconds * 1000;
  const ply = game.moves.length;
  try {
    const thought = await api.think({ ...game.asked(ply), level, time_ms }, signal);
    if (signal.aborted || ply !== game.moves.length) return;
    remember(ply, thought);
    searches.turn = null;
    if (!thought.move) return;
    const wasLatest = game.isLatest;
    const shown = game.ply;
    game.ply = ply;
    clock?.stop(true);
    game.play(thought.move);
    // Whoever looks at an older move goes on looking at it.
    if (!wasLatest) game.ply = shown;
    await refresh();
  } catch (error) {
    if (!signal.aborted) {
      searches.turn = null;
      report(error);
    }
  }
}

/**
 * @param {number} ply
 * @param {Thought} thought
 */
function remember(ply, thought) {
  game.opinions[ply] = { winrate: thought.winrate, margin: thought.margin };
}

/** Analyses the position shown until told to stop. */
async function analyse() {
  const signal = begin("analysis");
  const ply = game.ply;
  const show = (/** @type {Thought} */ thought, /** @type {boolean} */ running) => {
    if (signal.aborted || ply !== game.ply) return;
    remember(ply, thought);
    showAnalysis(thought, running);
    board.showArrows(
      thought.lines.slice(0, 3).map((line, i) => ({
        move: line.move,
        label: `${Math.round(100 * line.winrate)} %`,
        strong: i === 0,
      })),
    );
    drawGraph(byId("graph"), game, go);
  };
  try {
    const thought = await api.think(game.asked(), signal, (thought) => show(thought, true));
    show(thought, analysing);
  } catch (error) {
    if (!signal.aborted) {
      stopAnalysis();
      report(error);
    }
  }
}

function stopAnalysis() {
  analysing = false;
  end("analysis");
  byId("analyse").textContent = t("analysis.start");
  byId("analyse").setAttribute("aria-pressed", "false");
}

function toggleAnalysis() {
  report("");
  if (analysing) {
    stopAnalysis();
    board.showArrows([]);
    return;
  }
  analysing = true;
  showAnalysis(null, true);
  analyse();
}

/** @param {number | null} ply */
function showReview(ply) {
  byId("review").textContent =
    ply === null ? t("analysis.review") : t("analysis.reviewing", ply, game.moves.length);
}

/** Looks at every position of the game for a moment. */
async function review() {
  if (searches.review) {
    end("review");
    showReview(null);
    return;
  }
  const signal = begin("review");
  try {
    for (let ply = 0; ply <= game.moves.length && !signal.aborted; ply++) {
      showReview(ply);
      const view = await game.view(ply);
      if (view && !game.opinions[ply]) {
        remember(ply, await api.think({ ...game.asked(ply), nodes: REVIEW_NODES }, signal));
      }
      if (!signal.aborted) redraw();
    }
  } catch (error) {
    if (!signal.aborted) report(error);
  }
  if (!signal.aborted) {
    searches.review = null;
    showReview(null);
  }
}

async function hint() {
  const signal = begin("turn");
  const ply = game.ply;
  try {
    const thought = await api.think({ ...game.asked(), level: 8, time_ms: 1000 }, signal);
    if (signal.aborted || ply !== game.ply || !thought.move) return;
    remember(ply, thought);
    redraw();
    board.showArrows([{ move: thought.move, label: `${Math.round(100 * thought.winrate)} %`, strong: true }]);
    byId("status").textContent = t("hint", thought.move);
  } catch (error) {
    if (!signal.aborted) report(error);
  } finally {
    if (searches.turn?.signal === signal) searches.turn = null;
  }
}

/** Takes moves back until it is a person's turn again. */
function undo() {
  report("");
  end("turn");
  end("review");
  showReview(null);
  let ply = game.moves.length - 1;
  const isEngines = (/** @type {number} */ at) => {
    const side = game.views[at]?.side;
    return game.setup.you !== "neither" && side !== undefined && game.isEngine(side);
  };
  while (ply > 0 && isEngines(ply)) ply--;
  board.showArrows([]);
  game.cut(Math.max(0, ply));
  refresh();
}

function resign() {
  const side = game.views[game.ply]?.side;
  if (!side) return;
  game.ending = { kind: "resigned", loser: side };
  end("turn");
  game.keep();
  refresh();
}

/**
 * @param {string} start
 * @param {string[]} moves
 * @param {import("./game.js").Setup} setup
 */
function startGame(start, moves, setup) {
  report("");
  for (const which of /** @type {const} */ (["turn", "review"])) end(which);
  showReview(null);
  clock?.stop();
  clock = setup.minutes
    ? new Clock(setup.minutes, setup.increment, tick, (loser) => {
        game.ending = { kind: "time", loser };
        end("turn");
        game.keep();
        refresh();
      })
    : null;
  board.showArrows([]);
  game.reset(start, moves, setup);
  refresh();
}

function tick() {
  const view = game.views[game.ply];
  if (view) showScores(view, clock);
}

/** @param {KeyboardEvent} event */
function pageKey(event) {
  const inside = event.target instanceof Element && event.target.closest("dialog, input, textarea, select");
  if (inside || event.ctrlKey || event.metaKey) return;
  if (event.altKey && event.key === "ArrowLeft") go(game.ply - 1);
  else if (event.altKey && event.key === "ArrowRight") go(game.ply + 1);
  else return;
  event.preventDefault();
}

async function main() {
  fillPage();
  showAnalysis(null, false);
  showReview(null);
  const clicks = {
    first: () => go(0),
    back: () => go(game.ply - 1),
    forward: () => go(game.ply + 1),
    last: () => go(game.moves.length),
    pass: () => play("pass"),
    hint,
    undo,
    resign,
    analyse: toggleAnalysis,
    review,
  };
  for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener("click", action);
  document.addEventListener("keydown", pageKey);
  textDialog(() => game.asked(), () => game.asked(game.moves.length), (loaded) => {
    startGame(loaded.start, loaded.moves, { ...USUAL, you: "both" });
    byId("status").textContent = t("text.loaded");
  });
  rulesDialog();
  game.resume();
  refresh();
  try {
    newGameDialog(await api.info(), (start, setup) => startGame(start, [], setup));
  } catch {
    report(t("error.network"));
  }
}

main();

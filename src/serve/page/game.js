// @ts-check
/**
 * The game: its moves, who plays, how it ended, and what is known of each of
 * its positions. It knows no rules; the server says what each position is.
 */
import * as api from "./api.js";

/** @typedef {import("./api.js").Side} Side */
/** @typedef {import("./api.js").View} View */
/** @typedef {"light" | "dark" | "both" | "neither"} You */
/** @typedef {{you: You, level: number, seconds: number, minutes: number, increment: number}} Setup */
/** @typedef {{winrate: number, margin: number}} Opinion  Light's view */
/** @typedef {{kind: "resigned" | "time", loser: Side} | null} Ending */

const KEPT = "agros.game";

/** @type {Setup} */
export const USUAL = { you: "light", level: 3, seconds: 3, minutes: 0, increment: 0 };

export class Game {
  constructor() {
    this.start = "start:10:5";
    /** @type {string[]} */
    this.moves = [];
    /** The ply shown: so many moves have been made. */
    this.ply = 0;
    /** @type {Setup} */
    this.setup = { ...USUAL };
    /** @type {Ending} */
    this.ending = null;
    /** @type {(View | undefined)[]} */
    this.views = [];
    /** @type {(Opinion | undefined)[]} */
    this.opinions = [];
  }

  /**
   * Begins anew.
   * @param {string} start
   * @param {string[]} moves
   * @param {Setup} setup
   */
  reset(start, moves, setup) {
    Object.assign(this, { start, moves, setup, ending: null, views: [], opinions: [] });
    this.ply = moves.length;
    this.keep();
  }

  /** The game as the server wants it, up to a ply. */
  asked(ply = this.ply) {
    return { start: this.start, moves: this.moves.slice(0, ply) };
  }

  /**
   * The view of a ply, asked for once. `null` where the game has changed
   * before the answer came.
   * @param {number} ply
   * @returns {Promise<View | null>}
   */
  async view(ply) {
    const known = this.views[ply];
    if (known) return known;
    const views = this.views;
    const asked = this.asked(ply);
    const view = await api.view(asked);
    const same = views === this.views && String(asked.moves) === String(this.moves.slice(0, ply));
    if (!same) return null;
    views[ply] = view;
    return view;
  }

  /** Whether the latest position is shown. */
  get isLatest() {
    return this.ply === this.moves.length;
  }

  /**
   * Makes a move at the ply shown; what came after it is forgotten.
   * @param {string} move
   */
  play(move) {
    this.cut(this.ply);
    this.moves.push(move);
    this.ply += 1;
    this.keep();
  }

  /**
   * Forgets all moves from a ply on.
   * @param {number} ply
   */
  cut(ply) {
    if (ply < this.moves.length) this.ending = null;
    this.moves.length = Math.min(ply, this.moves.length);
    this.views.length = Math.min(this.views.length, ply + 1);
    this.opinions.length = Math.min(this.opinions.length, ply + 1);
    this.ply = this.moves.length;
    this.keep();
  }

  /** @param {Side} side */
  isEngine(side) {
    return this.setup.you === "neither" || (this.setup.you !== "both" && this.setup.you !== side);
  }

  /** Keeps the game for when the page is opened again. */
  keep() {
    const { start, moves, setup, ending } = this;
    try {
      localStorage.setItem(KEPT, JSON.stringify({ start, moves, setup, ending }));
    } catch {
      // A browser may refuse to keep anything; the game goes on all the same.
    }
  }

  /** Takes up the game kept, if there is one. */
  resume() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null");
      if (!kept || !Array.isArray(kept.moves)) return;
      this.reset(String(kept.start), kept.moves.map(String), { ...USUAL, ...kept.setup });
      this.ending = kept.ending ?? null;
    } catch {
      // What can't be read is as good as nothing kept.
    }
  }
}

// @ts-check
/** @typedef {import("./api.js").Side} Side */

/** A clock for both sides, in milliseconds. */
export class Clock {
  /**
   * @param {number} minutes
   * @param {number} increment seconds won with each move
   * @param {() => void} onTick called while it runs
   * @param {(side: Side) => void} onExpired
   */
  constructor(minutes, increment, onTick, onExpired) {
    this.left = { light: minutes * 60_000, dark: minutes * 60_000 };
    this.increment = increment * 1000;
    this.onTick = onTick;
    this.onExpired = onExpired;
    /** @type {Side | null} */
    this.running = null;
    this.since = 0;
    this.timer = 0;
  }

  /**
   * Time left of a side now.
   * @param {Side} side
   */
  remaining(side) {
    const used = this.running === side ? performance.now() - this.since : 0;
    return Math.max(0, this.left[side] - used);
  }

  /** @param {Side} side */
  start(side) {
    this.stop();
    this.running = side;
    this.since = performance.now();
    this.timer = window.setInterval(() => this.tick(), 200);
  }

  /** Stops; `moved` adds the increment. */
  stop(moved = false) {
    window.clearInterval(this.timer);
    if (!this.running) return;
    this.left[this.running] = this.remaining(this.running) + (moved ? this.increment : 0);
    this.running = null;
  }

  tick() {
    const side = this.running;
    if (side && this.remaining(side) <= 0) {
      this.stop();
      this.onExpired(side);
    }
    this.onTick();
  }

  /**
   * The time that an engine may take for a move, in milliseconds.
   * @param {Side} side
   */
  share(side) {
    return Math.max(50, Math.round(this.remaining(side) / 25 + 0.7 * this.increment));
  }

  /** @param {Side} side */
  text(side) {
    const seconds = Math.ceil(this.remaining(side) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}

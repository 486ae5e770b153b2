// @ts-check
/**
 * The board: a picture below and a grid of buttons above it, so that clicks,
 * drags, the keyboard and screen readers all meet the same cells.
 */
import { sideName, t } from "./text.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./api.js").LegalMove} LegalMove */
/** @typedef {import("./api.js").Side} Side */
/** @typedef {{move: string, label: string, strong: boolean}} Arrow */

const CELL = 48;
const DRAG_AFTER = 6;

const PIECE = {
  light: { fill: "#ecc68c", rim: "#7a5222", text: "#2b1a06" },
  dark: { fill: "#6f4321", rim: "#2e1806", text: "#fff6e8" },
};
const FIELD = {
  light: { tint: "#f8e3a6", line: "#b07d10" },
  dark: { tint: "#bcd3ea", line: "#2f6194" },
  nobody: { tint: "#f1ece2", line: "#b8ae9c" },
};

export class Board {
  /**
   * @param {HTMLElement} root
   * @param {(move: string) => void} onMove
   */
  constructor(root, onMove) {
    this.root = root;
    this.onMove = onMove;
    /** @type {View | null} */
    this.view = null;
    this.movable = false;
    /** @type {string | null} */
    this.last = null;
    /** @type {Arrow[]} */
    this.arrows = [];
    /** @type {string | null} */
    this.chosen = null;
    /** @type {string | null} */
    this.pointed = null;
    this.focus = "a1";
    this.size = 0;
    /** @type {{x: number, y: number, moving: boolean} | null} */
    this.drag = null;
    this.ignoreClick = false;
    /** @type {Map<string, HTMLButtonElement>} */
    this.cells = new Map();
    this.picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.picture.setAttribute("aria-hidden", "true");
    this.grid = document.createElement("div");
    this.grid.className = "grid";
    this.grid.setAttribute("role", "grid");
    root.append(this.picture, this.grid);
    this.listen();
  }

  /**
   * Shows a position.
   * @param {View} view
   * @param {{movable: boolean, last: string | null}} how
   */
  show(view, { movable, last }) {
    if (view.size !== this.size) this.build(view.size);
    if (view.position !== this.view?.position || movable !== this.movable) {
      this.chosen = null;
      this.pointed = null;
    }
    this.view = view;
    this.movable = movable;
    this.last = last;
    this.draw();
  }

  /** @param {Arrow[]} arrows */
  showArrows(arrows) {
    this.arrows = arrows;
    this.draw();
  }

  /** @param {number} size */
  build(size) {
    this.size = size;
    this.cells.clear();
    this.focus = "a1";
    this.grid.setAttribute("aria-label", t("board.grid", size));
    this.root.style.setProperty("--size", String(size));
    this.picture.setAttribute("viewBox", `0 0 ${size * CELL} ${size * CELL}`);
    const rows = [];
    for (let rank = size; rank >= 1; rank--) {
      const row = document.createElement("div");
      row.setAttribute("role", "row");
      for (let file = 0; file < size; file++) {
        const name = String.fromCharCode(97 + file) + rank;
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.cell = name;
        button.setAttribute("role", "gridcell");
        button.tabIndex = name === this.focus ? 0 : -1;
        this.cells.set(name, button);
        row.append(button);
      }
      rows.push(row);
    }
    this.grid.replaceChildren(...rows);
  }

  listen() {
    const grid = this.grid;
    grid.addEventListener("click", (event) => {
      const cell = cellOf(event.target);
      if (cell && !this.ignoreClick) this.choose(cell);
      this.ignoreClick = false;
    });
    grid.addEventListener("keydown", (event) => this.key(event));
    grid.addEventListener("focusin", (event) => this.point(cellOf(event.target)));
    grid.addEventListener("pointerover", (event) => this.point(cellOf(event.target)));
    grid.addEventListener("pointerleave", () => this.point(null));
    grid.addEventListener("pointerdown", (event) => {
      const cell = cellOf(event.target);
      this.ignoreClick = false;
      if (!cell || event.button !== 0 || !this.stepsFrom(cell).length) return;
      this.drag = { x: event.clientX, y: event.clientY, moving: false };
      this.dragFrom = cell;
      // A touch would capture the pointer and hide the cells it passes over.
      /** @type {Element} */ (event.target).releasePointerCapture?.(event.pointerId);
    });
    window.addEventListener("pointermove", (event) => this.dragged(event));
    window.addEventListener("pointerup", (event) => this.dropped(event));
    window.addEventListener("pointercancel", () => this.endDrag());
  }

  /** @param {PointerEvent} event */
  dragged(event) {
    const drag = this.drag;
    if (!drag) return;
    if (!drag.moving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG_AFTER) {
      drag.moving = true;
      this.chosen = this.dragFrom ?? null;
      this.draw();
    }
    if (!drag.moving) return;
    const box = this.picture.getBoundingClientRect();
    const scale = (this.size * CELL) / box.width;
    const ghost = this.picture.querySelector("#ghost");
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    ghost?.setAttribute("transform", `translate(${x} ${y})`);
    ghost?.setAttribute("opacity", "0.85");
  }

  /** @param {PointerEvent} event */
  dropped(event) {
    const drag = this.drag;
    this.endDrag();
    if (!drag?.moving) return;
    // A click follows where it was dropped on the cell that it came from.
    this.ignoreClick = true;
    window.setTimeout(() => (this.ignoreClick = false), 0);
    const cell = cellOf(document.elementFromPoint(event.clientX, event.clientY));
    const step = cell && this.target(cell);
    if (step) this.onMove(step.move);
    else this.draw();
  }

  endDrag() {
    this.drag = null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const file = this.focus.charCodeAt(0) - 97;
    const rank = Number(this.focus.slice(1));
    const to = {
      ArrowLeft: [file - 1, rank],
      ArrowRight: [file + 1, rank],
      ArrowUp: [file, rank + 1],
      ArrowDown: [file, rank - 1],
      Home: [0, rank],
      End: [this.size - 1, rank],
    }[event.key];
    if (event.key === "Escape") {
      this.chosen = null;
      this.draw();
    }
    if (!to) return;
    event.preventDefault();
    const next = this.cells.get(String.fromCharCode(97 + to[0]) + to[1]);
    next?.focus();
  }

  /** @param {string | null} cell */
  point(cell) {
    if (cell && document.activeElement === this.cells.get(cell)) {
      const before = this.cells.get(this.focus);
      if (before) before.tabIndex = -1;
      this.focus = cell;
      const now = this.cells.get(cell);
      if (now) now.tabIndex = 0;
    }
    if (cell === this.pointed) return;
    const mattered = this.isTarget(this.pointed) || this.isTarget(cell);
    this.pointed = cell;
    if (mattered) this.draw();
  }

  /** @param {string | null} cell */
  isTarget(cell) {
    return cell !== null && this.target(cell) !== undefined;
  }

  /** @param {string} cell */
  choose(cell) {
    const move = this.target(cell);
    if (move) {
      this.onMove(move.move);
      return;
    }
    this.chosen = cell !== this.chosen && this.stepsFrom(cell).length ? cell : null;
    this.draw();
  }

  /** @returns {LegalMove[]} */
  legal() {
    return this.movable && this.view ? this.view.legal : [];
  }

  /** @param {string} cell */
  stepsFrom(cell) {
    return this.legal().filter((move) => move.from === cell);
  }

  /**
   * The move that choosing a cell makes now.
   * @param {string} cell
   */
  target(cell) {
    return this.legal().find(
      (move) => move.to === cell && (move.kind === "place" || (this.chosen && move.from === this.chosen)),
    );
  }

  draw() {
    const view = this.view;
    if (!view) return;
    this.picture.innerHTML = [
      this.drawCells(view),
      view.fields.map((field) => this.drawOutline(field)).join(""),
      this.drawLast(),
      view.pieces.map((piece) => this.drawPiece(piece)).join(""),
      view.fields.filter((field) => field.value > 0).map((field) => this.drawValue(field)).join(""),
      this.drawTargets(),
      this.drawArrows(),
      this.drawGhost(view),
    ].join("");
    this.describe(view);
  }

  /** @param {View} view */
  drawCells(view) {
    const owner = new Map(view.fields.flatMap((f) => f.cells.map((c) => [c, f.controller ?? "nobody"])));
    let out =
      '<defs><pattern id="dots" width="8" height="8" patternUnits="userSpaceOnUse">' +
      '<circle cx="2" cy="2" r="1" fill="#2f6194" opacity=".45"/></pattern></defs>';
    for (const cell of this.cells.keys()) {
      const [x, y] = this.corner(cell);
      const whose = /** @type {keyof typeof FIELD | undefined} */ (owner.get(cell));
      const tint = whose ? FIELD[whose].tint : "#ddd3c2";
      out += `<rect x="${x}" y="${y}" width="48" height="48" fill="${tint}" stroke="#fff"/>`;
      if (whose === "dark") out += `<rect x="${x}" y="${y}" width="48" height="48" fill="url(#dots)"/>`;
    }
    for (let i = 1; i <= this.size; i++) {
      const end = this.size * CELL;
      out += `<text class="coordinate" x="3" y="${end - i * CELL + 12}">${i}</text>`;
      const file = String.fromCharCode(96 + i);
      out += `<text class="coordinate" x="${i * CELL - 4}" y="${end - 4}" text-anchor="end">${file}</text>`;
    }
    return out;
  }

  /** @param {import("./api.js").Field} field */
  drawOutline(field) {
    const inside = new Set(field.cells);
    const name = (/** @type {number} */ file, /** @type {number} */ rank) =>
      String.fromCharCode(97 + file) + rank;
    let path = "";
    for (const cell of field.cells) {
      const [x, y] = this.corner(cell);
      const [file, rank] = [cell.charCodeAt(0) - 97, Number(cell.slice(1))];
      if (!inside.has(name(file, rank + 1))) path += `M${x + 1} ${y + 1}h46`;
      if (!inside.has(name(file, rank - 1))) path += `M${x + 1} ${y + 47}h46`;
      if (!inside.has(name(file - 1, rank))) path += `M${x + 1} ${y + 1}v46`;
      if (!inside.has(name(file + 1, rank))) path += `M${x + 47} ${y + 1}v46`;
    }
    const line = FIELD[field.controller ?? "nobody"].line;
    return `<path d="${path}" stroke="${line}" stroke-width="2" stroke-linecap="square" fill="none"/>`;
  }

  drawLast() {
    const ends = this.last?.match(/[a-l]\d+/g) ?? [];
    return ends
      .map((cell, i) => {
        const [x, y] = this.corner(cell);
        const dash = i < ends.length - 1 ? ' stroke-dasharray="6 4"' : "";
        return `<rect x="${x + 3}" y="${y + 3}" width="42" height="42" rx="3" fill="none" stroke="#2b2118" stroke-width="2.5"${dash}/>`;
      })
      .join("");
  }

  /** @param {import("./api.js").Piece} piece */
  drawPiece(piece) {
    const [x, y] = this.centre(piece.cell);
    const chosen = piece.cell === this.chosen;
    return `<g transform="translate(${x} ${y})"${chosen ? ' class="chosen"' : ""}>${tower(piece.side, piece.crop)}</g>`;
  }

  /** @param {import("./api.js").Field} field */
  drawValue(field) {
    const [x, y] = this.centre(field.label);
    const width = field.value < 100 ? 30 : 38;
    const line = FIELD[field.controller ?? "nobody"].line;
    return (
      `<rect x="${x - width / 2}" y="${y - 11}" width="${width}" height="22" rx="11" fill="#fffdf8" stroke="${line}" stroke-width="1.5"/>` +
      `<text class="value" x="${x}" y="${y + 5}">${field.value}</text>`
    );
  }

  /** The moves of the chosen farmer, each with what it would leave behind. */
  drawTargets() {
    if (!this.chosen || !this.view) return "";
    const colours = PIECE[this.view.side];
    return this.stepsFrom(this.chosen)
      .map((move) => {
        const [x, y] = this.centre(move.to ?? "a1");
        const strong = this.pointed === move.to;
        const dash = move.kind === "sow" ? ' stroke-dasharray="4 3"' : "";
        const seeds = (move.seeds ?? []).map((cell) => {
          const [sx, sy] = this.centre(cell);
          return `<circle cx="${sx}" cy="${sy}" r="${strong ? 9 : 4}" fill="${colours.fill}" stroke="${colours.rim}"/>`;
        });
        const [fx, fy] = this.centre(move.from ?? "a1");
        const way = strong
          ? `<path d="M${fx} ${fy}L${x} ${y}" stroke="#2b2118" stroke-width="3" stroke-dasharray="2 6" stroke-linecap="round"/>`
          : "";
        const radius = move.kind === "sow" ? 12 : 16;
        return (
          `<g opacity="${strong ? 1 : 0.75}">${way}${seeds.join("")}` +
          `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colours.fill}" fill-opacity="${strong ? 1 : 0.6}" stroke="${colours.rim}" stroke-width="2.5"${dash}/>` +
          `<text class="crop" x="${x}" y="${y + 6}" fill="${strong ? colours.text : "#1d130a"}">${move.crop}</text></g>`
        );
      })
      .join("");
  }

  drawArrows() {
    const tip =
      '<defs><marker id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="3.2" markerHeight="3.2" orient="auto">' +
      '<path d="M0 0L10 5L0 10z" fill="#0b6b53"/></marker></defs>';
    const arrows = this.arrows.map((arrow) => {
      const ends = arrow.move.match(/[a-l]\d+/g);
      if (!ends) return "";
      const opacity = arrow.strong ? 0.95 : 0.6;
      const [tx, ty] = this.centre(ends[ends.length - 1]);
      let shape = `<circle cx="${tx}" cy="${ty}" r="20" fill="none" stroke="#0b6b53" stroke-width="4"/>`;
      if (ends.length === 2) {
        const [fx, fy] = this.centre(ends[0]);
        shape = `<path d="M${fx} ${fy}L${tx} ${ty}" stroke="#0b6b53" stroke-width="${arrow.strong ? 7 : 4}" marker-end="url(#tip)"/>`;
      }
      return (
        `<g opacity="${opacity}">${shape}</g>` +
        `<rect x="${tx - 17}" y="${ty + 7}" width="34" height="16" rx="4" fill="#0b6b53"/>` +
        `<text class="number" x="${tx}" y="${ty + 19}">${arrow.label}</text>`
      );
    });
    return tip + arrows.join("");
  }

  /** The farmer under the pointer while it is dragged. */
  drawGhost(/** @type {View} */ view) {
    const piece = view.pieces.find((piece) => piece.cell === this.chosen);
    return piece ? `<g id="ghost" opacity="0">${tower(piece.side, piece.crop)}</g>` : "";
  }

  /** @param {View} view */
  describe(view) {
    const pieces = new Map(view.pieces.map((piece) => [piece.cell, piece]));
    const fields = new Map(view.fields.flatMap((field) => field.cells.map((cell) => [cell, field])));
    for (const [cell, button] of this.cells) {
      button.setAttribute("aria-label", this.label(cell, pieces.get(cell), fields.get(cell)));
      button.setAttribute("aria-selected", String(cell === this.chosen));
      const movable = this.stepsFrom(cell).length > 0;
      button.className = this.target(cell) ? "target" : movable ? "movable" : "";
    }
  }

  /**
   * What a screen reader says of a cell.
   * @param {string} cell
   * @param {import("./api.js").Piece | undefined} piece
   * @param {import("./api.js").Field | undefined} field
   */
  label(cell, piece, field) {
    let text = t("cell.empty", cell);
    if (piece) {
      const side = sideName(piece.side);
      text = piece.crop ? t("cell.farmer", cell, side, piece.crop) : t("cell.seed", cell, side);
    } else if (field?.controller) {
      text = t("cell.field", cell, sideName(field.controller), field.value);
    }
    if (cell === this.chosen) return t("cell.chosen", text);
    const move = this.target(cell);
    if (move?.kind === "place") return t("cell.place", text);
    if (move?.kind === "harvest") return t("cell.harvest", text, move.crop ?? 0);
    if (move?.kind === "sow") {
      const seeds = move.seeds?.length ?? 0;
      return t("cell.sow", text, seeds === 1 ? t("seeds.one") : t("seeds.many", seeds));
    }
    return this.stepsFrom(cell).length ? t("cell.movable", text) : text;
  }

  /** @param {string} cell */
  corner(cell) {
    return [(cell.charCodeAt(0) - 97) * CELL, (this.size - Number(cell.slice(1))) * CELL];
  }

  /** @param {string} cell */
  centre(cell) {
    const [x, y] = this.corner(cell);
    return [x + CELL / 2, y + CELL / 2];
  }
}

/**
 * A seed, or a tower around the origin with its crop on top.
 * @param {Side} side
 * @param {number} crop
 */
function tower(side, crop) {
  const { fill, rim, text } = PIECE[side];
  if (crop === 0) return `<circle r="9" fill="${fill}" stroke="${rim}" stroke-width="1.5"/>`;
  const layers = Math.min(crop, 6) - 1;
  let out = "";
  for (let layer = 0; layer <= layers; layer++) {
    out += `<circle cy="${layers - 2 * layer}" r="16" fill="${fill}" stroke="${rim}" stroke-width="1.5"/>`;
  }
  return out + `<text class="crop" y="${7 - layers}" fill="${text}">${crop}</text>`;
}

/** @param {EventTarget | null} target */
function cellOf(target) {
  const button = target instanceof Element ? target.closest("[data-cell]") : null;
  return button instanceof HTMLElement ? (button.dataset.cell ?? null) : null;
}

// @ts-check
/**
 * The server's JSON API. The server owns the rules; this file owns the shapes.
 *
 * @typedef {"light" | "dark"} Side
 * @typedef {{cell: string, side: Side, crop: number}} Piece  crop 0 is a seed
 * @typedef {{cells: string[], light: number[], dark: number[], controller: Side | null,
 *   value: number, why: string, label: string}} Field
 * @typedef {{move: string, kind: "place" | "harvest" | "sow" | "pass", from?: string,
 *   to?: string, seeds?: string[], crop?: number}} LegalMove
 * @typedef {{position: string, size: number, farmers: number, side: Side,
 *   stage: "placement" | "moving" | "over", passes: number, turn: string, light: number,
 *   dark: number, pieces: Piece[], fields: Field[], legal: LegalMove[]}} View
 * @typedef {{start: string, moves: string[], text: string, light: number[],
 *   dark: number[]}} Game
 * @typedef {{move: string, visits: number, winrate: number, margin: number,
 *   proven: {winner: Side | null, by: number, exact: boolean} | null, pv: string[]}} Line
 * @typedef {{nodes: number, time_ms: number, winrate: number, margin: number,
 *   stop: string | null, lines: Line[], move?: string}} Thought  Light's view
 * @typedef {{version: string, sizes: {size: number, farmers: number}[],
 *   most_farmers: number, levels: {level: number, name: string}[], running: number}} Info
 * @typedef {{start: string, moves: string[]} | {text: string}} GameAsked
 */
import { t } from "./text.js";

/**
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} [signal]
 */
async function ask(path, body, signal) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error(t("error.network"));
  }
  if (response.ok) return response;
  const refusal = await response.json().catch(() => ({}));
  throw new Error(refusal.error ?? `${response.status} ${response.statusText}`);
}

/** @returns {Promise<Info>} */
export async function info() {
  return (await fetch("/api/info")).json();
}

/**
 * @param {GameAsked} game
 * @returns {Promise<View>}
 */
export async function view(game) {
  return (await ask("/api/view", game)).json();
}

/**
 * @param {GameAsked} game
 * @returns {Promise<Game>}
 */
export async function game(game) {
  return (await ask("/api/game", game)).json();
}

/**
 * @param {GameAsked} game
 * @returns {Promise<Blob>}
 */
export async function picture(game) {
  return (await ask("/api/picture", game)).blob();
}

/**
 * Thinks; calls `progress` with all but the last news. Aborting the signal
 * ends the search on the server too.
 * @param {GameAsked & {nodes?: number, time_ms?: number, lines?: number, level?: number}} asked
 * @param {AbortSignal} signal
 * @param {(thought: Thought) => void} [progress]
 * @returns {Promise<Thought>}
 */
export async function think(asked, signal, progress) {
  const response = await ask("/api/think", asked, signal);
  for await (const { event, data } of events(response)) {
    if (event === "done") return data;
    if (event !== "thinking") break;
    progress?.(data);
  }
  throw new Error(t("error.failed"));
}

/**
 * The server-sent events of a response.
 * @param {Response} response
 */
async function* events(response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (reader) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const parts = text.split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const event = /^event: (.*)$/m.exec(part)?.[1];
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (event && data) yield { event, data: JSON.parse(data) };
    }
  }
}

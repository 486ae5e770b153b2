// @ts-check
/** The dialogs: a new game, a position or a record in and out, the rules. */
import * as api from "./api.js";
import { byId } from "./panels.js";
import { sideName, t } from "./text.js";

/** @typedef {import("./game.js").Setup} Setup */

const SECONDS = [1, 3, 10, 30, 60];
const CLOCKS = [[0, 0], [3, 2], [5, 3], [10, 5], [30, 10]];

/** @param {string} id */
const dialog = (id) => /** @type {HTMLDialogElement} */ (byId(id));
/** @param {string} id */
const select = (id) => /** @type {HTMLSelectElement} */ (byId(id));
/** @param {string} id */
const field = (id) => /** @type {HTMLTextAreaElement | HTMLInputElement} */ (byId(id));

/**
 * @param {string} id
 * @param {[string | number, string][]} options value and text
 */
function fill(id, options) {
  select(id).replaceChildren(...options.map(([value, text]) => new Option(text, String(value))));
}

/**
 * The dialog for a new game.
 * @param {api.Info} info
 * @param {(start: string, setup: Setup) => void} onStart
 */
export function newGameDialog(info, onStart) {
  const remarks = new Map([[8, "new.quick"], [10, "new.usual"], [12, "new.deep"]]);
  fill("size", info.sizes.map(({ size }) => {
    const remark = remarks.get(size);
    return [size, t("new.size_option", size, remark ? t(remark) : "")];
  }));
  fill("you", [["light", sideName("light")], ["dark", sideName("dark")], ["both", t("new.both")], ["neither", t("new.neither")]]);
  fill("level", info.levels.map(({ level, name }) => [level, t("new.level_option", level, name)]));
  fill("time", SECONDS.map((seconds) => [seconds, t("new.seconds", seconds)]));
  fill("clock", CLOCKS.map(([minutes, increment], i) => [
    i, minutes ? t("new.clock_option", minutes, increment) : t("new.no_clock"),
  ]));
  const fitFarmers = () => {
    const size = Number(select("size").value);
    const most = Math.min(info.most_farmers, Math.floor((size * size - 1) / 2));
    fill("farmers", Array.from({ length: most }, (_, i) => [i + 1, String(i + 1)]));
    select("farmers").value = String(info.sizes.find((s) => s.size === size)?.farmers ?? 1);
  };
  select("size").value = "10";
  select("level").value = "3";
  select("time").value = "3";
  fitFarmers();
  select("size").addEventListener("change", fitFarmers);
  byId("open-new").addEventListener("click", () => dialog("new-dialog").showModal());
  dialog("new-dialog").addEventListener("close", () => {
    if (dialog("new-dialog").returnValue !== "start") return;
    const [minutes, increment] = CLOCKS[Number(select("clock").value)];
    onStart(`start:${select("size").value}:${select("farmers").value}`, {
      you: /** @type {Setup["you"]} */ (select("you").value),
      level: Number(select("level").value),
      seconds: Number(select("time").value),
      minutes,
      increment,
    });
  });
}

/**
 * The dialog for positions and records.
 * @param {() => {start: string, moves: string[]}} shown the game to the ply shown
 * @param {() => {start: string, moves: string[]}} whole
 * @param {(game: api.Game) => void} onLoad
 */
export function textDialog(shown, whole, onLoad) {
  const problem = byId("text-problem");
  const say = (/** @type {string} */ text) => {
    problem.textContent = text;
    problem.hidden = !text;
  };
  byId("open-text").addEventListener("click", async () => {
    say("");
    for (const id of ["position", "record"]) field(id).value = "";
    dialog("text-dialog").showModal();
    try {
      const [view, game] = await Promise.all([api.view(shown()), api.game(whole())]);
      field("position").value = view.position;
      const link = /** @type {HTMLAnchorElement} */ (byId("save-record"));
      link.href = `data:text/plain;charset=utf-8,${encodeURIComponent(game.text)}`;
      // What was pasted before the answer came is the person's, and stays.
      if (field("record").value === "") field("record").value = game.text;
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  });
  byId("load").addEventListener("click", async () => {
    try {
      const game = await api.game({ text: field("record").value });
      dialog("text-dialog").close("close");
      onLoad(game);
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  });
  byId("copy-position").addEventListener("click", () => copy(field("position")));
  byId("copy-record").addEventListener("click", () => copy(field("record")));
  byId("save-picture").addEventListener("click", async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await api.picture(shown()));
    link.download = "agros.svg";
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

/** @param {HTMLTextAreaElement | HTMLInputElement} from */
async function copy(from) {
  from.select();
  // Without leave to use the clipboard, the selection is there to be copied.
  await navigator.clipboard?.writeText(from.value).catch(() => undefined);
}

/** The dialog with the rules. */
export function rulesDialog() {
  byId("open-rules").addEventListener("click", () => dialog("rules-dialog").showModal());
}

// Starts the server under test and a real browser, and drives a game as a
// person would: by what the page shows.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = process.env.AGROS ?? `${root}target/debug/agros`;
const browserPath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Starts `agros serve` on a free port. */
export async function startServer(...args) {
  const child = spawn(program, ["serve", "--port", "0", "--threads", "1", "--hash", "16", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const url = line.trim();
  const info = async () => (await fetch(`${url}api/info`)).json();
  const stop = async () => {
    child.kill();
    if (child.exitCode === null) await once(child, "exit");
  };
  return { url, info, stop, pid: child.pid };
}

export function startBrowser() {
  const args = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ];
  return chromium.launch({ executablePath: browserPath, headless: true, args });
}

/** Opens the page; `page.errors` gathers whatever goes wrong in it. */
export async function openPage(browser, url, viewport = { width: 1280, height: 900 }) {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") page.errors.push(message.text());
  });
  await page.goto(url);
  await page.locator("#size option").first().waitFor({ state: "attached" });
  return page;
}

/** Begins a game from the dialog. */
export async function newGame(page, choices) {
  await page.click("#open-new");
  for (const [id, value] of Object.entries(choices)) await page.selectOption(`#${id}`, value);
  await page.click("#new-form button.main");
}

/** Loads a record or a position from the dialog; both sides are the person's. */
export async function load(page, text) {
  await page.click("#open-text");
  await page.waitForFunction(() => document.querySelector("#record").value !== "");
  await page.fill("#record", text);
  await page.click("#load");
}

export const cell = (page, name) => page.locator(`[data-cell="${name}"]`);

/** Waits for something that `test` finds in the page's status line. */
export async function status(page, pattern) {
  await page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector("#status").textContent),
    pattern.source,
    { timeout: 20_000 },
  );
}

/** Waits until a condition outside of the page holds. */
export async function eventually(condition, milliseconds = 3000) {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return condition();
}

// The page in a real browser. `SCREENSHOTS=write` also renews the README's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { cell, eventually, load, newGame, openPage, startBrowser, startServer, status } from "./server.mjs";

const LATE =
  "x1,D1,x1,L7,x6/x10/x8,L3,x1/x10/x10/x2,d,d,d,d,d,x3/x3,L5,x1,D1,x3,D1/" +
  "x2,d,x2,d,x1,l,d,L2/d,D1,x1,L7,x1,d,l,d,d,x1/x2,d,x3,D2,x3 L 5 0";
const SIZES = [{ width: 375, height: 740 }, { width: 1280, height: 900 }];

let server;
let browser;

before(async () => {
  server = await startServer();
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

async function closed(page) {
  assert.deepEqual(page.errors.slice(0, 3), []);
  await page.context().close();
}

test("first paint transfers no more than 100 KB", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  let bytes = 0;
  let requests = 0;
  const sizes = [];
  page.on("requestfinished", (request) => sizes.push(request.sizes()));
  await page.goto(server.url);
  await page.locator('[data-cell="a1"]').waitFor();
  await page.waitForLoadState("networkidle");
  for (const size of await Promise.all(sizes)) {
    requests += 1;
    bytes += size.responseBodySize + size.responseHeadersSize;
  }
  console.log(`first paint: ${bytes} bytes in ${requests} requests`);
  assert.ok(bytes > 20_000 && bytes <= 100_000, `${bytes} bytes`);
  await context.close();
});

/** Makes one move of the person's: the kind wanted most among those there are. */
async function makeMove(page, done) {
  const empty = page.locator(".target").first();
  if (await empty.count()) {
    await empty.click();
    return "place";
  }
  const farmers = await page.locator(".movable").evaluateAll((all) => all.map((b) => b.dataset.cell));
  const wanted = done.has("sow") ? [] : ["sow to here", "harvest to here"];
  for (const kind of wanted) {
    if (kind.startsWith("harvest") && done.get("harvest") > 8) continue;
    for (const farmer of farmers) {
      await cell(page, farmer).click();
      const target = page.locator(`.target[aria-label*="${kind}"]`).first();
      if (await target.count()) {
        await target.click();
        return kind.split(" ")[0];
      }
      await cell(page, farmer).click();
    }
  }
  await page.click("#pass");
  return "pass";
}

test("a newcomer plays a whole game against the engine", { timeout: 90_000 }, async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, { size: "6", farmers: "2", you: "light", level: "1", time: "1" });
  const done = new Map();
  for (let turn = 0; turn < 200; turn++) {
    await status(page, /your turn|game is over/);
    if (/game is over/.test(await page.textContent("#status"))) break;
    const before = await page.textContent("#moves");
    const kind = await makeMove(page, done);
    done.set(kind, (done.get(kind) ?? 0) + 1);
    await page.waitForFunction((text) => document.querySelector("#moves").textContent !== text, before);
  }
  assert.match(await page.textContent("#status"), /game is over: (Light|Dark) wins [\d½]+ : [\d½]+\./);
  for (const kind of ["place", "harvest", "sow", "pass"]) assert.ok(done.has(kind), `no ${kind}`);
  const record = await page.locator("#moves button").allTextContents();
  assert.match(record.at(-1), /pass$/);

  // Back and forward show older positions; the game itself stays.
  await page.click("#first");
  await status(page, /After move 0 of/);
  await page.click("#forward");
  await status(page, /After move 1 of/);
  await page.click("#last");
  await status(page, /game is over/);
  await closed(page);
});

test("undo takes the engine's answer and one's own move back", async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, { size: "8", farmers: "3", you: "light", level: "1", time: "1" });
  await cell(page, "e4").click();
  // Dark places two.
  await page.locator("#moves li:nth-child(3)").waitFor();
  await status(page, /your turn/);
  await page.click("#undo");
  await page.locator("#moves .none").waitFor();
  await cell(page, "d5").click();
  await page.locator("#moves li:nth-child(3)").waitFor();
  assert.match(await page.textContent("#moves"), /1\. d5/);
  await closed(page);
});

test("the keyboard alone can play, and each cell says what it is", async () => {
  const page = await openPage(browser, server.url);
  await load(page, "x4/L3,x3/x4/D1,x3 L 1 0");
  await status(page, /Light to move/);
  await cell(page, "a1").focus();
  for (const key of ["ArrowUp", "ArrowUp"]) await page.keyboard.press(key);
  const label = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  assert.equal(await label(), "a3, Light farmer, crop 3: can move");
  await page.keyboard.press("Enter");
  assert.match(await label(), /: chosen$/);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.match(await label(), /^c3, empty.*: sow to here, leaving 2 seeds$/);
  await page.keyboard.press("Enter");
  await status(page, /Dark to move/);
  await page.keyboard.press("ArrowLeft");
  assert.match(await label(), /^b3, Light seed/);
  await closed(page);
});

test("a farmer can be dragged", async () => {
  const page = await openPage(browser, server.url);
  await load(page, "x4/L3,x3/x4/D1,x3 L 1 0");
  await status(page, /Light to move/);
  await cell(page, "a3").click();
  await cell(page, "d3").hover();
  // The picture lies below the cells: none of them may hide it.
  const shade = await cell(page, "d3").evaluate((button) => getComputedStyle(button).backgroundColor);
  assert.equal(shade, "rgba(0, 0, 0, 0)");
  await cell(page, "a3").click();
  await cell(page, "a3").dragTo(cell(page, "d3"));
  await page.getByText("1. a3d3").waitFor();
  assert.match(await cell(page, "d3").getAttribute("aria-label"), /Light farmer, crop 4/);
  // Dropped where it can't go, it stays.
  await cell(page, "a1").dragTo(cell(page, "c4"));
  assert.equal(await page.locator("#moves button").count(), 1);
  await closed(page);
});

test("analysis deepens, follows the board, stops when asked and with the page", async () => {
  const page = await openPage(browser, server.url);
  await load(page, LATE);
  await page.click("#analyse");
  const nodes = async () =>
    Number((await page.textContent("#analysis-note")).match(/^([\d,]+) simulations/)?.[1].replaceAll(",", "") ?? 0);
  assert.ok(await eventually(async () => (await nodes()) > 0));
  const first = await nodes();
  assert.ok(await eventually(async () => (await nodes()) > first));
  assert.ok((await page.locator("#analysis tr").count()) > 3);
  assert.equal((await server.info()).running, 1);
  await page.click("#pass");
  await status(page, /Dark to move/);
  assert.ok(await eventually(async () => (await nodes()) > 0 && (await server.info()).running === 1));
  await page.click("#analyse");
  assert.ok(await eventually(async () => (await server.info()).running === 0));
  await page.click("#analyse");
  assert.ok(await eventually(async () => (await server.info()).running === 1));
  await closed(page);
  assert.ok(await eventually(async () => (await server.info()).running === 0), "it outlived its page");
});

test("a clock runs for whoever is to move, and ends the game", async () => {
  const page = await openPage(browser, server.url);
  await page.clock.install();
  await newGame(page, { size: "8", farmers: "3", you: "both", clock: "1" });
  await page.locator("#score-light .clock").waitFor();
  await page.clock.runFor(10_000);
  await page.waitForFunction(() => /^2:(49|50)$/.test(document.querySelector("#score-light .clock").textContent));
  assert.equal(await page.textContent("#score-dark .clock"), "3:00");
  await cell(page, "e4").click();
  await status(page, /Dark to place/);
  // The move has won Light two seconds.
  assert.match(await page.textContent("#score-light .clock"), /^2:5[12]$/);
  await page.clock.runFor(185_000);
  await status(page, /Dark has no time left: Light wins/);
  assert.ok(await page.isDisabled("#pass"));
  await closed(page);
});

test("resigning ends the game, and the engine's move is told in words", async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, { size: "8", farmers: "3", you: "dark", level: "1", time: "1" });
  await status(page, /^Light played [a-h][1-8]\. Dark to place a farmer\. It is your turn\.$/);
  await page.click("#resign");
  await status(page, /Dark has resigned: Light wins/);
  await page.click("#undo");
  await status(page, /your turn/);
  await closed(page);
});

test("a bad position is refused with its reason, and nothing is lost", async () => {
  const page = await openPage(browser, server.url);
  await load(page, LATE);
  await status(page, /Light to move/);
  await page.click("#open-text");
  for (const [text, reason] of [
    ["x4/x4/x2,L5,x1/x4 L 1 0", /crop 5 is greater than the size 4/],
    ["start:10:5\ne4 e4", /line 2, move 2: e4: e4 is occupied/],
    ["<script>alert(1)</script>", /line 1/],
  ]) {
    await page.fill("#record", text);
    await page.click("#load");
    await page.waitForFunction((source) => new RegExp(source).test(document.querySelector("#text-problem").textContent), reason.source);
  }
  await page.click('#text-form button[value="close"]');
  assert.match(await page.textContent("#score-light"), /483½/);
  // The browser itself notes each refusal; nothing else may be there.
  assert.ok(page.errors.every((error) => /400 \(Bad Request\)/.test(error)), page.errors.join("\n"));
  await page.context().close();
});

test("what is pasted before the server answers stays, and a silent server is told of", async () => {
  const page = await openPage(browser, server.url);
  await load(page, LATE);
  await status(page, /Light to move/);
  let release;
  const held = new Promise((resolve) => (release = resolve));
  let answered;
  const done = new Promise((resolve) => (answered = resolve));
  await page.route("**/api/game", async (route) => {
    await held;
    await route.continue();
    answered();
  }, { times: 1 });
  await page.click("#open-text");
  await page.fill("#record", "start:8:3\ne4");
  release();
  await done;
  // The answer fills in the position together with the record.
  await page.waitForFunction(() => document.querySelector("#position").value !== "");
  assert.equal(await page.inputValue("#record"), "start:8:3\ne4");
  await page.click("#load");
  await page.locator("#moves li:nth-child(1)").waitFor();
  await closed(page);

  const cut = await openPage(browser, server.url);
  await cut.route("**/api/game", (route) => route.abort());
  await cut.click("#open-text");
  await cut.waitForFunction(() => /does not answer/.test(document.querySelector("#text-problem").textContent));
  await cut.context().close();
});

test("a reload takes the game up again", async () => {
  const page = await openPage(browser, server.url);
  await load(page, "start:8:3\n1. e4 2. d6 c2");
  await page.locator("#moves li:nth-child(3)").waitFor();
  await page.reload();
  await page.locator("#moves li:nth-child(3)").waitFor();
  await closed(page);
});

test("the course of a game is drawn after a review", async () => {
  const page = await openPage(browser, server.url);
  await load(page, "start:8:3\ne4 d6 c2 f3 g6 b5 e4f5 d6e7");
  await page.click("#review");
  await page.waitForFunction(() => (document.querySelector("path.wins")?.getAttribute("d")?.match(/L/g) ?? []).length === 8);
  assert.match(await page.textContent("#review"), /Analyse the game/);
  await page.click("#graph svg", { position: { x: 40, y: 40 } });
  await status(page, /After move 0 of 8/);
  await closed(page);
});

test("no width overflows and axe finds nothing serious", { timeout: 120_000 }, async () => {
  for (const viewport of SIZES) {
    const page = await openPage(browser, server.url, viewport);
    const check = async (what) => {
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= viewport.width, `${what} is ${width} wide at ${viewport.width}`);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
      const told = serious.map((v) => `${v.id}: ${v.nodes[0].html} ${v.nodes[0].failureSummary}`);
      assert.deepEqual(told, [], `${what} at ${viewport.width}`);
    };
    await check("the empty board");
    await load(page, LATE);
    await page.click("#analyse");
    await page.locator("#analysis tr:nth-child(4)").waitFor();
    await page.click("#analyse");
    await cell(page, "d10").click();
    await check("an analysed position");
    await newGame(page, { size: "12", farmers: "7", you: "both", clock: "2" });
    await cell(page, "l12").click();
    await check("the largest board");
    for (const [open, close] of [["#open-new", '#new-form [value="cancel"]'], ["#open-text", '#text-form [value="close"]'], ["#open-rules", '#rules-dialog [value="close"]']]) {
      await page.click(open);
      await check(`the dialog of ${open}`);
      await page.click(close);
    }
    await closed(page);
  }
});

test("an answer of the engine is on the board within 100 ms of being found", async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, { size: "10", farmers: "5", you: "light", level: "1", time: "1" });
  const times = [];
  for (let round = 0; round < 9; round++) {
    await status(page, /your turn/);
    const took = await page.evaluate(async () => {
      const moves = document.querySelector("#moves");
      const status = document.querySelector("#status");
      document.querySelector('[data-cell="e5"]').click();
      const started = performance.now();
      // A level of one simulation finds its move at once, so that all the
      // time there is lies in the way to the server and back to the board.
      // Dark places two farmers at a turn: two answers.
      while (!(moves.children.length >= 3 && /your turn/.test(status.textContent))) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return performance.now() - started;
    });
    times.push(took / 2);
    await page.click("#undo");
    await page.locator("#moves .none").waitFor();
  }
  times.sort((a, b) => a - b);
  console.log(`from each request to its answer on the board: ${times.map((ms) => ms.toFixed(0)).join(" ")} ms`);
  assert.ok(times[4] <= 100, `median ${times[4]} ms`);
  await closed(page);
});

test("50 analyses opened and dropped leave no search and no memory behind", { timeout: 60_000 }, async () => {
  const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]) / 1024;
  const session = async () => {
    const dropped = new AbortController();
    const response = await fetch(`${server.url}api/think`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ start: LATE, moves: [] }),
      signal: dropped.signal,
    });
    assert.equal(response.status, 200);
    await response.body.getReader().read();
    dropped.abort();
  };
  for (let i = 0; i < 10; i++) await session();
  const before = resident();
  for (let i = 0; i < 50; i++) await session();
  assert.ok(await eventually(async () => (await server.info()).running === 0));
  const growth = resident() - before;
  console.log(`50 sessions: ${before.toFixed(1)} MiB before, ${growth.toFixed(1)} MiB more after`);
  assert.ok(growth < 24, `${growth} MiB more`);
});

test("screenshots for the README", async () => {
  const shots = { "board-1280": SIZES[1], "board-375": SIZES[0] };
  for (const [name, viewport] of Object.entries(shots)) {
    const page = await openPage(browser, server.url, viewport);
    await load(page, readFileSync(new URL("game.txt", import.meta.url), "utf8"));
    await page.click("#review");
    await status(page, /to move|has passed|over/);
    await page.waitForFunction(() => document.querySelector("#review").textContent === "Analyse the game", null, { timeout: 30_000 });
    await page.locator("#moves li:nth-child(74) button").click();
    await status(page, /After move 74/);
    await page.click("#analyse");
    await page.waitForTimeout(1500);
    const folder = process.env.SCREENSHOTS === "write" ? new URL("../../docs/", import.meta.url) : new URL("shots/", import.meta.url);
    const image = await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, folder)), fullPage: viewport.width < 600 });
    assert.ok(image.length > 20_000);
    await page.click("#analyse");
    await closed(page);
  }
});

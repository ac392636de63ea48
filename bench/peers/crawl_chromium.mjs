// What plasmate crawl is measured against: Chromium by Playwright, with the
// light extraction (title, links, text). Installed by crawl_peers.sh.
//
//   node crawl_chromium.mjs urls.txt 127.0.0.1:PORT CONCURRENCY [PAGES] > records.jsonl
import fs from 'node:fs';
import { chromium } from 'playwright-core';

const [list, addr, workers, most] = process.argv.slice(2);
const urls = fs.readFileSync(list, 'utf8').split(/\s+/).filter(Boolean).slice(0, +(most ?? 1e9))
  .map((u) => u.replace(/^http:\/\/[^/]+/, `http://${addr}`));
// All but loopback goes to a proxy that is not there.
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--proxy-server=http://127.0.0.1:1', '--proxy-bypass-list=127.0.0.1', '--disable-background-networking', '--disable-component-update'],
});
const out = fs.createWriteStream('/dev/stdout');
let next = 0;
let done = 0;
const began = process.hrtime.bigint();
await Promise.all(Array.from({ length: +workers }, async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  while (next < urls.length) {
    const url = urls[next++];
    try {
      const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: 30_000 });
      const [title, links, text] = await page.evaluate(() => [document.title, [...document.links].map((a) => a.href), document.body?.innerText ?? '']);
      out.write(JSON.stringify({ url, status: response?.status(), title, links, text }) + '\n');
      done++;
    } catch (e) {
      process.stderr.write(`${url}: ${String(e.message).split('\n')[0]}\n`);
    }
  }
  await context.close();
}));
const seconds = Number(process.hrtime.bigint() - began) / 1e9;
process.stderr.write(`chromium\t${done} of ${urls.length} pages\t${(done / seconds).toFixed(1)} pages/s\n`);
await browser.close();
process.exit(0);

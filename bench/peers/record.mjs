// Records what other tools show a model of the pages of the corpus: how many
// tokens (o200k) each needs, and a few samples whole.
//
//   npm install playwright-core @playwright/mcp agent-browser gpt-tokenizer   (in any folder)
//   NODE_PATH=that/node_modules node record.mjs CORPUS OUT [agent-browser binary]
//
// Each page is served on loopback under its own bytes and charset. Scripts are
// off and nothing but loopback can be reached, so that every tool sees the document that this project compiles.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fs from 'node:fs';
import path from 'node:path';

const require = createRequire(path.join(process.env.NODE_PATH ?? '', 'x.js'));
const { chromium } = require('playwright-core');
const { encode } = require('gpt-tokenizer/encoding/o200k_base');
const run = promisify(execFile);

const [corpus, out, agentBrowser] = process.argv.slice(2);
const executable = process.env.CHROMIUM ?? '/usr/bin/chromium';
const tokens = (s) => s.split(/(?<=\n)/).reduce((n, l) => n + encode(l).length, 0);

const [head, ...lines] = fs.readFileSync(path.join(corpus, 'manifest.tsv'), 'utf8').trimEnd().split('\n');
const column = Object.fromEntries(head.split('\t').map((name, i) => [name, i]));
const pages = lines.map((l) => l.split('\t')).map((f) => ({ file: f[column.file], charset: f[column.http_charset], bytes: Number(f[column.bytes]) }));

const server = createServer((request, response) => {
  const file = decodeURIComponent(request.url.slice(1));
  const page = pages.find((p) => p.file === file);
  if (!page) return response.writeHead(404).end();
  response.setHeader('Content-Type', page.charset ? `text/html; charset=${page.charset}` : 'text/html');
  response.end(fs.readFileSync(path.join(corpus, file)));
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const base = `http://127.0.0.1:${server.address().port}/`;

// All but loopback goes to a proxy that is not there. (agent-browser divides its arguments at commas.)
const isolation = ['--proxy-server=http://127.0.0.1:1', '--disable-background-networking', '--disable-component-update'];
const browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox', ...isolation] });
const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 720 } });
await context.route('**/*', (route) => (route.request().url().startsWith(base) ? route.continue() : route.abort()));

async function viaPlaywright(url) {
  const page = await context.newPage();
  try {
    await page.goto(url, { waitUntil: 'domcontentloaded', timeout: 30000 });
    const aria = await page.locator('html').ariaSnapshot({ timeout: 60000 });
    const ai = await page.locator('html').ariaSnapshot({ mode: 'ai', timeout: 60000 });
    const text = await page.locator('html').innerText({ timeout: 30000 });
    return { aria, mcp: `- Page URL: ${url}\n- Page Title: ${await page.title()}\n- Page Snapshot:\n\`\`\`yaml\n${ai}\n\`\`\`\n`, text };
  } finally {
    await page.close();
  }
}

async function viaAgentBrowser(url) {
  if (!agentBrowser) return {};
  const options = { maxBuffer: 1 << 26, timeout: 60000, env: { ...process.env, AGENT_BROWSER_EXECUTABLE_PATH: executable, AGENT_BROWSER_ARGS: ['--no-sandbox', '--blink-settings=scriptEnabled=false', ...isolation].join('\n') } };
  await run(agentBrowser, ['open', url], options).catch((e) => console.error(url, 'open', String(e).split('\n')[0]));
  const full = (await run(agentBrowser, ['snapshot'], options)).stdout;
  const interactive = (await run(agentBrowser, ['snapshot', '-i'], options)).stdout;
  return { agent: full, agentInteractive: interactive };
}

const samples = new Set(['form/brookdalecc.instructure.com-login.html', 'news/hacker_news.json', 'shop/gamexchange.co.uk-street-fighter-v-2.html', 'docs/apache2-doc-ko-sections.html', 'aria-widgets/apg-combobox-select-only.html']);
fs.mkdirSync(path.join(out, 'samples'), { recursive: true });
const rows = [['file', 'inner_text', 'aria_snapshot', 'playwright_mcp', 'agent_browser', 'agent_browser_i'].join('\t')];
for (const { file } of pages) {
  const url = base + encodeURI(file);
  let seen = {};
  try {
    seen = await viaPlaywright(url);
  } catch (e) {
    console.error(file, 'playwright', String(e).split('\n')[0]);
  }
  try {
    Object.assign(seen, await viaAgentBrowser(url));
  } catch (e) {
    console.error(file, 'agent-browser', String(e).split('\n')[0]);
  }
  const count = (s) => (s === undefined ? '' : tokens(s.replaceAll(base, 'https://corpus.example/')));
  rows.push([file, count(seen.text), count(seen.aria), count(seen.mcp), count(seen.agent), count(seen.agentInteractive)].join('\t'));
  if (samples.has(file)) {
    for (const [name, s] of Object.entries(seen)) fs.writeFileSync(path.join(out, 'samples', path.basename(file, '.html') + '.' + name + '.txt'), s.replaceAll(base, 'https://corpus.example/'));
  }
  fs.writeFileSync(path.join(out, 'tokens.tsv'), rows.join('\n') + '\n');
}
await browser.close();
server.close();

// What plasmate crawl is measured against: crawlee's CheerioCrawler, with the
// light extraction (title, links, text). Installed by crawl_peers.sh.
//
//   node crawl_crawlee.mjs urls.txt 127.0.0.1:PORT CONCURRENCY > records.jsonl
import fs from 'node:fs';
import { CheerioCrawler, Configuration, log } from 'crawlee';

const [list, addr, workers] = process.argv.slice(2);
log.setLevel(log.LEVELS.ERROR);
// The virtual hosts are one server; the path tells the pages apart.
const urls = fs.readFileSync(list, 'utf8').split(/\s+/).filter(Boolean)
  .map((u, i) => ({ url: u.replace(/^http:\/\/[^/]+/, `http://${addr}`), uniqueKey: String(i) }));
const out = fs.createWriteStream('/dev/stdout');
let done = 0;
const crawler = new CheerioCrawler({
  minConcurrency: +workers, maxConcurrency: +workers, maxRequestRetries: 0, respectRobotsTxtFile: false, useSessionPool: false,
  autoscaledPoolOptions: { desiredConcurrency: +workers },
  async requestHandler({ request, $, response }) {
    const links = $('a[href]').map((_, a) => { try { return new URL($(a).attr('href'), request.url).href; } catch { return null; } }).get();
    const title = $('title').first().text();
    $('script,style').remove();
    const text = $.root().text().split(/\s+/).join(' ');
    out.write(JSON.stringify({ url: request.url, status: response.statusCode, title, links, text }) + '\n');
    done++;
  },
}, new Configuration({ persistStorage: false, purgeOnStart: true, memoryMbytes: 4096 }));
const began = process.hrtime.bigint();
await crawler.run(urls);
const seconds = Number(process.hrtime.bigint() - began) / 1e9;
const u = process.resourceUsage();
const cpu = (u.userCPUTime + u.systemCPUTime) / 1000;
process.stderr.write(`crawlee\t${done} pages\t${(done / seconds).toFixed(1)} pages/s\t${(cpu / Math.max(done, 1)).toFixed(2)} ms CPU/page\t${Math.round(u.maxRSS / 1024)} MiB RSS\n`);
process.exit(0);

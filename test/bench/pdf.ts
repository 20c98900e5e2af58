/**
 * One page as a PDF, in alternating rounds on the same machine: html-to-pdf in a warm browser beside wkhtmltopdf and `chromium --headless --print-to-pdf`, which
 * start for each page; url-to-pdf in a warm browser, through our way out, beside a bare Playwright script in one that goes there directly.
 * `ROUNDS=20 node test/bench/pdf.ts`, after `apt-get install wkhtmltopdf poppler-utils`.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { installedBrowser } from '../../packages/renderer/src/browser/installed.ts';
import { openPrinter } from '../renderer/prints.ts';
import { median, quantile } from './figures.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 20);
const PAUSE_MS = 500;
const run = promisify(execFile);

const ROW = '<tr><td>An item of the invoice</td><td>3</td><td>19.90</td><td>59.70</td></tr>';
/** An invoice with a cover letter: about six pages of A4. */
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Invoice</title><style>
body{font:11pt/1.4 sans-serif;margin:2cm} h1{color:#235} table{width:100%;border-collapse:collapse} td{border:1px solid #ccc;padding:4px} tr:nth-child(even){background:#f4f6fa}
</style></head><body><h1>Invoice</h1>${'<p>The quick brown fox jumps over the lazy dog, again and again, until the line is full.</p>'.repeat(60)}
<table>${ROW.repeat(120)}</table></body></html>`;

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Who makes a PDF of the page, and returns its octets. */
type Maker = () => Promise<number>;

const folder = mkdtempSync(join(tmpdir(), 'vedette-bench-pdf-'));
const input = join(folder, 'page.html');
const output = join(folder, 'page.pdf');
writeFileSync(input, PAGE);
/** Chromium of the system, or of whoever runs this. */
const SYSTEM_CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** No name is looked up, and nothing leaves. */
const SHUT_IN = ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

const printer = await openPrinter({ sites: { 'page.test': { '/': PAGE } } });
const { executable: executablePath } = await installedBrowser({ chosen: undefined, kept: undefined, folder, user: undefined });
const playwright = await chromium.launch({ executablePath, args: SHUT_IN });
try {
  const makers: Record<string, Maker> = {
    'html-to-pdf, warm': async () => (await printer.print(PAGE)).file!.length,
    wkhtmltopdf: async () => {
      await run('wkhtmltopdf', ['--quiet', '--page-size', 'A4', input, output]);
      return 1;
    },
    ...(existsSync(SYSTEM_CHROMIUM) && {
      'chromium --headless --print-to-pdf': async () => {
        await run(SYSTEM_CHROMIUM, ['--headless', ...SHUT_IN, '--no-pdf-header-footer', `--print-to-pdf=${output}`, `file://${input}`]);
        return 1;
      },
    }),
    'url-to-pdf, warm': async () => (await printer.print('http://page.test/')).file!.length,
    'Playwright, warm': async () => {
      const context = await playwright.newContext();
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${printer.sites.httpPort}/`);
      const file = await page.pdf({ format: 'A4', printBackground: true });
      await context.close();
      return file.length;
    },
  };
  printer.sites.add({ '127.0.0.1': { '/': PAGE } });
  const times = new Map<string, number[]>(Object.keys(makers).map((name) => [name, []]));
  for (let round = -2; round < ROUNDS; round++)
    for (const [name, make] of Object.entries(makers)) {
      // The context for the next job is made while nobody asks for one.
      await sleep(PAUSE_MS);
      const started = performance.now();
      if ((await make()) === 0) throw new Error(`${name} made nothing`);
      if (round >= 0) times.get(name)!.push(performance.now() - started);
    }
  const p50 = (name: string): number => median(times.get(name) ?? []);
  for (const [name, list] of times)
    print(`${name.padEnd(38)} p50 ${median(list).toFixed(0).padStart(5)} ms  p95 ${quantile(list, 0.95).toFixed(0).padStart(5)} ms`);
  print(`html-to-pdf / wkhtmltopdf: ${(p50('html-to-pdf, warm') / p50('wkhtmltopdf')).toFixed(2)} (goal 0.4)`);
  print(`url-to-pdf / Playwright: ${(p50('url-to-pdf, warm') / p50('Playwright, warm')).toFixed(2)}`);
} finally {
  await playwright.close();
  await printer.close();
  rmSync(folder, { recursive: true, force: true });
}

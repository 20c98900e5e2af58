import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFeedSettings } from '@vedette/intel/datasets';
import { systemClock } from '@vedette/probes/net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fetchThrough, type Filters, openFilters } from '../../packages/renderer/src/filters.ts';
import { manualClock } from '../intel/feeds/manual-clock.ts';
import { openStudio } from './pictures.ts';
import { reaching, serveSites, type Sites, type SiteServer } from './sites/serve.ts';

const rules = Array.from({ length: 50 }, (_, index) => `||banner-${index}.example^$third-party`).join('\n');
const LIST = `[Adblock Plus 2.0]\n! Title: EasyList of tests\n${rules}\n||only-there.test^$third-party\n###paid-place-7\n`;
const AD = '#ff00ff';

/** Lists of a server, one that serves `answer`, fetched by hand. */
function open(server: SiteServer, { dataDir = folderOfTest() } = {}) {
  const clock = manualClock();
  const logged: string[] = [];
  const log = (_fields: object, message: string) => void logged.push(message);
  const row = { dataset: 'filters', format: 'whole', licence: 'ours', attribution: 'ours', min_rows: 20, max_change: 3 };
  const filters = openFilters({
    dataDir,
    feeds: readFeedSettings(JSON.stringify({ built_in: false, feeds: { ours: { ...row, url: 'http://lists.test/easylist.txt' } } })),
    fetch: fetchThrough({ ...reaching(server), ca: [], userAgent: 'test', clock: systemClock }),
    clock,
    log: { debug: log, info: log, warn: log, error: log },
  });
  onTestFinished(() => filters.stop());
  return { filters, due: () => clock.due(), logged };
}

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-filters-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function serve(sites: Sites): Promise<SiteServer> {
  const server = await serveSites(sites);
  onTestFinished(() => server.close());
  return server;
}

const knows = (filters: Filters, host: string): boolean =>
  filters.current().blocks({ url: `http://${host}/x.js`, type: 'Script', frameUrl: 'http://news.test/' });

it('a page is without the ads that only a fetched list knows, once it was fetched', async () => {
  let filters: Filters | undefined;
  const page = `<!doctype html><body style="margin:0"><div id="paid-place-7" style="height:100px;background:${AD}"></div>
    <iframe src="http://only-there.test/" style="border:0;width:300px;height:200px"></iframe><p>News</p>`;
  const studio = await openStudio(
    {
      'news.test': { '/': page },
      'only-there.test': { '/': `<body style="background:${AD}">` },
      'lists.test': { '/easylist.txt': (_request, response) => response.end(LIST) },
    },
    { adFilter: () => filters!.current() },
  );
  onTestFinished(() => studio.close());
  const opened = open(studio.sites);
  ({ filters } = opened);
  const asked = () => studio.sites.requests.filter(({ host }) => host === 'only-there.test').length;
  const before = await studio.shoot('http://news.test/');
  expect([asked(), before.pixels.count(AD) > 50_000]).toEqual([1, true]);
  await opened.due();
  const after = await studio.shoot('http://news.test/');
  expect([asked(), after.pixels.count(AD)]).toEqual([1, 0]);
});

it.each([
  ['its server fails', (text: string) => [500, text]],
  ['a page comes in its place', () => [200, '<!doctype html><h1>Log in</h1>']],
  ['something else comes', () => [200, 'Service is\nunavailable\n'.repeat(50)]],
  ['most of it is missing', () => [200, `[Adblock Plus 2.0]\n${rules.slice(0, 300)}`]],
  ['it blocks what pages need', (text: string) => [200, `${text}\n||example.org^`]],
  ['it hides whole pages', (text: string) => [200, `${text}\n##body`]],
] as [string, (text: string) => [number, string]][])('what is there goes on when %s', async (_what, then) => {
  let answer: [number, string] = [200, LIST];
  const server = await serve({ 'lists.test': { '/easylist.txt': (_request, response) => response.writeHead(answer[0]).end(answer[1]) } });
  const { filters, due, logged } = open(server);
  await due();
  expect([knows(filters, 'only-there.test'), knows(filters, 'ads.adnxs.com')]).toEqual([true, true]);
  answer = then(LIST);
  await due();
  expect(logged.at(-1)).toContain('was not refreshed');
  expect(server.requests).toHaveLength(2);
  expect([knows(filters, 'only-there.test'), knows(filters, 'ads.adnxs.com')]).toEqual([true, true]);
});

it('what was fetched is used after a restart, before anybody is asked', async () => {
  const server = await serve({ 'lists.test': { '/easylist.txt': (_request, response) => response.end(LIST) } });
  const dataDir = folderOfTest();
  const first = open(server, { dataDir });
  await first.due();
  await first.filters.stop();
  const { filters } = open(server, { dataDir });
  await vi.waitUntil(() => knows(filters, 'only-there.test'), 20_000);
  expect(server.requests).toHaveLength(1);
});

it('without a folder to write to the own list is all there is, and the log says so', async () => {
  const file = join(folderOfTest(), 'file');
  writeFileSync(file, '');
  const { filters, logged } = open(await serve({}), { dataDir: file });
  expect(logged).toEqual([expect.stringContaining('cannot be written'), expect.stringContaining('own list alone')]);
  expect([knows(filters, 'only-there.test'), knows(filters, 'ads.adnxs.com')]).toEqual([false, true]);
});

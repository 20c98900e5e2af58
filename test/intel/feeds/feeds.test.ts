import { allDatasets } from './all-datasets.ts';
import { appendFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Resolver } from '@vedette/contract';
import type { Dataset, Feed } from '@vedette/intel/feeds';
import { createMailboxes } from '@vedette/intel/mailboxes';
import { DomainList } from '@vedette/intel/names';
import { afterEach, describe, expect, it } from 'vitest';
import { DATASETS } from '@vedette/intel/datasets';
import { emailVerify } from '../../../packages/operations/src/email-verify/index.ts';
import { fakeResolver } from '../fake-resolver.ts';
import { answer } from '../../operations/answer.ts';
import { dnsContext } from '../../operations/dnssec-status/context.ts';
import { SHUT } from '../../operations/shut.ts';
import {
  all,
  DAY_MS,
  folderOfTest,
  lineDataset,
  list,
  names,
  ownFeed,
  serve,
  type Start,
  startFeeds,
  TODAY,
  type World,
} from './own-feed.ts';
import { freePort } from '../../free-ports.ts';

let mailboxes = createMailboxes();
afterEach(() => {
  mailboxes = createMailboxes();
});

/** A gateway's feeds, with one list of disposable domains, of the server's on that port. */
function start(port: number, { folder, today, ...changes }: Partial<Feed> & Pick<Start, 'folder' | 'today'> = {}): World {
  const { datasets } = allDatasets({ mailboxes, build: () => Promise.reject(new Error('no list of several feeds')) });
  const builders = Object.fromEntries(DATASETS.map(({ name, build }) => [name, build]));
  return startFeeds([ownFeed(port, changes)], { datasets, builders, ...(folder && { folder }), ...(today && { today }) });
}

const resolver: Resolver = fakeResolver({});
const isDisposable = async (domain: string): Promise<boolean> => {
  const blacklists = { ...SHUT.blacklists, hostInMemory: () => ({ results: [], unanswered: [], scan_time_ms: 0 }) };
  const context = { ...dnsContext(resolver), dialler: SHUT.dialler, mailboxes, blacklists };
  return ((await answer(emailVerify, { email: `jane@${domain}` }, context)) as { disposable: boolean }).disposable;
};

describe('a feed', () => {
  it('is awaited until its source was tried, though the failure has no message', async () => {
    const server = await serve(list(names(5)));
    const dataset: Dataset = {
      ...lineDataset().dataset,
      use() {
        throw new Error('');
      },
    };
    const { clock, feeds, status } = startFeeds([ownFeed(server.port)], { datasets: all(dataset) });
    await clock.asleep();
    expect(feeds.isAwaited('ours')).toBe(true);
    await clock.due();
    expect([feeds.isAwaited('ours'), status().origin, status().problem]).toEqual([false, 'none', expect.stringMatching(/./)]);
  });

  it('is fetched when it is due, and email-verify judges by it from then on: what it has, and what it has no longer', async () => {
    const server = await serve(list(`# head\n${names(5)}Fresh-Mail.example\n// more\n\n`));
    let now = TODAY - 60_000;
    const { clock, status } = start(server.port, { today: () => now });
    await clock.asleep();
    now = TODAY;
    expect([await isDisposable('fresh-mail.example'), status().rows, status().origin, status().age_seconds]).toEqual([
      false,
      0,
      'none',
      60,
    ]);
    await clock.due();
    expect([await isDisposable('fresh-mail.example'), await isDisposable('a.n3.example')]).toEqual([true, true]);
    expect(status()).toMatchObject({ rows: 6, origin: 'source', problem: '', confirmed_at: '2026-11-22T00:00:00.000Z', age_seconds: 0 });

    server.answer = list(names(7));
    await clock.due();
    expect([await isDisposable('fresh-mail.example'), await isDisposable('n6.example')]).toEqual([false, true]);
  });

  it('reads a JSON array of strings', async () => {
    const server = await serve(list(JSON.stringify(['a.example', 'b.example', 'c.example'], null, 1)));
    const { clock, status } = start(server.port, { format: 'json' });
    await clock.due();
    expect([status().rows, await isDisposable('b.example')]).toEqual([3, true]);
  });

  it.each([
    ['ten or twenty seconds after the start where there is nothing', {}, 15_000],
    ['at once where there is nothing and it is urgent', { urgent: true }, 1_500],
    ['a minute or two after the start where one is shipped', { name: 'fakefilter', min_rows: 1 }, 90_000],
  ])('comes %s, then every day, and an hour after a failure', async (_, changes, first) => {
    const server = await serve(list(names(3_000)));
    const { clock } = start(server.port, changes);
    await clock.due();
    server.answer = (_request, response) => void response.writeHead(503).end();
    await clock.due();
    expect(clock.slept).toEqual([first, DAY_MS, DAY_MS / 24]);
  });

  it('whose source cannot be connected to is tried again after a minute, twice as late each time, up to its usual retry', async () => {
    // Nothing listens there.
    const { clock, feeds } = start(await freePort(), { every_hours: 6, rest_minutes: 5 });
    for (let n = 0; n < 6; n++) await clock.due();
    expect(clock.slept).toEqual([15_000, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000]);
    expect(feeds.refresh('ours')).toBe('started');
  });

  it('that is what it was is not sent again: the server says 304, by its own validators', async () => {
    const folder = folderOfTest();
    const validators = { etag: 'W/"one"', 'last-modified': 'Sat, 21 Nov 2026 00:00:00 GMT' };
    const server = await serve(list(names(5), validators));
    const { clock, feeds } = start(server.port, { folder });
    await clock.due();
    server.answer = (_request, response) => void response.writeHead(304, validators).end();
    await clock.due();
    expect(server.requests.map((headers) => [headers['if-none-match'], headers['if-modified-since']])).toEqual([
      [undefined, undefined],
      ['W/"one"', 'Sat, 21 Nov 2026 00:00:00 GMT'],
    ]);
    await feeds.stop();

    // A start later on knows both, and that the list was confirmed.
    const later = start(server.port, { folder, today: () => TODAY + DAY_MS / 2 });
    await later.clock.due();
    expect(later.clock.slept[0]).toBe(DAY_MS / 2);
    expect(later.status()).toMatchObject({ rows: 5, origin: 'source', age_seconds: 0, problem: '' });
    expect(server.requests.at(-1)).toMatchObject({ 'if-none-match': 'W/"one"' });
    expect(JSON.parse(readFileSync(join(folder, 'ours.json'), 'utf8'))).toMatchObject({ confirmed_at: TODAY + DAY_MS / 2 });
  });

  it('that is turned off is not fetched', async () => {
    const server = await serve(list(names(5)));
    const { clock, feeds, status } = start(server.port, { enabled: false, name: 'fakefilter' });
    expect([feeds.refresh('fakefilter'), clock.slept, server.requests]).toEqual(['off', [], []]);
    expect(status()).toMatchObject({ enabled: false, origin: 'shipped', rows: 4521, confirmed_at: '2026-05-13T00:00:00.000Z' });
  });

  it('is fetched when somebody says so', async () => {
    const server = await serve(list(names(5)));
    const { feeds, status } = start(server.port);
    expect([feeds.refresh('ours'), feeds.refresh('another')]).toEqual(['started', 'unknown']);
    await expect.poll(() => status().rows).toBe(5);
  });
});

describe('what is not the list is refused, and what was there goes on', () => {
  const cut: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-length': '100000' });
    response.write(names(5), () => response.destroy());
  };
  const endless: RequestListener = (_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(names(100, 'endless')));
    };
    response.on('drain', more);
    more();
  };
  const CASES: [what: string, why: string, given: RequestListener, changes?: Partial<Feed>][] = [
    ['a page', 'html', list(' \n<!DOCTYPE html><title>Sign in</title>')],
    ['a page with names in it', 'html', list(`<pre>\n${names(5)}</pre>`)],
    ['a list that was cut off', 'fetch_failed', cut],
    ['a list without an end', 'too_large', endless],
    ['a bomb', 'too_large', list(names(20_000))],
    ['what is not packed as its server says', 'fetch_failed', list(names(30), { 'content-encoding': 'gzip' })],
    ['a bomb that its server packed', 'too_large', list(gzipSync(names(200_000)), { 'content-encoding': 'gzip' })],
    ['a ten-fold shrink', 'shrunk', list(names(3, 'x')), { min_rows: 1 }],
    ['a ten-fold growth', 'grown', list(names(300, 'x'))],
    ['fewer rows than there ever are', 'too_few', list(names(2, 'x'))],
    ['nothing at all', 'too_few', list('')],
    ['an error in words', 'format', list(names(30, 'x') + 'Too many requests. Try again later!\n'.repeat(10))],
    ['JSON of another shape', 'format', list('{"message": "Not Found"}'), { format: 'json' }],
    ['half of a JSON array', 'format', list('["a.example", "b.exam'), { format: 'json' }],
    ['a poisoned list', 'poisoned', list(`${names(30, 'x')}gmail.com\n`)],
    ['a list poisoned in other letters', 'poisoned', list(`${names(30, 'x')}GMail.COM.\n`)],
    ['another status', 'status', (_request, response) => void response.writeHead(404).end(names(30))],
    ['a 304 that nobody asked for', 'status', (_request, response) => void response.writeHead(304).end()],
    [
      'a redirect to an inner address',
      'fetch_failed',
      (_request, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    ],
    ['a redirect to itself', 'fetch_failed', (_request, response) => void response.writeHead(302, { location: '/' }).end()],
    ['a closed connection', 'fetch_failed', (request) => void request.socket.destroy()],
  ];
  it.each(CASES)('%s', async (_what, why, given, changes = {}) => {
    const text = changes.format === 'json' ? JSON.stringify(names(30).trim().split('\n')) : names(30);
    const server = await serve(list(text));
    const { clock, status, refused, logged } = start(server.port, changes);
    await clock.due();
    expect(status()).toMatchObject({ rows: 30, problem: '' });
    server.answer = given;
    await clock.due();
    expect(refused).toEqual([`ours ${why}`]);
    expect(status()).toMatchObject({ rows: 30, origin: 'source', problem: expect.stringMatching(/./) });
    expect(logged.filter((line) => line.includes(`"why":"${why}"`))).toHaveLength(1);
    expect([await isDisposable('n7.example'), await isDisposable('x0.example'), await isDisposable('gmail.com')]).toEqual([
      true,
      false,
      false,
    ]);

    server.answer = list(text);
    await clock.due();
    expect(status()).toMatchObject({ rows: 30, problem: '' });
  });

  it('the list that is shipped is what the first fetch is compared with', async () => {
    const server = await serve(list(names(100)));
    const { clock, refused, status } = start(server.port, { name: 'fakefilter' });
    await clock.due();
    expect([refused, status().rows, status().origin]).toEqual([['fakefilter shrunk'], 4521, 'shipped']);
  });

  it('well-known names, providers and whole top-level domains are left out of a list that is taken', async () => {
    const server = await serve(list(`${names(30)}wikipedia.org\nposteo.de\ncom\nco.uk\ngithub.io\n`));
    const { clock, refused } = start(server.port);
    await clock.due();
    expect(refused).toEqual([]);
    for (const name of ['wikipedia.org', 'posteo.de', 'example.com', 'example.co.uk', 'someone.github.io'])
      expect([name, await isDisposable(name)]).toEqual([name, false]);
  });

  it('a stop ends a fetch that would not end', async () => {
    const server = await serve((_request, response) => void response.writeHead(200).write('a.example\n'));
    const { clock, feeds, refused } = start(server.port);
    void clock.due();
    await expect.poll(() => server.requests.length).toBe(1);
    await feeds.stop();
    expect(refused).toEqual([]);
  });
});

describe('the copy that is kept', () => {
  /** A folder with the copy of a list, and nothing in use. */
  async function kept(port: number): Promise<string> {
    const folder = folderOfTest();
    const { clock, feeds } = start(port, { folder });
    await clock.due();
    await feeds.stop();
    mailboxes.setDisposable('ours', new DomainList(Buffer.from('nothing.example\n')), { curated: true });
    return folder;
  }

  it('is used from the start, without the source', async () => {
    const server = await serve(list(names(5)));
    const folder = await kept(server.port);
    server.answer = (_request, response) => void response.destroy();
    const { clock, status, logged } = start(server.port, { folder, today: () => TODAY + 3 * DAY_MS });
    await clock.asleep();
    expect([status().rows, status().origin, status().age_seconds, await isDisposable('n3.example')]).toEqual([5, 'source', 259_200, true]);
    expect(logged).toEqual([]);
  });

  const part = (folder: string, kind: string): string =>
    join(
      folder,
      readdirSync(folder).find((name) => name.endsWith(kind))!,
    );

  it.each([
    ['was cut off', (folder: string) => writeFileSync(part(folder, '.snapshot'), readFileSync(part(folder, '.snapshot')).subarray(0, -3))],
    ['has more at its end', (folder: string) => appendFileSync(part(folder, '.snapshot'), 'gmail.com\n')],
    ['is another', (folder: string) => writeFileSync(part(folder, '.snapshot'), readFileSync(part(folder, '.snapshot')).fill(0x61))],
    ['has an empty head', (folder: string) => writeFileSync(join(folder, 'ours.json'), '')],
    ['has a head that is something else', (folder: string) => writeFileSync(join(folder, 'ours.json'), '{}')],
  ])('is left alone, with a line in the log, when it %s', async (_how, spoil) => {
    const server = await serve(list(names(5)));
    const folder = await kept(server.port);
    spoil(folder);
    const { clock, status, logged } = start(server.port, { folder });
    await clock.asleep();
    expect([status().rows, await isDisposable('n3.example'), logged.length]).toEqual([0, false, 1]);
    expect(logged[0]).toContain('the kept copy of a feed cannot be used');
    await clock.due();
    expect([status().rows, server.requests.at(-1)!['if-none-match']]).toEqual([5, undefined]);
  });

  it('is not used for another source, nor when something newer is shipped', async () => {
    const server = await serve(list(names(5)));
    const folder = await kept(server.port);
    const elsewhere = start(server.port, { folder, url: `http://127.0.0.1:${server.port}/other` });
    await elsewhere.clock.asleep();
    expect(elsewhere.status().rows).toBe(0);

    const head = readFileSync(join(folder, 'ours.json'), 'utf8');
    writeFileSync(join(folder, 'fakefilter.json'), head.replace(String(TODAY), String(Date.parse('2026-01-01'))));
    const shipped = start(server.port, { folder, name: 'fakefilter' });
    await shipped.clock.asleep();
    expect(shipped.status()).toMatchObject({ rows: 4521, origin: 'shipped', age_seconds: (TODAY - Date.parse('2026-05-13')) / 1000 });
  });

  it('does not take the place of what is fetched at once: it was made ready while a newer list came', async () => {
    const server = await serve(list(names(5), { etag: '"old"' }));
    const folder = await kept(server.port);
    server.answer = list(names(7), { etag: '"new"' });
    const { clock, feeds, status } = start(server.port, { folder, today: () => TODAY + DAY_MS });
    feeds.refresh('ours');
    await clock.asleep();
    await expect.poll(() => status().age_seconds).toBe(0);
    expect([status().rows, await isDisposable('n6.example')]).toEqual([7, true]);
    expect(server.requests.at(-1)).toMatchObject({ 'if-none-match': '"old"' });
  });

  it('that cannot be written is missed at the next start only', async () => {
    const server = await serve(list(names(5)));
    const folder = join(folderOfTest(), 'file');
    writeFileSync(folder, '');
    const { clock, status, logged } = start(server.port, { folder });
    await clock.due();
    expect(status()).toMatchObject({ rows: 5, origin: 'source', problem: '' });
    expect(logged.at(-1)).toContain('the copy of a feed cannot be written');
  });
});

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BuildSnapshot, Feed } from '@vedette/intel/feeds';
import { describe, expect, it } from 'vitest';
import { HolderWatch, takeLock } from '../../../packages/intel/src/feeds/lock.ts';
import { FeedStore } from '../../../packages/intel/src/feeds/store.ts';
import { paced } from '../../../packages/gateway/src/intel/feeds.ts';
import { virtualClock } from '../../probes/ping/virtual-clock.ts';
import {
  all,
  buildLines,
  DAY_MS,
  type FeedServer,
  folderOfTest,
  lineDataset,
  list,
  names,
  ownFeed,
  serve,
  type Start,
  startFeeds,
  TODAY,
} from './own-feed.ts';

/** Feeds whose rows are lines, and what is used of them. */
function start(catalogue: readonly Feed[], { rules = 1, ...how }: Omit<Start, 'datasets' | 'builders'> & { rules?: number } = {}) {
  const { dataset, used } = lineDataset({ rules });
  return { ...startFeeds(catalogue, { ...how, datasets: all(dataset), builders: all(buildLines) }), used };
}

const files = (folder: string): string[] => readdirSync(folder).sort();
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Until a feed has so many rows. */
const rows = (world: ReturnType<typeof start>, count: number) => expect.poll(() => world.status().rows).toBe(count);

describe('a snapshot', () => {
  it('is loaded at a start as it was made: its file is not read again', async () => {
    const server = await serve(list(names(5)));
    const folder = folderOfTest();
    const first = start([ownFeed(server.port)], { folder });
    await first.clock.due();
    await first.feeds.stop();
    const second = start([ownFeed(server.port)], { folder });
    await second.clock.asleep();
    expect([first.built(), second.built(), second.used.get('ours'), second.status().rows]).toEqual([1, 0, names(5).trim(), 5]);
    expect([server.requests.length, second.logged]).toEqual([1, []]);
  });

  it.each([
    ['the rules of the dataset', {}, { rules: 2 }],
    ['what is picked of a row', { pick: { columns: [1, 0] } }, {}],
  ])('is made anew from the kept file when %s have changed, without asking the source', async (_what, changes, how) => {
    const server = await serve(list('a b\nc d\ne f\n'));
    const folder = folderOfTest();
    const first = start([ownFeed(server.port, { format: 'words' })], { folder });
    await first.clock.due();
    await first.feeds.stop();
    const second = start([ownFeed(server.port, { format: 'words', ...changes })], { folder, ...how });
    await second.clock.asleep();
    expect([second.built(), second.status().rows, second.used.get('ours')?.split('\n')[0]]).toEqual([
      1,
      3,
      'pick' in changes ? 'b|a' : 'a|b',
    ]);
    expect(second.logged.join()).toContain('read anew, by the rules of this release');
    await second.feeds.stop();
    const third = start([ownFeed(server.port, { format: 'words', ...changes })], { folder, ...how });
    await third.clock.asleep();
    expect([third.built(), third.status().rows, server.requests.length]).toEqual([0, 3, 1]);
  });

  it('whose file is not the list any more by the rules of this release is left alone', async () => {
    const server = await serve(list(names(5)));
    const folder = folderOfTest();
    const first = start([ownFeed(server.port)], { folder });
    await first.clock.due();
    await first.feeds.stop();
    const second = start([ownFeed(server.port, { min_rows: 6 })], { folder, rules: 2 });
    await second.clock.asleep();
    expect([second.status().rows, second.used.size, second.logged.length]).toEqual([0, 0, 1]);
  });

  it('of a process that died while it wrote changes nothing: the one before is whole, and what is left over goes', async () => {
    const server = await serve(list(names(5)));
    const folder = folderOfTest();
    const first = start([ownFeed(server.port)], { folder });
    await first.clock.due();
    await first.feeds.stop();
    const before = files(folder);
    // It had written both files of the next one, and the draft of their head.
    const next = names(9, 'new');
    const left = [`ours.${digest(next).slice(0, 16)}.raw`, `ours.${digest(next).slice(0, 16)}.snapshot.4711.new`, 'ours.json.4711.new'];
    for (const name of left) writeFileSync(join(folder, name), next);
    const second = start([ownFeed(server.port)], { folder });
    await second.clock.asleep();
    expect([second.used.get('ours'), second.status().rows, second.logged]).toEqual([names(5).trim(), 5, []]);
    // Younger than an hour it may be somebody's work.
    await expect.poll(() => second.feeds.diskBytes()).toBeGreaterThan(0);
    expect(files(folder)).toEqual([...before, ...left].sort());
    for (const name of left) utimesSync(join(folder, name), TODAY / 1000 - 7200, TODAY / 1000 - 7200);
    await second.feeds.stop();
    const third = start([ownFeed(server.port)], { folder });
    await expect.poll(() => files(folder)).toEqual(before);
    expect(third.logged).toEqual([]);
  });

  it('takes the place of the one before: two files of each feed, and a head', async () => {
    const server = await serve(list(names(5)));
    const folder = folderOfTest();
    const { clock } = start([ownFeed(server.port)], { folder });
    for (const count of [5, 6, 7]) {
      server.answer = list(names(count));
      await clock.due();
    }
    const part = digest(names(7)).slice(0, 16);
    expect(files(folder)).toEqual([`ours.${digest(names(7).trim()).slice(0, 16)}.snapshot`, `ours.${part}.raw`, 'ours.json'].sort());
  });
});

describe('the disk', () => {
  it('holds no more than it may: what has no room is used, and not kept', async () => {
    const server = await serve(list(names(5)));
    const folder = folderOfTest();
    const world = start([ownFeed(server.port)], { folder, disk_bytes: 100 });
    await world.clock.due();
    expect([world.status().rows, files(folder), world.logged.at(-1)]).toEqual([
      5,
      [],
      expect.stringContaining('the copy of a feed cannot be written'),
    ]);
  });

  it('is told of, and what feeds left that nobody has any more goes after a month', async () => {
    const folder = folderOfTest();
    const store = new FeedStore(folder, 1e6);
    const part = { bytes: Buffer.from('a'), digest: digest('a') };
    const head = { url: 'https://a.example/', origin: 'source', etag: '', last_modified: '', rows: 1, rules: '' } as const;
    for (const [name, days] of [
      ['kept', 90],
      ['young', 10],
      ['gone', 40],
    ] as const)
      await store.write(name, { ...head, confirmed_at: TODAY - days * DAY_MS }, { raw: part, snapshot: part });
    const ours = [
      'broken.json',
      `kept.${'0'.repeat(16)}.raw`,
      `kept.${'1'.repeat(16)}.snapshot.7.new`,
      'kept.json.7.new',
      'lock-draft-7-25.new',
    ];
    for (const name of ours) writeFileSync(join(folder, name), 'what nobody needs');
    // Whoever names a folder that has something else in it must not lose that.
    const others = ['package.json', 'notes.txt', 'lock-3'];
    for (const name of others) writeFileSync(join(folder, name), '{}');
    mkdirSync(join(folder, 'folder'));
    for (const name of files(folder)) utimesSync(join(folder, name), TODAY / 1000 - 7200, TODAY / 1000 - 7200);
    await store.sweep(['kept', 'broken'], TODAY);
    const left = files(folder).filter((name) => !/^(?:kept|young)\.(?:json|[0-9a-f]{16}\.(?:raw|snapshot))$/.test(name));
    expect(left).toEqual(['folder', ...others].toSorted());
    expect(files(folder).length).toBe(2 * 3 + left.length);
    expect(await store.size()).toBe(files(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0));
  });
});

describe('an import', () => {
  it('takes an operator’s file for a feed that is turned off, keeps it, and is used after a start', async () => {
    const folder = folderOfTest();
    const feed = ownFeed(1, { enabled: false });
    const first = start([feed], { folder });
    expect(await first.feeds.import('ours', Buffer.from(names(4)))).toMatchObject({ origin: 'imported', rows: 4, problem: '' });
    expect([first.used.get('ours'), first.feeds.mostBytes('ours')]).toEqual([names(4).trim(), 100_000]);
    await first.feeds.stop();
    const second = start([feed], { folder });
    await rows(second, 4);
    expect([second.status().origin, second.built()]).toEqual(['imported', 0]);
    expect([await second.feeds.import('another', Buffer.from('')), second.feeds.mostBytes('another')]).toEqual([undefined, undefined]);
  });

  it('passes the same checks: what is not the list is refused, and what was there goes on', async () => {
    const { feeds, used } = start([ownFeed(1, { enabled: false, packing: 'gzip' })]);
    const put = (text: string | Uint8Array) => feeds.import('ours', gzipSync(text));
    await put(names(30));
    for (const [text, why] of [
      ['<html>', 'html'],
      [names(2), 'too_few'],
      [`${names(3)}!\n!\n`, 'format'],
      [`${names(3)}poison\n`, 'poisoned'],
      [Buffer.alloc(1 << 20), 'too_large'],
    ] as const)
      await expect(put(text), why).rejects.toMatchObject({ why });
    await expect(feeds.import('ours', Buffer.from(names(30)))).rejects.toMatchObject({ why: 'format' });
    expect(used.get('ours')).toBe(names(30).trim());
    // An operator may put in what has changed a lot: he knows what he does.
    expect(await put(names(4))).toMatchObject({ rows: 4 });
  });
});

describe('age', () => {
  it('a list that accuses is used no longer when its source is silent for too long, and not after a start either', async () => {
    const server = await serve(list(names(5)));
    const folder = folderOfTest();
    let now = TODAY;
    const feed = ownFeed(server.port, { max_age_days: 7 });
    const world = start([feed], { folder, today: () => now });
    await world.clock.due();
    const overdue = () => world.feeds.overdueDays('ours');
    expect([overdue(), world.feeds.overdueDays('another')]).toEqual([0, 0]);
    server.answer = (_request, response) => void response.destroy();
    now += 3 * DAY_MS - 1;
    expect(overdue()).toBe(0);
    now += 4 * DAY_MS + 1;
    await world.clock.due();
    expect([world.used.size, world.status().origin, overdue()]).toEqual([1, 'source', 5]);
    now += 1;
    await world.clock.due();
    expect([world.used.size, world.status().origin, world.status().rows, overdue()]).toEqual([0, 'none', 0, 0]);
    expect(world.logged.at(-1)).toContain('too old');
    await world.feeds.stop();
    const later = start([feed], { folder, today: () => now });
    await later.clock.asleep();
    expect([later.used.size, later.logged]).toEqual([0, []]);
    server.answer = list(names(5));
    await later.clock.due();
    expect(later.used.size).toBe(1);
  });
});

describe('the day on which a copy first had an entry', () => {
  const withEntries: BuildSnapshot = async (file, feed) => {
    const built = await buildLines(file, feed);
    return { ...built, entries: Buffer.from(built.bytes).toString().split('\n') };
  };
  /** The days of entries, of a feed whose copies are `lists`, one a day. A gateway starts anew for each. */
  async function days(
    lists: readonly string[],
    entries: readonly string[],
    change: (day: number) => { rules?: number; url?: string } = () => ({}),
  ) {
    const folder = folderOfTest();
    const server = await serve(list(''));
    const found: (string | null)[][] = [];
    for (const [day, content] of lists.entries()) {
      server.answer = list(content);
      const { rules = 1, url } = change(day);
      const feed = ownFeed(server.port, {
        max_change: 100,
        min_rows: 1,
        ...(url !== undefined && { url: `http://127.0.0.1:${server.port}${url}` }),
      });
      const { dataset } = lineDataset({ rules });
      const how = { folder, today: () => TODAY + day * DAY_MS, datasets: all(dataset), builders: all(withEntries) };
      const world = startFeeds([feed], how);
      await world.clock.due();
      const told = () => entries.map((entry) => world.feeds.firstDay('ours', [entry]));
      found.push(told());
      await world.feeds.stop();
      const next = startFeeds([feed], how);
      await next.clock.asleep();
      expect(next.built()).toBe(0);
      expect(entries.map((entry) => next.feeds.firstDay('ours', ['other', entry]))).toEqual(told());
      await next.feeds.stop();
    }
    return found;
  }

  it('is unknown for the first copy, stays over restarts, and begins anew for what was gone', async () => {
    expect(await days(['a\n', 'a\nb\n', 'b\nc\n', 'a\nb\n'], ['a', 'b', 'c'])).toEqual([
      [null, null, null],
      [null, '2026-11-23', null],
      [null, '2026-11-23', '2026-11-24'],
      ['2026-11-25', '2026-11-23', null],
    ]);
  });

  it('stays when the rules change, and is unknown when the source does', async () => {
    const lists = ['a\n', 'a\nb\n', 'a\nb\nc\n'];
    expect((await days(lists, ['b', 'c'], (day) => ({ rules: day + 1 }))).at(-1)).toEqual(['2026-11-23', '2026-11-24']);
    expect((await days(lists, ['b', 'c'], (day) => ({ url: day < 2 ? '/list' : '/another' }))).at(-1)).toEqual([null, null]);
  });

  it('is the earliest of all feeds of a list, and unknown if one of them had it in its first copy', async () => {
    const [one, two] = await Promise.all([serve(list('a\n')), serve(list('a\nb\n'))]);
    const feeds = [one, two].map(({ port }, n) =>
      ownFeed(port, { name: `f${n}`, list: 'ours', min_rows: 1, max_change: 100, rest_minutes: 1 }),
    );
    let now = TODAY;
    const world = startFeeds(feeds, { today: () => now, datasets: all(lineDataset().dataset), builders: all(withEntries) });
    /** Until the feeds have so many rows; a refresh joins one that still writes its copy, and is asked for again. */
    const refreshed = (rows: number[]) =>
      expect
        .poll(
          () => {
            for (const { name } of feeds) world.feeds.refresh(name);
            return world.feeds.status().map((feed) => feed.rows);
          },
          { timeout: 10_000 },
        )
        .toEqual(rows);
    await refreshed([1, 2]);
    now += DAY_MS;
    one.answer = list('a\nb\nc\n');
    two.answer = list('a\nb\nd\n');
    await refreshed([3, 3]);
    expect(['a', 'b', 'c', 'd', 'e'].map((entry) => world.feeds.firstDay('ours', [entry]))).toEqual([
      null,
      null,
      '2026-11-23',
      '2026-11-23',
      null,
    ]);
  });
});

describe('where a file is', () => {
  it('further files are fetched with the first, and are one list; without one of them there is none', async () => {
    const server = await serve(
      (request, response) => void response.writeHead(200, { etag: '"1"' }).end(names(3, request.url === '/list' ? 'a' : 'b').trim()),
    );
    const world = start([ownFeed(server.port, { more: [`http://127.0.0.1:${server.port}/v6`] })]);
    await world.clock.due();
    expect(world.used.get('ours')).toBe(`${names(3, 'a')}${names(3, 'b')}`.trim());
    const was = server.answer;
    server.answer = (request, response) => (request.url === '/v6' ? void response.writeHead(404).end() : was(request, response));
    await world.clock.due();
    expect([
      world.refused,
      world.status().rows,
      server.requests.at(-2)!['if-none-match'],
      server.requests.at(-1)!['if-none-match'],
    ]).toEqual([['ours status'], 6, '"1"', undefined]);
    server.answer = (request, response) => void response.writeHead(request.url === '/list' ? 304 : 500).end();
    await world.clock.due();
    expect(world.status().problem).toBe('');
  });

  it('what a page links to is the file; a page without the link is refused', async () => {
    const server = await serve((request, response) => void response.end(names(3)));
    const link = `http://127.0.0.1:${server.port}/download/`;
    server.answer = (request, response) =>
      void response.end(request.url === '/list' ? `<a href="${link}Tags_20261116.json?a=b">` : names(3));
    const world = start([ownFeed(server.port, { link })]);
    await world.clock.due();
    expect([world.status().rows, server.requests.map(({ path }) => path)]).toEqual([3, ['/list', '/download/Tags_20261116.json?a=b']]);
    server.answer = list('<html>moved</html>');
    await world.clock.due();
    expect([world.refused, world.status().rows]).toEqual([['ours format'], 3]);
  });

  it('a month’s file is asked for when it is surely there', async () => {
    const server = await serve(list(names(3)));
    const url = `http://127.0.0.1:${server.port}/city-{YYYY-MM}.mmdb`;
    let now = Date.parse('2027-01-03T23:00:00Z');
    const { clock } = start([ownFeed(server.port, { url })], { today: () => now });
    await clock.due();
    now += 2 * 3_600_000;
    await clock.due();
    expect(server.requests.map(({ path }) => path)).toEqual(['/city-2026-12.mmdb', '/city-2027-01.mmdb']);
  });
});

describe('courtesy', () => {
  it('a key goes to the source alone: not to where it redirects, and nobody is told it', async () => {
    const elsewhere = await serve(list(names(3)));
    const server = await serve(
      (_request, response) => void response.writeHead(302, { location: `http://127.0.0.1:${elsewhere.port}/` }).end(),
    );
    const world = start([ownFeed(server.port, { headers: { 'Auth-Key': 'secret' } })]);
    await world.clock.due();
    expect([world.status().rows, server.requests[0]!['auth-key'], elsewhere.requests[0]!['auth-key']]).toEqual([3, 'secret', undefined]);
    elsewhere.answer = (_request, response) => void response.writeHead(500).end();
    await world.clock.due();
    expect(JSON.stringify([world.logged, world.feeds.status()])).not.toContain('secret');
  });

  it('a source is left alone for a while after each try, also when an operator asks for more', async () => {
    const server = await serve(list(names(3)));
    let now = TODAY;
    const { clock, feeds } = start([ownFeed(server.port, { every_hours: 1, rest_minutes: 60 })], { today: () => now });
    await clock.due();
    expect([feeds.refresh('ours'), server.requests.length]).toEqual(['resting', 1]);
    now += 3_600_000;
    expect(feeds.refresh('ours')).toBe('started');
    await expect.poll(() => server.requests.length).toBe(2);
    server.answer = (_request, response) => void response.destroy();
    await clock.due();
    // A twenty-fourth of an hour would be two minutes and a half.
    expect(clock.slept.at(-1)).toBe(3_600_000);
  });

  it('one host is asked every two seconds, another at once', async () => {
    const clock = virtualClock();
    const asked: string[] = [];
    const fetch = paced(async ({ url }) => {
      asked.push(`${clock.now()} ${url}`);
      return { status: 200, body: new Uint8Array(), etag: '', lastModified: '' };
    }, clock);
    const get = (url: string) =>
      fetch({ url, maxBytes: 1, validators: { etag: '', lastModified: '' }, headers: {}, signal: new AbortController().signal });
    await Promise.all([get('https://a.example/1'), get('https://a.example/2'), get('https://b.example/1'), get('https://a.example/3')]);
    expect(asked.sort()).toEqual([
      '0 https://a.example/1',
      '0 https://b.example/1',
      '2000 https://a.example/2',
      '4000 https://a.example/3',
    ]);
  });

  it('four files are fetched at a time, one large one among them, and the urgent before others', async () => {
    const held: { path: string; end: () => void }[] = [];
    const server = await serve((request, response) => void held.push({ path: request.url!, end: () => response.end(names(3)) }));
    const feed = (name: string, changes: Partial<Feed> = {}) =>
      ownFeed(server.port, { name, url: `http://127.0.0.1:${server.port}/${name}`, ...changes });
    const large = { max_bytes: 17 * 1_048_576 };
    const catalogue = [
      feed('large-1', large),
      feed('large-2', large),
      ...['one', 'two', 'three', 'four'].map((name) => feed(name)),
      feed('tor', { urgent: true }),
      feed('large-drop', { ...large, urgent: true }),
    ];
    const world = start(catalogue);
    // All become due in the same moment.
    await expect.poll(() => world.clock.slept.length).toBe(catalogue.length);
    world.clock.wake();
    const under = () => held.map(({ path }) => path.slice(1));
    await expect.poll(() => held.length).toBe(4);
    // Which of the others are first is luck.
    const first = under().filter((name) => !['large-drop', 'tor'].includes(name));
    expect(first.map((name) => name.split('-')[0])).not.toContain('large');
    expect([first.length, new Set(under()).size]).toEqual([2, 4]);
    // A source that says nothing keeps its lane, and no other's.
    const [silent] = first;
    for (let done = 1; done < catalogue.length; done++) {
      const others = () => held.filter(({ path }) => path !== `/${silent}`);
      await expect.poll(() => others().length).toBeGreaterThan(0);
      expect(others().filter(({ path }) => path.startsWith('/large')).length).toBeLessThanOrEqual(1);
      const [other] = others();
      held.splice(held.indexOf(other!), 1);
      other!.end();
      await expect.poll(() => world.used.size).toBe(done);
    }
    expect(under()).toEqual([silent]);
    for (const { end } of held) end();
    await expect.poll(() => world.used.size).toBe(catalogue.length);
  });
});

describe('a check of a source', () => {
  const answer =
    (status: number, body: string): RequestListener =>
    (_request, response) =>
      void response.writeHead(status).end(body);
  it.each<[verdict: string, detail: string, answer: RequestListener, changes?: Partial<Feed>]>([
    ['ok', '5 rows', answer(200, names(5))],
    ['unreachable', 'connection was closed', (_request, response) => void response.destroy()],
    ['refused', 'status 403', answer(403, '')],
    ['refused', 'status 429', answer(429, '')],
    ['moved', 'status 404', answer(404, '')],
    ['moved', 'page with the link answered with status 410', answer(410, ''), { link: 'http://127.0.0.1/' }],
    ['failing', 'status 503', answer(503, '')],
    ['terms', 'page', answer(200, '<!doctype html><title>Terms</title>')],
    ['shape', '1 rows', answer(200, names(1))],
    ['shape', 'cannot be read', answer(200, `${names(5)}!one\n!two\n`)],
    ['lists_too_much', 'poison', answer(200, `${names(5)}poison\n`)],
  ])('says %s (%s), and uses nothing', async (verdict, detail, listener, changes = {}) => {
    const server = await serve(listener);
    const world = start([ownFeed(server.port, { enabled: false, ...changes })]);
    expect(await world.feeds.check('ours')).toEqual({ name: 'ours', verdict, detail: expect.stringContaining(detail) });
    // What came of it is told again for as long as the source is left alone.
    expect(await world.feeds.check('ours')).toMatchObject({ verdict });
    expect([server.requests.length, world.used.size, world.status().origin]).toEqual([1, 0, 'none']);
  });

  it('is compared with what is in use, which stays, and an unknown feed has none', async () => {
    const server = await serve(list(names(40)));
    let now = TODAY;
    const world = start([ownFeed(server.port)], { today: () => now });
    world.feeds.refresh('ours');
    await rows(world, 40);
    server.answer = list(names(5));
    now += DAY_MS;
    expect(await world.feeds.check('ours')).toMatchObject({ verdict: 'shape', detail: '5 rows, and there were 40' });
    expect([world.status().rows, world.status().problem]).toEqual([40, '']);
    expect(await world.feeds.check('other')).toBeUndefined();
  });
});

describe('gateways that share a folder', () => {
  const pair = (server: FeedServer, today: () => number = () => TODAY) => {
    const folder = folderOfTest();
    const one = () => start([ownFeed(server.port)], { folder, shared: true, today });
    return { folder, one: one(), other: one() };
  };

  it('fetch a list once: who comes second uses what the first has fetched, as it was made', async () => {
    const slow: RequestListener = (_request, response) => void setTimeout(() => response.writeHead(200, { etag: '"1"' }).end(names(5)), 30);
    const server = await serve(slow);
    const { one, other } = pair(server);
    await Promise.all([one.clock.asleep(), other.clock.asleep()]);
    await expect
      .poll(() => {
        for (const { clock } of [one, other]) clock.wake();
        return [one, other].map(({ status }) => status().rows);
      })
      .toEqual([5, 5]);
    expect([server.requests.length, one.built() + other.built()]).toEqual([1, 1]);
    for (const { used } of [one, other]) expect(used.get('ours')).toBe(names(5).trim());
    for (const { status } of [one, other]) expect(status().origin).toBe('source');
  });

  it('use within a minute what one of them was told to fetch', async () => {
    const server = await serve(list(names(5)));
    let now = TODAY;
    const { one, other } = pair(server, () => now);
    one.feeds.refresh('ours');
    await rows(one, 5);
    server.answer = list(names(7));
    now += 3_600_000;
    // Until the first one is kept, the second joins it.
    await expect
      .poll(() => {
        one.feeds.refresh('ours');
        return one.status().rows;
      })
      .toBe(7);
    await expect
      .poll(() => {
        other.clock.wake();
        return other.status().rows;
      })
      .toBe(7);
    expect([server.requests.length, other.built()]).toEqual([2, 0]);
  });

  it('a lock that somebody holds is not taken; a released and an expired one are, by one alone', async () => {
    const folder = folderOfTest();
    const at = (now: number, random = 0.1) => takeLock(folder, { now, until: now + 1000, random });
    const first = (await at(0))!;
    expect([await first.isHeld(), await at(500)]).toEqual([true, undefined]);
    await first.release();
    const second = (await at(600))!;
    expect([await second.isHeld(), await first.isHeld()]).toEqual([true, false]);
    // Its process has died: from then on nobody releases it.
    expect(await at(1599)).toBeUndefined();
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => at(1601, i / 100)));
    const held = all.filter((lock) => lock !== undefined);
    expect([held.length, await held[0]!.isHeld(), await second.isHeld()]).toEqual([1, true, false]);
    // One that wakes up late releases nothing of others.
    await second.release();
    expect(await at(1700)).toBeUndefined();
    expect(files(folder).filter((name) => name.startsWith('lock-')).length).toBe(1);
  });

  it('take the lock of one that is dead after two minutes without a sign of life, by one alone, and leave it to one that lives', async () => {
    const folder = folderOfTest();
    let now = 0;
    const from = () => {
      const watch = new HolderWatch({ now: () => now });
      // The wall clocks of the others are five minutes ahead of the holder's, as those of other machines may be.
      return (random: number) => takeLock(folder, { now: 300_000 + now, until: 300_000 + now + 900_000, random, watch });
    };
    const holder = (await takeLock(folder, { now: 0, until: 900_000, random: 0.1 }))!;
    const others = [from(), from(), from()];
    const look = () => Promise.all(others.map((one, i) => one(i / 10)));
    for (; now <= 300_000; now += 10_000) {
      await holder.beat();
      expect(await look()).toEqual([undefined, undefined, undefined]);
    }
    // The last beat was seen at 300 s.
    for (; now < 420_000; now += 10_000) expect(await look()).toEqual([undefined, undefined, undefined]);
    const taken = (await look()).filter((lock) => lock !== undefined);
    expect([taken.length, await holder.isHeld(), await taken[0]!.isHeld()]).toEqual([1, false, true]);
    // One that was only stopped for long changes nothing of the next one's lock.
    await holder.beat();
    await holder.release();
    expect([await taken[0]!.isHeld(), await look()]).toEqual([true, [undefined, undefined, undefined]]);
  });

  it('do not take the lock of a living one after they were stopped themselves', async () => {
    const folder = folderOfTest();
    let now = 0;
    const watch = new HolderWatch({ now: () => now });
    const look = () => takeLock(folder, { now, until: now + 900_000, random: 0.2, watch });
    const holder = (await takeLock(folder, { now, until: 900_000, random: 0.1 }))!;
    expect(await look()).toBeUndefined();
    now = 500_000;
    expect(await look()).toBeUndefined();
    await holder.beat();
    for (; now < 610_000; now += 10_000) expect(await look()).toBeUndefined();
  });

  it('leave the lock of an earlier release, which has no beats, until it expires', async () => {
    const folder = folderOfTest();
    writeFileSync(join(folder, 'lock-7'), '900000');
    let now = 0;
    const watch = new HolderWatch({ now: () => now });
    for (; now < 900_000; now += 10_000) expect(await takeLock(folder, { now, until: now + 900_000, random: 0.1, watch })).toBeUndefined();
    expect(await takeLock(folder, { now, until: now + 900_000, random: 0.1, watch })).toBeDefined();
    expect(readdirSync(folder)).toEqual(['lock-8']);
  });

  it('show each other that they live for as long as a source is slow', async () => {
    const held: (() => void)[] = [];
    const server = await serve((_request, response) => void held.push(() => response.end(names(5))));
    const { folder, one } = pair(server);
    one.feeds.refresh('ours');
    await expect.poll(() => held.length).toBe(1);
    const file = join(folder, 'locks', 'ours', 'lock-1');
    for (let beats = 0; beats < 3; beats++) {
      const before = statSync(file).mtimeMs;
      // The beat may still be on its way to its next sleep.
      await expect
        .poll(() => {
          one.clock.wake();
          return statSync(file).mtimeMs;
        })
        .not.toBe(before);
    }
    held[0]!();
    await rows(one, 5);
  });

  it('are not stopped for years by what one with a wrong clock has written', async () => {
    const server = await serve(list(names(5)));
    const folder = folderOfTest();
    const wrong = start([ownFeed(server.port)], { folder, shared: true, today: () => TODAY + 9_000 * DAY_MS });
    wrong.feeds.refresh('ours');
    await rows(wrong, 5);
    await wrong.feeds.stop();
    await takeLock(join(folder, 'locks', 'ours'), { now: TODAY + 9_000 * DAY_MS, until: TODAY + 9_001 * DAY_MS, random: 0.7 });
    const right = start([ownFeed(server.port)], { folder, shared: true });
    await right.clock.asleep();
    expect(right.status().rows).toBe(5);
    right.clock.wake();
    await expect.poll(() => server.requests.length).toBe(2);
  });

  it('one that was stopped for so long that another took its turn keeps nothing', async () => {
    const server = await serve(list(names(5)));
    const folder = folderOfTest();
    const world = start([ownFeed(server.port)], { folder, shared: true });
    server.answer = (_request, response) =>
      void (async () => {
        await takeLock(join(folder, 'locks', 'ours'), { now: TODAY + DAY_MS, until: TODAY + 2 * DAY_MS, random: 0.7 });
        response.end(names(5));
      })();
    world.feeds.refresh('ours');
    await rows(world, 5);
    await world.feeds.stop();
    expect([existsSync(join(folder, 'ours.json')), (await readFile(join(folder, 'locks', 'ours', 'lock-2'), 'utf8')).trim()]).toEqual([
      false,
      String(TODAY + 2 * DAY_MS),
    ]);
  });

  it('one that was stopped for so long does not say of the other’s copy that its source has it still', async () => {
    const server = await serve((_request, response) => void response.writeHead(200, { etag: '"1"' }).end(names(5)));
    const folder = folderOfTest();
    let now = TODAY;
    const world = start([ownFeed(server.port)], { folder, shared: true, today: () => now });
    const confirmedAt = async (): Promise<number> =>
      (JSON.parse(await readFile(join(folder, 'ours.json'), 'utf8')) as { confirmed_at: number }).confirmed_at;
    world.feeds.refresh('ours');
    await rows(world, 5);
    await expect.poll(confirmedAt).toBe(TODAY);
    now += DAY_MS;
    server.answer = (_request, response) =>
      void (async () => {
        await takeLock(join(folder, 'locks', 'ours'), { now: now + DAY_MS, until: now + 2 * DAY_MS, random: 0.7 });
        response.writeHead(304).end();
      })();
    await expect
      .poll(() => {
        world.feeds.refresh('ours');
        return world.status().confirmed_at;
      })
      .toBe(new Date(now).toISOString());
    await world.feeds.stop();
    expect(await confirmedAt()).toBe(TODAY);
  });
});

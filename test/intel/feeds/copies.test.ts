import { copyOf, DATASET_BUILDERS, FEED_CATALOGUE } from '@vedette/intel/datasets';
import { type Feed, openBuilder } from '@vedette/intel/feeds';
import { afterAll, describe, expect, it } from 'vitest';
import { COPIED_FEEDS } from '../../../scripts/copies.ts';
import { all, buildLines, folderOfTest, lineDataset, list, names, ownFeed, serve, type Start, startFeeds } from './own-feed.ts';

describe('copies for a release', () => {
  it('are of lists that accuse nobody, and whose terms allow it', () => {
    const rows = COPIED_FEEDS.map((name) => FEED_CATALOGUE.find((row) => row.name === name));
    expect([...new Set(rows.map((row) => row?.dataset))]).toEqual(['services', 'preloaded_names']);
    expect(rows.every((row) => row?.max_age_days === undefined)).toBe(true);
    expect(rows.filter((row) => !/^(?:CC0|MIT|BSD|MPL)/.test(row!.licence)).map((row) => [row!.name, row!.licence])).toEqual([]);
  });

  it('are read as their rows of the catalogue want it', async () => {
    const builder = openBuilder(DATASET_BUILDERS);
    afterAll(() => builder.close());
    const there = COPIED_FEEDS.filter((name) => copyOf(name) !== undefined);
    for (const name of there) {
      const feed = FEED_CATALOGUE.find((row) => row.name === name)!;
      const built = await builder.build(feed, await copyOf(name)!.file(), new AbortController().signal);
      expect(built.rows).toBeGreaterThan(feed.min_rows);
      expect([built.forbidden, built.unreadable < built.rows / 100]).toEqual([undefined, true]);
      expect(Math.max(0, ...Object.values(built.coverage ?? {}))).toBeLessThan(feed.max_coverage ?? 0.5);
    }
    // All, or none between releases.
    expect([0, COPIED_FEEDS.length]).toContain(there.length);
  });
});

describe('a copy of a feed', () => {
  /** A feed of lines with a copy of that day. */
  function start(port: number, copy: string, { day = '2026-11-01', ...changes }: Partial<Feed> & { day?: string } = {}, how: Start = {}) {
    const { dataset, used } = lineDataset();
    const shipped = () => ({ date: day, file: () => Promise.resolve(Buffer.from(copy)) });
    const datasets = all({ ...dataset, shipped });
    return { ...startFeeds([ownFeed(port, changes)], { ...how, datasets, builders: all(buildLines) }), used };
  }
  const OLD = names(4, 'old');

  it('is used from the start, by its day, until the source has another', async () => {
    const server = await serve(list(names(5)));
    const { clock, status, feeds, used, logged } = start(server.port, OLD);
    await clock.asleep();
    expect(used.get('ours')).toBe(OLD.trim());
    expect(status()).toMatchObject({ origin: 'shipped', rows: 4, confirmed_at: '2026-11-01T00:00:00.000Z', age_seconds: 21 * 86_400 });
    expect([feeds.staleSince('ours'), feeds.overdueDays('ours')]).toEqual(['2026-11-01', 19]);
    await clock.due();
    expect([used.get('ours'), status().origin, feeds.staleSince('ours')]).toEqual([names(5).trim(), 'source', '']);
    expect(logged.join()).not.toContain('copy');
  });

  it('of this week is not called old', async () => {
    const server = await serve(list(names(5)));
    const { clock, feeds, status } = start(server.port, OLD, { day: '2026-11-15' });
    await clock.asleep();
    expect([status().origin, feeds.staleSince('ours'), feeds.staleSince('others')]).toEqual(['shipped', '', '']);
  });

  it('is not used where it is older than the feed may be, and no longer once it gets so old', async () => {
    const silent = await serve((_request, response) => void response.writeHead(500).end());
    const late = start(silent.port, OLD, { max_age_days: 20 });
    await late.clock.asleep();
    expect([late.used.size, late.status().origin, late.feeds.staleSince('ours')]).toEqual([0, 'none', '']);

    let now = Date.parse('2026-11-20');
    const world = start(silent.port, OLD, { max_age_days: 20 }, { today: () => now });
    await world.clock.asleep();
    expect([world.used.size, world.status().origin]).toEqual([1, 'shipped']);
    now = Date.parse('2026-11-22');
    await world.clock.due();
    expect([world.used.size, world.status().origin]).toEqual([0, 'none']);
  });

  it('does not take the place of what was fetched before', async () => {
    const server = await serve(list(names(5)));
    const folder = folderOfTest();
    const first = start(server.port, OLD, {}, { folder });
    await first.clock.due();
    await first.feeds.stop();
    const second = start(server.port, OLD, {}, { folder });
    await second.clock.asleep();
    expect([second.used.get('ours'), second.status().origin, second.built()]).toEqual([names(5).trim(), 'source', 0]);
  });

  it('that is not the list is left alone, and said so', async () => {
    const server = await serve(list(names(5)));
    const { clock, used, status, logged } = start(server.port, `${OLD}poison\n`);
    await clock.asleep();
    expect([used.size, status().origin, logged.length]).toEqual([0, 'none', 1]);
    expect(logged[0]).toContain('shipped copy of a feed cannot be used');
  });
});

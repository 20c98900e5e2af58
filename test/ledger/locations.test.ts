import type { Ledger } from '@vedette/ledger';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, openLedger, OPERATOR, sql, startServer, type TestServer } from './servers.ts';

let server: TestServer;
let url: string;
let one: Ledger;
let other: Ledger;
beforeAll(async () => {
  server = await startServer('embedded');
  url = await createDatabase(server);
  [one, other] = await Promise.all([openLedger(url), openLedger(url)]);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await server.stop();
});
beforeEach(() => sql(url, 'DELETE FROM locations'));

const note = (ledger: Ledger, seen: readonly string[], prepared: readonly string[] = []) =>
  ledger.noteLocations(
    new Map([...prepared.map((id): [string, boolean] => [id, false]), ...seen.map((id): [string, boolean] => [id, true])]),
  );
const known = (ledger: Ledger) => ledger.knownLocations().toSorted();
const listed = async () => (await one.admin.listLocations()).map(({ id, seen_at }) => `${id} ${seen_at === null ? 'never' : 'seen'}`);

describe('the locations that gateways share', () => {
  it('are those that were seen or prepared, with the last time that an agent was there', async () => {
    await note(one, ['eu-fra'], ['us-ash', 'rack-7']);
    await note(other, ['us-ash']);
    expect(await listed()).toEqual(['eu-fra seen', 'rack-7 never', 'us-ash seen']);
    await sql(url, `UPDATE locations SET seen_at = '2026-01-01T00:00:00Z'`);
    await note(other, ['us-ash'], ['eu-fra']);
    const times = (await one.admin.listLocations()).map(({ seen_at }) => seen_at);
    expect(times).toEqual(['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', expect.not.stringContaining('2026-01-01')]);
  });

  it('are known to a ledger that is opened later, and to one whose database has gone since', async () => {
    await note(one, ['eu-fra']);
    const later = await openLedger(url);
    expect(known(later)).toEqual(['eu-fra']);
    await later.close();
    expect(known(later)).toEqual(['eu-fra']);
    await expect(note(later, ['us-ash'])).rejects.toMatchObject({ code: 'ledger_unavailable' });
  });

  it('are forgotten by both when one removes it, come back with an agent, and not with a key file of before', async () => {
    one.invalidations.subscribe((invalidation) => void other.invalidations.apply(invalidation));
    await note(one, ['eu-fra'], ['rack-7']);
    await note(other, ['eu-fra']);
    for (const id of ['eu-fra', 'rack-7']) expect(await one.admin.removeLocation(OPERATOR, id)).toEqual({ removed: true });
    expect(await one.admin.removeLocation(OPERATOR, 'rack-7')).toEqual({ removed: false });
    expect(known(one)).toEqual([]);
    await expect.poll(() => known(other)).toEqual([]);
    await note(other, ['eu-fra'], ['rack-7']);
    expect(known(other)).toEqual(['eu-fra']);
    await one.admin.addLocation(OPERATOR, { id: 'rack-7' });
    expect(known(one)).toEqual(['eu-fra', 'rack-7']);
  });

  it('are a thousand at most, whatever names somebody makes up; those that are known go on being seen', async () => {
    const made = Array.from({ length: 1_200 }, (_, i) => `made-up-${i}`);
    await note(one, ['eu-fra']);
    await note(one, [...made, 'eu-fra']);
    await note(other, [...made.toReversed(), 'eu-fra']);
    expect(known(one)).toHaveLength(1_000);
    expect(known(one)).toContain('eu-fra');
    await expect(one.admin.addLocation(OPERATOR, { id: 'us-ash' })).rejects.toMatchObject({ code: 'invalid_parameter' });
    expect(await one.admin.addLocation(OPERATOR, { id: 'eu-fra' })).toMatchObject({ id: 'eu-fra' });
    await one.admin.removeLocation(
      OPERATOR,
      known(one).find((id) => id.startsWith('made'))!,
    );
    expect(await one.admin.addLocation(OPERATOR, { id: 'us-ash' })).toMatchObject({ seen_at: null });
  });

  it('can be noted by two gateways at once', async () => {
    const ids = Array.from({ length: 300 }, (_, i) => `place-${i}`);
    await Promise.all(Array.from({ length: 10 }, (_, i) => note(i % 2 ? one : other, i % 3 ? ids : ids.toReversed())));
    expect(known(one)).toHaveLength(300);
  });
});

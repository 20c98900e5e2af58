import { expect, it } from 'vitest';
import { Owners } from '../../../packages/renderer/src/egress/owners.ts';
import { fakeResolver, type FakeZone } from '../../intel/fake-resolver.ts';

const RECORD = '_probe-optout.example.org';
const HOUR_MS = 3_600_000;

function setUp(zone: FakeZone) {
  const clock = { at: 0, now: () => clock.at, sleep: () => new Promise<void>(() => {}) };
  const owners = new Owners({ resolver: fakeResolver(zone), clock, siteOf: () => 'example.org' });
  return { zone, clock, isOut: () => owners.hasOptedOut('www.example.org') };
}

it.each(['TIMEOUT', 'SERVFAIL'] as const)(
  'an owner who is out stays out while the zone is silent (%s), as at gateways',
  async (silence) => {
    const { zone, clock, isOut } = setUp({ [RECORD]: { TXT: ['v=optout1'] } });
    expect(await isOut()).toBe(true);
    zone[RECORD] = silence;
    for (let hour = 1; hour <= 3; hour++) {
      clock.at = hour * HOUR_MS;
      expect(await isOut()).toBe(true);
    }
    zone[RECORD] = {};
    clock.at += 60_000;
    expect(await isOut()).toBe(false);
  },
);

it('a zone that has never answered counts as a yes, and is asked again after a minute', async () => {
  const { zone, clock, isOut } = setUp({ [RECORD]: 'TIMEOUT' });
  expect(await isOut()).toBe(false);
  zone[RECORD] = { TXT: ['v=optout1'] };
  expect(await isOut()).toBe(false);
  clock.at = 60_000;
  expect(await isOut()).toBe(true);
});

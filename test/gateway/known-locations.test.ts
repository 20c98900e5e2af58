import type { Presence } from '@vedette/bus';
import type { Ledger } from '@vedette/ledger';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '@vedette/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { KnownLocations } from '../../packages/gateway/src/locations/known-locations.ts';

let stored: readonly string[];
let away: boolean;
let beating: string[];
let noted: [string, boolean][][];
let warned: string[];
let now: number;
let tick: () => void;
const clock: Clock = {
  now: () => now,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      signal?.addEventListener('abort', () => resolve());
      tick = () => {
        now += ms;
        resolve();
      };
    }),
};
/** A second passes. */
const second = async (): Promise<void> => {
  tick();
  await setImmediate();
};
const open = (more: { configured?: string[]; prepared?: string[] } = {}): KnownLocations => {
  const known = new KnownLocations({
    configured: [],
    prepared: [],
    ...more,
    clock,
    log: { debug() {}, info() {}, error() {}, warn: (_fields: object, message?: string) => void warned.push(message ?? '') },
    ledger: {
      knownLocations: () => stored,
      async noteLocations(heard: ReadonlyMap<string, boolean>) {
        if (away) throw new Error('the database is away');
        noted.push([...heard]);
        stored = [...new Set([...stored, ...heard.keys()])].slice(0, 1_000);
      },
    } as Partial<Ledger> as Ledger,
  });
  known.follow({ beating: () => beating } as Partial<Presence> as Presence);
  return known;
};
beforeEach(() => {
  [stored, away, beating, noted, warned, now] = [[], false, [], [], [], 0];
});

describe('known locations', () => {
  it('are those of the file, those prepared, those of the database and those seen', () => {
    stored = ['us-ash', 'rack-7'];
    const known = open({ configured: ['rack-7'], prepared: ['sg-sin'] });
    expect(known.ids).toEqual(['rack-7', 'sg-sin', 'us-ash']);
    known.saw('eu-fra');
    expect(known.ids).toEqual(['eu-fra', 'rack-7', 'sg-sin', 'us-ash']);
    expect(known.ids).toBe(known.ids); // nothing is made for a request
  });

  it('are written down within a second, and every minute that their agents beat', async () => {
    const known = open({ prepared: ['sg-sin'] });
    known.saw('eu-fra');
    beating = ['eu-fra'];
    await second();
    expect(noted).toEqual([
      [
        ['sg-sin', false],
        ['eu-fra', true],
      ],
    ]);
    for (let i = 0; i < 60; i++) await second();
    expect(noted.slice(1)).toEqual([[['eu-fra', true]]]);
    expect(known.ids).toEqual(['eu-fra', 'sg-sin']);
  });

  it('are written down by a gateway that stops before', async () => {
    const known = open({ prepared: ['sg-sin'] });
    await known.stop();
    expect(stored).toEqual(['sg-sin']);
  });

  it('go on in memory while the database is away, and are written when it is back', async () => {
    stored = ['us-ash'];
    away = true;
    const known = open();
    known.saw('eu-fra');
    for (let i = 0; i < 700; i++) await second(); // longer than an agent is remembered
    expect(known.ids).toEqual(['eu-fra', 'us-ash']);
    expect(warned).toEqual(['locations could not be noted: tried again until they are']);
    away = false;
    await second();
    expect(stored).toEqual(['us-ash', 'eu-fra']);
  });

  it('are no longer those that an operator removed, unless their agents beat', async () => {
    const known = open();
    beating = ['eu-fra', 'us-ash'];
    known.saw('eu-fra');
    known.saw('us-ash');
    await second();
    beating = ['eu-fra'];
    stored = [];
    expect(known.ids).toEqual(['eu-fra']);
  });

  it('are bounded while the database is away, and what it has no room for is said', async () => {
    away = true;
    const known = open();
    for (let i = 0; i < 1_100; i++) known.saw(`made-up-${i}`);
    expect(known.ids).toHaveLength(1_000);
    away = false;
    stored = ['eu-fra'];
    await second();
    expect(warned).toEqual(['too many locations are known to remember this one: vedette locations remove']);
    await known.stop();
  });
});

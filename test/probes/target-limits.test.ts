import type { ProbeFailure } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { createTargetLimits } from '@vedette/probes/target-limits';

function setUp(options: { enabled?: boolean; spares?: string[] } = {}) {
  const clock = { at: 0, now: () => clock.at };
  return { clock, limits: createTargetLimits({ clock, enabled: true, spares: [], ...options }) };
}

/** How many of `tries` are let through. */
function admitted(tries: number, take: () => unknown): number {
  let count = 0;
  for (let i = 0; i < tries; i++)
    try {
      take();
      count++;
    } catch (error) {
      if ((error as ProbeFailure).code !== 'target_limited') throw error;
    }
  return count;
}

describe('echoes', () => {
  it('20 a second for each address, refilled as time goes on', () => {
    const { clock, limits } = setUp();
    expect(admitted(10, () => limits.echoes('192.0.2.1', 4))).toBe(5);
    expect(admitted(10, () => limits.echoes('192.0.2.2', 4))).toBe(5);
    clock.at = 500;
    expect(admitted(10, () => limits.echoes('192.0.2.1', 4))).toBe(2);
    clock.at = 60_000;
    expect(admitted(10, () => limits.echoes('192.0.2.1', 4))).toBe(5);
  });
});

describe('prefixes', () => {
  it('get five times what an address gets, so that a network is not flooded address by address', () => {
    const { limits } = setUp();
    let host = 0;
    expect(admitted(99, () => limits.echoes(`192.0.2.${host++}`, 4))).toBe(25);
    expect(admitted(1, () => limits.echoes('192.0.3.1', 4))).toBe(1);
    expect(admitted(99, () => limits.echoes(`2001:db8:1:${(host++).toString(16)}::1`, 4))).toBe(25);
    expect(admitted(1, () => limits.echoes('2001:db8:2::1', 4))).toBe(1);
  });
  it('are counted for HTTP too', () => {
    const { limits } = setUp();
    let host = 0;
    expect(admitted(254, () => limits.http(`192.0.2.${++host}`)())).toBe(200);
  });
});

describe('http', () => {
  it('5 requests a second for each host after a burst of 50, where there was no rate: one key had 819 GET/s through three locations', () => {
    const { clock, limits } = setUp();
    expect(admitted(999, () => limits.http('192.0.2.1', 'www.example.test')())).toBe(50);
    clock.at = 1_000;
    expect(admitted(999, () => limits.http('192.0.2.1', 'www.example.test')())).toBe(5);
    expect(admitted(999, () => limits.http('192.0.2.9')())).toBe(50);
  });
  it('20 a second after a burst of 100 for what hosts share: random labels of a domain, names on one address', () => {
    const { clock, limits } = setUp();
    let label = 0;
    const ofDomain = () => limits.http(`192.0.${label % 200}.1`, `${label++}.example.test`)();
    const ofAddress = () => limits.http('198.51.100.1', `www.example${label++}.test`)();
    expect([admitted(999, ofDomain), admitted(999, ofAddress)]).toEqual([100, 100]);
    clock.at = 1_000;
    expect([admitted(999, ofDomain), admitted(999, ofAddress)]).toEqual([20, 20]);
  });
  it('5 at once for each host, a slot freed once by each holder', () => {
    const { limits } = setUp();
    const release = limits.http('192.0.2.1');
    expect(admitted(9, () => limits.http('192.0.2.1'))).toBe(4);
    release();
    release();
    expect(admitted(9, () => limits.http('192.0.2.1'))).toBe(1);
    expect(admitted(9, () => limits.http('192.0.2.2'))).toBe(5);
  });
  it('20 at once for an address that hosts share: five that hang at one leave it open to the others', () => {
    const { limits } = setUp();
    const cdn = '192.0.2.1';
    expect(admitted(9, () => limits.http(cdn, 'hangs.example.test'))).toBe(5);
    expect(admitted(9, () => limits.http(cdn, 'www.example.org'))).toBe(5);
    expect(admitted(9, () => limits.http(cdn, 'www.example.com'))).toBe(5);
    expect(admitted(9, () => limits.http(cdn, 'www.example.net'))).toBe(5);
    expect(admitted(9, () => limits.http(cdn, 'www.example.edu'))).toBe(0);
  });
  it('what is refused for want of a slot costs the budgets nothing', () => {
    const { limits } = setUp();
    const held = Array.from({ length: 5 }, () => limits.http('192.0.2.1'));
    expect(admitted(99, () => limits.http('192.0.2.1'))).toBe(0);
    for (const release of held) release();
    expect(admitted(99, () => limits.http('192.0.2.1')())).toBe(45);
  });
});

describe('dns', () => {
  it('50 a second for a zone, random labels below it included', () => {
    const { limits } = setUp();
    let label = 0;
    expect(admitted(99, () => limits.dns(`${label++}.www.Example.test`, 1))).toBe(50);
    expect(admitted(99, () => limits.dns('other.test', 1))).toBe(50);
  });
  it('the names under co.uk are not one zone', () => {
    const { limits } = setUp();
    let label = 0;
    expect(admitted(99, () => limits.dns(`${label++}.www.example.co.uk`, 1))).toBe(50);
    expect(admitted(99, () => limits.dns('other.CO.uk', 1))).toBe(50);
    expect(admitted(99, () => limits.dns('co.uk', 1))).toBe(50);
    expect(admitted(99, () => limits.dns('co.example', 1))).toBe(50);
    expect(admitted(99, () => limits.dns('www.co.example', 1))).toBe(0);
  });
});

it("spares the operator's own names and networks", () => {
  const { limits } = setUp({ spares: ['own.test', '198.51.100.0/24', '2001:db8::1'] });
  expect(admitted(99, () => limits.dns('www.OWN.test', 1))).toBe(99);
  expect(admitted(99, () => limits.dns('notown.test', 1))).toBe(50);
  expect(admitted(99, () => limits.echoes('198.51.100.9', 1))).toBe(99);
  expect(admitted(99, () => limits.echoes('192.0.2.1', 1, 'own.test'))).toBe(99);
  expect(admitted(99, () => limits.http('2001:db8::1'))).toBe(99);
  expect(admitted(99, () => limits.http('2001:db8::2', 'a.own.test'))).toBe(99);
  expect(admitted(99, () => limits.http('2001:db8::2', 'a.test'))).toBe(5);
});

it('limits nothing when switched off', () => {
  const { limits } = setUp({ enabled: false });
  expect(admitted(99, () => limits.echoes('192.0.2.1', 4))).toBe(99);
  expect(admitted(99, () => limits.http('192.0.2.1'))).toBe(99);
  expect(admitted(99, () => limits.dns('a.test', 1))).toBe(99);
});

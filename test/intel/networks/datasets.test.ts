import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { cidrContains, formatIp, parseCidr, parseIp } from '@vedette/contract';
import {
  AutonomousSystemsBuilder,
  createNetworks,
  DelegationsBuilder,
  OriginsBuilder,
  PrefixesBuilder,
  totalAddresses,
} from '@vedette/intel/networks';
import { readWords } from '../../../packages/intel/src/networks/tables/address-words.ts';
import { openAutonomousSystems } from '../../../packages/intel/src/networks/autonomous-systems.ts';
import { openDelegations } from '../../../packages/intel/src/networks/build/delegations.ts';
import { openOrigins } from '../../../packages/intel/src/networks/build/origins-data.ts';
import { openPrefixes, Prefixes } from '../../../packages/intel/src/networks/tables/prefixes.ts';
import { networksIn } from '../../../packages/intel/src/networks/tables/cidrs.ts';
import { runs } from '../../runs.ts';

const row = { asn: 64_496, asname: 'EXAMPLE', org: 'Example Org', country_code: 'DE', domain: 'example.org', category: 'isp' };

function built<Row extends unknown[]>(builder: { add(...row: Row): boolean; build(): Uint8Array }, rows: Row[]): Uint8Array {
  for (const of of rows) if (!builder.add(...of)) throw new Error(`not taken: ${of.join(' ')}`);
  return builder.build();
}

describe('who announces an address', () => {
  it('is the holder of its range, with the largest network in it', async () => {
    const networks = createNetworks();
    await networks.setOrigins(
      built(new OriginsBuilder(), [
        ['192.0.2.0-192.0.2.191', 64_496, 'Example Org'],
        ['192.0.2.192/26', 64_497, 'Other'],
        ['2001:db8::/32', 64_496, 'a later name'],
      ]),
    );
    expect(
      ['192.0.2.1', '192.0.2.130', '192.0.2.192', '::ffff:192.0.2.1', '2002:c000:201::', '2001:db8::1', '192.0.3.0', 'x'].map((at) =>
        networks.origin(at),
      ),
    ).toEqual([
      { asn: 64_496, org: 'Example Org', route: '192.0.2.0/25' },
      { asn: 64_496, org: 'Example Org', route: '192.0.2.128/26' },
      { asn: 64_497, org: 'Other', route: '192.0.2.192/26' },
      { asn: 64_496, org: 'Example Org', route: '192.0.2.0/25' },
      { asn: 64_496, org: 'Example Org', route: '192.0.2.0/25' },
      { asn: 64_496, org: 'Example Org', route: '2001:db8::/32' },
      undefined,
      undefined,
    ]);
    expect(networks.prefixes(64_496)).toEqual({ ipv4: ['192.0.2.0/25', '192.0.2.128/26'], ipv6: ['2001:db8::/32'], exact: false });
    expect(networks.autonomousSystem(64_497)).toEqual({
      asn: 64_497,
      asname: '',
      org: 'Other',
      country_code: '',
      type: 'business',
      domain: '',
    });
    expect(networks.autonomousSystem(64_498)).toBeUndefined();
  });

  it('is told by the longest announced network where those are known', async () => {
    const networks = createNetworks();
    expect(networks.totals(64_496)).toEqual({ total_ipv4_prefixes: 0, total_ipv4_ips: 0, total_ipv6_prefixes: 0 });
    await networks.setOrigins(built(new OriginsBuilder(), [['192.0.2.0/23', 64_496, 'Example Org']]));
    expect(networks.totals(64_496)).toEqual({ total_ipv4_prefixes: 1, total_ipv4_ips: 512, total_ipv6_prefixes: 0 });
    const rows: [number, string][] = [
      [64_496, '192.0.2.0/24'],
      [64_496, '192.0.2.0/25'],
      [64_500, '192.0.2.128/25'],
      [64_496, '192.0.2.0/24'],
      [64_496, '2001:db8::/32'],
      [64_500, '2001:db8:1::/48'],
    ];
    await networks.setPrefixes(built(new PrefixesBuilder(), rows));
    await networks.setAutonomousSystems(built(new AutonomousSystemsBuilder(), [[row]]));
    expect(['192.0.2.1', '192.0.2.129', '192.0.3.1', '2001:db8:1::1', '2001:db8:2::1'].map((at) => networks.origin(at))).toEqual([
      { asn: 64_496, org: 'Example Org', route: '192.0.2.0/25' },
      { asn: 64_500, org: '', route: '192.0.2.128/25' },
      { asn: 64_496, org: 'Example Org', route: '192.0.2.0/23' },
      { asn: 64_500, org: '', route: '2001:db8:1::/48' },
      { asn: 64_496, org: 'Example Org', route: '2001:db8::/32' },
    ]);
    expect(networks.prefixes(64_496)).toEqual({ ipv4: ['192.0.2.0/24', '192.0.2.0/25'], ipv6: ['2001:db8::/32'], exact: true });
    expect(networks.totals(64_496)).toEqual({ total_ipv4_prefixes: 2, total_ipv4_ips: 256, total_ipv6_prefixes: 1 });
    expect(networks.prefixes(65_000)).toEqual({ ipv4: [], ipv6: [], exact: true });
  });

  it('finds the longest network that a scan finds', () => {
    const cidr = fc
      .tuple(fc.constantFrom('10.0.0.0', '10.0.0.255', '10.0.1.0', '0.0.0.0', '255.255.255.255'), fc.integer({ min: 0, max: 32 }))
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(cidr, { selector: canonical, maxLength: 12 }), (cidrs) => {
        const rows = cidrs.map((text, at): [number, string] => [at + 1, text]);
        const prefixes = new Prefixes(openPrefixes(built(new PrefixesBuilder(), rows)));
        const words = new Uint32Array(4);
        for (const at of ['10.0.0.0', '10.0.0.1', '10.0.0.255', '10.0.1.0', '0.0.0.0', '255.255.255.255', '128.0.0.0']) {
          const [longest] = cidrs
            .filter((text) => cidrContains(parseCidr(text)!, parseIp(at)!))
            .toSorted((a, b) => parseCidr(b)!.bits - parseCidr(a)!.bits);
          expect([at, readWords(at, words) && prefixes.around(words, 1)?.route]).toEqual([at, longest && canonical(longest)]);
        }
      }),
      { numRuns: 200 },
    );
  });
  const canonical = (text: string): string => {
    const { version, base, bits } = parseCidr(text)!;
    return `${formatIp({ version, value: base })}/${bits}`;
  };

  it('is nobody where nothing is loaded', () => {
    const networks = createNetworks();
    const { prefixes, delegation } = { prefixes: networks.prefixes(64_496), delegation: networks.delegation({ asn: 64_496 }) };
    expect([networks.origin('192.0.2.1'), networks.autonomousSystem(64_496), prefixes, delegation]).toEqual(Array(4).fill(undefined));
    expect(networks.place('192.0.2.1').country_code).toBe('');
  });
});

describe('autonomous systems', () => {
  it('have names, a country and a kind', async () => {
    const networks = createNetworks();
    await networks.setAutonomousSystems(
      built(new AutonomousSystemsBuilder(), [
        [row],
        [{ ...row, asn: 4_200_000_000, asname: '\ud800', org: '\udc00 Zürcher Kantonalbank', category: 'business' }],
      ]),
    );
    expect(networks.autonomousSystem(64_496)).toEqual({
      asn: 64_496,
      asname: 'EXAMPLE',
      org: 'Example Org',
      country_code: 'DE',
      type: 'isp',
      domain: 'example.org',
    });
    expect(networks.autonomousSystem(4_200_000_000)).toMatchObject({
      asname: '\ufffd',
      org: '\ufffd Zürcher Kantonalbank',
      type: 'banking',
    });
    expect(networks.autonomousSystem(64_497)).toBeUndefined();
  });

  it.each([0, -1, 1.5, 4_294_967_296, NaN])('have no number %f', (asn) => {
    expect([
      new AutonomousSystemsBuilder().add({ ...row, asn }),
      new OriginsBuilder().add('192.0.2.0/24', asn, 'x'),
      new PrefixesBuilder().add(asn, '192.0.2.0/24'),
    ]).toEqual([false, false, false]);
  });
});

describe('delegations', () => {
  const LINES = `2|ripencc|20260601|5|19830705|20260601|+0200
ripencc|*|ipv4|*|3|summary
# a comment
ripencc|NL|ipv4|193.0.0.0|2048|19930901|assigned|a
ripencc|DE|ipv4|192.0.2.0|768|20120404|allocated|b
arin||ipv4|198.51.100.0|256||reserved|
apnic|ZZ|ipv6|2001:db8::|32|00000000|available
apnic|JP|ipv6|2001:db8:1::|48|20020801|allocated|c
ripencc|GB|asn|64496|16|20050101|allocated|d
lacnic|BR|asn|4200000000|1|20100202|assigned|e
iana|ZZ|ipv4|0.0.0.0|16777216||reserved`.split('\n');

  it('are found by address and by number', async () => {
    const networks = createNetworks();
    await networks.setDelegations(
      built(
        new DelegationsBuilder(),
        LINES.map((line): [string] => [line]),
      ),
    );
    const at = (subject: string | number) => networks.delegation(typeof subject === 'string' ? { address: subject } : { asn: subject });
    expect(at('193.0.6.139')).toEqual({ rir: 'RIPE', status: 'assigned', country_code: 'NL', date: '1993-09-01', block: '193.0.0.0/21' });
    // 768 addresses are no network: a /23 and a /24.
    expect([at('192.0.3.1')?.block, at('192.0.4.1')?.block, at('192.0.5.0')]).toEqual(['192.0.2.0/23', '192.0.4.0/24', undefined]);
    expect(at('198.51.100.1')).toEqual({ rir: 'ARIN', status: 'reserved', country_code: '', date: '', block: '198.51.100.0/24' });
    // Who holds a part of what is free holds it.
    expect(at('2001:db8:1::1')).toEqual({
      rir: 'APNIC',
      status: 'allocated',
      country_code: 'JP',
      date: '2002-08-01',
      block: '2001:db8:1::/48',
    });
    expect(at('2001:db8:2::1')).toMatchObject({ rir: 'APNIC', status: 'available', country_code: '', date: '' });
    expect([at(64_495), at(64_496), at(64_511), at(64_512)?.rir, at(4_200_000_000)?.country_code]).toEqual([
      undefined,
      { rir: 'RIPE', status: 'allocated', country_code: 'GB', date: '2005-01-01', block: '' },
      { rir: 'RIPE', status: 'allocated', country_code: 'GB', date: '2005-01-01', block: '' },
      undefined,
      'BR',
    ]);
    expect(at('10.0.0.1')).toBeUndefined();
  });

  it.each([
    '<html>',
    'ripencc|NL|ipv4|193.0.0.0|0|19930901|assigned',
    'ripencc|NL|ipv4|255.255.255.0|257|19930901|assigned',
    'ripencc|NL|ipv4|::1|1|19930901|assigned',
    'ripencc|NL|ipv6|2001:db8::|129|19930901|assigned',
    'ripencc|NL|asn|4294967295|2|19930901|assigned',
    'ripencc|NL|ipv5|193.0.0.0|1|19930901|assigned',
    'ripencc|NL|constructor|193.0.0.0|1|19930901|assigned',
    'elsewhere|NL|ipv4|193.0.0.0|1|19930901|assigned',
    'ripencc|NL|ipv4|193.0.0.0|1|19930901|lent',
  ])('are not read from %j', (line) => expect(new DelegationsBuilder().add(line)).toBe(false));
});

describe('ranges and networks', () => {
  it('are the same addresses', () => {
    const end = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }), fc.bigInt({ min: 0n, max: 300n }), fc.constant(2n ** 32n - 1n));
    fc.assert(
      fc.property(end, end, (a, b) => {
        const [first, last] = a < b ? [a, b] : [b, a];
        const cidrs = networksIn(first, last, 1).map((text) => parseCidr(text)!);
        let next = first;
        for (const { base, bits } of cidrs) {
          expect(base).toBe(next);
          next += 1n << BigInt(32 - bits);
        }
        expect(next).toBe(last + 1n);
        expect(cidrs.length).toBeLessThanOrEqual(62);
      }),
    );
  });

  it.each<[string, string[], bigint]>([
    ['nothing', [], 0n],
    ['networks side by side', ['192.0.2.0/25', '192.0.2.128/25'], 256n],
    ['nested and repeated ones', ['192.0.2.0/24', '192.0.2.0/24', '192.0.2.64/26', '10.0.0.0/8'], 16_777_472n],
    ['everything', ['0.0.0.0/0', '1.0.0.0/8'], 2n ** 32n],
    ['IPv6', ['2001:db8::/32', '2001:db8::/48'], 2n ** 96n],
    ['single addresses', ['2001:db8::1/128', '2001:db8::2/128', '2001:db8::1/128'], 2n],
    ['all of IPv6', ['::/0', '2001:db8::/32'], 2n ** 128n],
  ])('count each address of %s once', (_, networks, total) => expect(totalAddresses(networks)).toBe(total));
});

/** Does it, whatever is wrong with a snapshot; a defect of ours is thrown. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
  }
}

describe('a snapshot that is none', () => {
  const good = {
    setOrigins: built(new OriginsBuilder(), [
      ['192.0.2.0/24', 64_496, 'Example Org'],
      ['2001:db8::/32', 64_497, 'Other'],
    ]),
    setAutonomousSystems: built(new AutonomousSystemsBuilder(), [[row]]),
    setPrefixes: built(new PrefixesBuilder(), [[64_496, '192.0.2.0/24']]),
    setDelegations: built(new DelegationsBuilder(), [['ripencc|NL|ipv4|193.0.0.0|2048|19930901|assigned']]),
  };
  const open = {
    setOrigins: openOrigins,
    setAutonomousSystems: openAutonomousSystems,
    setPrefixes: openPrefixes,
    setDelegations: openDelegations,
  };
  const setters = Object.keys(good) as (keyof typeof good)[];

  it.each(setters)('is refused by %s', (setter) => {
    const other = good[setters[(setters.indexOf(setter) + 1) % setters.length]!];
    for (const bytes of [new Uint8Array(0), good[setter].subarray(0, 60), good[setter].subarray(0, -8), other])
      expect(() => open[setter](bytes)).toThrow(RangeError);
  });

  it.each(setters)('is refused by %s or says something, whichever bytes are changed', (setter) => {
    const bytes = good[setter];
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), (changes) => {
        const changed = Uint8Array.from(bytes);
        for (const [at, byte] of changes) changed[at] = byte;
        expect(() => attempt(() => open[setter](changed))).not.toThrow();
      }),
      { numRuns: runs(500) },
    );
  });

  it('leaves what is in use', async () => {
    const networks = createNetworks();
    await networks.setOrigins(good.setOrigins);
    await expect(networks.setOrigins(good.setPrefixes)).rejects.toThrow('a snapshot of prefixes where one of origins is wanted');
    expect(networks.origin('192.0.2.1')?.asn).toBe(64_496);
  });
});

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { FEED_CATALOGUE } from '@vedette/intel/datasets';
import { type Feed, type Row } from '@vedette/intel/feeds';
import { describe, expect, it } from 'vitest';
import { byteLines } from '../../../packages/intel/src/feeds/formats/byte-lines.ts';
import { fileOf } from '@vedette/intel/feeds/formats';
import { ownFeed } from './own-feed.ts';
import { tarOf, zipOf } from './archives.ts';
import { runs } from '../../runs.ts';

const rowsOf = async (body: Uint8Array, feed: Feed): Promise<Row[]> => (await Array.fromAsync(fileOf(body, feed).rows())).flat();
const read = (text: string, changes: Partial<Feed>): Promise<Row[]> => rowsOf(Buffer.from(text), ownFeed(1, changes));
const named = (name: string): Feed => FEED_CATALOGUE.find((feed) => feed.name === name)!;
/** The rows of a sample, as the feed of the catalogue reads it. */
const readAs = (name: string, sample: string | object): Promise<Row[]> =>
  rowsOf(Buffer.from(typeof sample === 'string' ? sample : JSON.stringify(sample)), named(name));
/** More than is read at once, with characters of two bytes at every place. */
const NAMES = Array.from({ length: 9000 }, (_, i) => `${'ä'.repeat(i % 17)}${'b'.repeat(i % 3)}${i}.example`);

describe('lines', () => {
  it('are without white space, blank lines and comments, however long', async () => {
    const text = NAMES.map((name, i) => ` \t${name} \r\n${i % 100 === 0 ? `\n# ${'c'.repeat(50 * i)}\n  // no.example\n; no\n` : ''}`).join(
      '',
    );
    expect((await read(`\ufeff${text}last.example`, {})).map(([name]) => name)).toEqual([...NAMES, 'last.example']);
  });

  it('that no entry could fill are cut, and take nothing with them', async () => {
    const [[entry = ''] = [], after, ...more] = await read(`${'a'.repeat(200_000)}.example\nafter.example`, {});
    expect([entry.length > 253 && entry.length < 20_000, after, more]).toEqual([true, ['after.example'], []]);
  });
});

describe('lines as bytes', () => {
  async function linesIn(chunks: AsyncIterable<Uint8Array>): Promise<string[]> {
    const found = (await Array.fromAsync(byteLines(chunks))).flat();
    return found.map(({ bytes, from, to }) => Buffer.from(bytes.subarray(from, to)).toString());
  }

  it('are those that are read as texts, wherever the file is cut', async () => {
    const unit = fc.constantFrom('192.0.2.1', '::/8', ' ', '\t', '\r', '\n', '\n', '#', ';', '/', '//', '<', '\0');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('', '\ufeff', '\ufeff ', ' \n'),
        fc.string({ unit, maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        async (start, end, size) => {
          const bytes = Buffer.from(start + end);
          async function* cut() {
            for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
          }
          const texts = read(start + end, {}).then((rows) => rows.map(([line]) => line), String);
          expect(await linesIn(cut()).catch(String)).toEqual(await texts);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('are told of where rows are lines, and cut where no entry could fill them', async () => {
    const file = fileOf(Buffer.from(`${'a'.repeat(200_000)}\n192.0.2.1`), ownFeed(1, {}));
    const [long = [], ...rest] = await Array.fromAsync(file.lines!());
    expect(long).toEqual([]);
    const lengths = rest.flat().map(({ from, to }) => to - from);
    expect([lengths.length, lengths[0]! < 100_000, lengths[1]]).toEqual([2, true, 9]);
    expect(fileOf(Buffer.from(''), ownFeed(1, { format: 'words' })).lines).toBe(undefined);
  });
});

describe('samples of the feeds of the catalogue, as their sources publish them', () => {
  const SAMPLES: [feed: string, sample: string | object, rows: Row[]][] = [
    [
      'spamhaus-drop',
      '{"cidr":"1.10.16.0/20","sblid":"SBL256894","rir":"apnic"}\n{"cidr":"2a06:f900::/29","sblid":"SBL1"}\n{"type":"metadata","timestamp":1,"size":2}\n',
      [
        ['1.10.16.0/20', 'SBL256894'],
        ['2a06:f900::/29', 'SBL1'],
        ['', ''],
      ],
    ],
    [
      'spamhaus-asndrop',
      '{"asn":245,"rir":"arin","domain":"a.example","cc":"US","asname":"A-AS"}\n{"type":"metadata"}',
      [
        ['245', 'A-AS', 'a.example', 'US'],
        ['', '', '', ''],
      ],
    ],
    [
      'disposable-phone-numbers',
      { '12012018360': '2020-10-30', '447400123456': '2025-05-06' },
      [
        ['12012018360', '2020-10-30'],
        ['447400123456', '2025-05-06'],
      ],
    ],
    ['ipsum-3', '# comment\n192.0.2.1\n192.0.2.2\n', [['192.0.2.1'], ['192.0.2.2']]],
    [
      'feodo',
      [
        {
          ip_address: '192.0.2.1',
          port: 443,
          status: 'online',
          malware: 'Emotet',
          first_seen: '2026-08-01 12:00:00',
          last_online: '2026-08-20',
        },
      ],
      [['192.0.2.1', 'Emotet/2026-08-01 12:00:00/2026-08-20']],
    ],
    [
      'threatfox',
      {
        '1700001': [
          { ioc_value: '192.0.2.1:443', ioc_type: 'ip:port', malware: 'win.x', first_seen_utc: '2026-08-25 10:11:12', last_seen_utc: null },
        ],
      },
      [['192.0.2.1:443', 'win.x/2026-08-25 10:11:12/']],
    ],
    [
      'threatfox-domains',
      { '1700002': [{ ioc_value: 'bad.example', ioc_type: 'domain', threat_type: 'botnet_cc', malware: 'win.x', tags: null }] },
      [['bad.example', '']],
    ],
    [
      'openphish',
      'https://bad.example/login\nhttp://kit.example.org:8080/\n',
      [['https://bad.example/login'], ['http://kit.example.org:8080/']],
    ],
    [
      'phishtank',
      'phish_id,url,phish_detail_url,submission_time,verified,verification_time,online,target\n9,"http://bad.example/a,b",http://www.phishtank.com/phish_detail.php?phish_id=9,2026-11-01T00:00:00+00:00,yes,2026-11-01T00:00:00+00:00,yes,Other\n',
      [['url'], ['http://bad.example/a,b']],
    ],
    ['dshield', '# Start\tEnd\n192.0.2.0\t192.0.2.255\t24\t100\tEXAMPLE\tUS\n', [['192.0.2.0']]],
    [
      'dataplane-ssh',
      '# ASN | ASname | ipaddr\n64496  |  EXAMPLE, US  |  192.0.2.1  |  2026-11-22 00:00:00  |  sshpwauth\n',
      [['192.0.2.1']],
    ],
    [
      'icloud-relay',
      '172.224.224.0/31,GB,GB-EN,London,\n2a02:26f7:b3c0:4000::/64,US,US-CA,SANJOSE,\n',
      [['172.224.224.0/31'], ['2a02:26f7:b3c0:4000::/64']],
    ],
    [
      'vpn-mullvad',
      [{ hostname: 'al-tia', ipv4_addr_in: '192.0.2.1', ipv6_addr_in: '2001:db8::1' }, { ipv4_addr_in: '192.0.2.2' }],
      [
        ['192.0.2.1', ''],
        ['2001:db8::1', ''],
        ['192.0.2.2', ''],
      ],
    ],
    [
      'vpn-ivpn',
      { wireguard: [{ gateway: 'a.example', hosts: [{ hostname: 'a', host: '192.0.2.1' }] }], openvpn: [{ ip_addresses: ['192.0.2.2'] }] },
      [
        ['192.0.2.1', ''],
        ['192.0.2.2', ''],
      ],
    ],
    [
      'vpn-pia',
      '{"groups":{},"regions":[{"id":"al","servers":{"ikev2":[{"ip":"192.0.2.1","cn":"a"}],"wg":[{"ip":"192.0.2.2"}]}}]}\nc2lnbmF0dXJl\nbW9yZQ==\n',
      [
        ['192.0.2.1', ''],
        ['192.0.2.2', ''],
      ],
    ],
    [
      'vpn-windscribe',
      { data: [{ groups: [{ nodes: [{ ip: '192.0.2.1', ip2: '192.0.2.2', ip3: '192.0.2.3' }] }, { nodes: [] }] }] },
      [
        ['192.0.2.1', ''],
        ['192.0.2.2', ''],
        ['192.0.2.3', ''],
      ],
    ],
    ['open-proxies-http', '192.0.2.1:8080\n192.0.2.2:3128\n', [['192.0.2.1'], ['192.0.2.2']]],
    [
      'aws',
      {
        syncToken: '1',
        prefixes: [{ ip_prefix: '3.4.12.4/32', region: 'eu-west-1', service: 'AMAZON' }],
        ipv6_prefixes: [{ ipv6_prefix: '2600:1f14::/35', region: 'us-west-2', service: 'EC2' }],
      },
      [
        ['3.4.12.4/32', 'AMAZON/eu-west-1'],
        ['2600:1f14::/35', 'EC2/us-west-2'],
      ],
    ],
    [
      'gcp',
      {
        prefixes: [
          { ipv4Prefix: '34.1.208.0/20', service: 'Google Cloud', scope: 'africa-south1' },
          { ipv6Prefix: '2600:1900::/44', service: 'Google Cloud', scope: 'x' },
        ],
      },
      [
        ['34.1.208.0/20', 'Google Cloud/africa-south1'],
        ['2600:1900::/44', 'Google Cloud/x'],
      ],
    ],
    [
      'azure',
      {
        values: [
          {
            name: 'ActionGroup.EastUS',
            properties: { region: 'eastus', systemService: 'ActionGroup', addressPrefixes: ['4.145.74.52/30', '2603:1000::/40'] },
          },
        ],
      },
      [
        ['4.145.74.52/30', 'ActionGroup.EastUS'],
        ['2603:1000::/40', 'ActionGroup.EastUS'],
      ],
    ],
    [
      'oracle-cloud',
      { regions: [{ region: 'us-phoenix-1', cidrs: [{ cidr: '129.146.0.0/21', tags: ['OCI'] }] }] },
      [['129.146.0.0/21', 'OCI/us-phoenix-1']],
    ],
    ['linode', '# RFC 8805\n192.0.2.0/24,US,US-NJ,Cedar Knolls,07927\n', [['192.0.2.0/24', 'US-NJ']]],
    [
      'fastly',
      { addresses: ['23.235.32.0/20'], ipv6_addresses: ['2a04:4e40::/32'] },
      [
        ['23.235.32.0/20', ''],
        ['2a04:4e40::/32', ''],
      ],
    ],
    [
      'bunny-ipv4',
      ['192.0.2.1', '192.0.2.2'],
      [
        ['192.0.2.1', ''],
        ['192.0.2.2', ''],
      ],
    ],
    ['bingbot', { creationTime: '2026', prefixes: [{ ipv4Prefix: '157.55.39.0/24' }] }, [['157.55.39.0/24', '']]],
    [
      'crawlers',
      {
        services: {
          Googlebot: {
            description: 'A crawler',
            user_agent_patterns: ['*Googlebot*'],
            rdns_patterns: ['crawl-*.googlebot.com'],
            ip_list_authoritative: true,
            ipv4: ['66.249.64.0/20'],
            ipv6: ['2001:4860:4801::/64'],
          },
          Yandex: { ip_list_authoritative: false, ipv4: ['5.45.192.0/18'], ipv6: [] },
          'Empty Bot': { ip_list_authoritative: true, ipv4: [], ipv6: [] },
        },
        generated_at: '2026-08-20T17:36:54Z',
      },
      [
        ['66.249.64.0/20', 'Googlebot/true'],
        ['5.45.192.0/18', 'Yandex/false'],
        ['2001:4860:4801::/64', 'Googlebot/true'],
      ],
    ],
    [
      'github',
      {
        verifiable_password_authentication: false,
        ssh_keys: ['no'],
        hooks: ['192.30.252.0/22'],
        web: [],
        api: ['192.30.252.0/22'],
        git: [],
        packages: [],
        pages: [],
        importer: [],
        actions: [],
      },
      [
        ['192.30.252.0/22', 'hooks'],
        ['192.30.252.0/22', 'api'],
      ],
    ],
    ['datadog', { version: 1, agents: { prefixes_ipv4: ['3.228.26.0/25'], prefixes_ipv6: [] } }, [['3.228.26.0/25', 'agents']]],
    [
      'atlassian',
      { items: [{ network: '13.52.5.0', cidr: '13.52.5.0/25', product: ['bitbucket', 'jira'] }] },
      [['13.52.5.0/25', 'bitbucket+jira']],
    ],
    ['okta', { us_cell_1: { ip_ranges: ['3.13.71.0/25'] } }, [['3.13.71.0/25', 'us_cell_1']]],
    ['parking', { name: 'Parking', type: 'cidr', version: 1, list: ['192.0.2.0/24'] }, [['192.0.2.0/24', '']]],
    [
      'origin-asn',
      '1.0.0.0,1.0.0.255,13335,"Cloudflare, Inc."\n2001:db8::,2001:db8::ffff,64496,A ""x""\n',
      [
        ['1.0.0.0', '1.0.0.255', '13335', 'Cloudflare, Inc.'],
        ['2001:db8::', '2001:db8::ffff', '64496', 'A ""x""'],
      ],
    ],
    [
      'as-metadata',
      [
        { asn: 4711, metadata: { handle: 'INTEC', description: 'IN}TE"C {Inc.', countryCode: 'JP', category: null }, stats: null },
        { asn: 1, metadata: { handle: 'L', description: 'L', countryCode: 'US', category: 'isp' } },
      ],
      [
        ['4711', 'INTEC', 'IN}TE"C {Inc.', 'JP', ''],
        ['1', 'L', 'L', 'US', 'isp'],
      ],
    ],
    [
      'nro-delegated',
      '2|nro|20261121|3|19830705|20261121|+0000\nnro|*|ipv4|*|2|summary\nripencc|NL|ipv4|193.0.0.0|2048|19930901|allocated|x|e-stats\nlacnic|BR|asn|1916|1|20020101|assigned|y\n',
      [
        ['ripencc', 'NL', 'ipv4', '193.0.0.0', '2048', '19930901', 'allocated'],
        ['lacnic', 'BR', 'asn', '1916', '1', '20020101', 'assigned'],
      ],
    ],
    ['eth-phishing', { version: 2, blacklist: ['a.example'], whitelist: ['b.example'] }, [['a.example', '']]],
    [
      'stevenblack',
      '# Title\n127.0.0.1 localhost\n127.0.0.1 localhost.localdomain\n0.0.0.0 0.0.0.0\n::1 ip6-localhost\n0.0.0.0 ads.example # why\n0.0.0.0 a.example b.example\n',
      [['ads.example'], ['a.example'], ['b.example']],
    ],
    [
      'majestic',
      'GlobalRank,TldRank,Domain,TLD\n1,1,google.com,com\n',
      [
        ['Domain', 'GlobalRank'],
        ['google.com', '1'],
      ],
    ],
    [
      'iana-rdap-dns',
      { services: [[['com', 'net'], ['https://rdap.example/']]], version: '1.0' },
      [
        ['com', ''],
        ['net', ''],
      ],
    ],
  ];
  it.each(SAMPLES)('%s', async (feed, sample, rows) => {
    expect(await readAs(feed, sample)).toEqual(rows);
  });

  it('a JSON document of another shape is none: an error in JSON, a renamed key, a number', async () => {
    for (const [feed, sample] of [
      ['aws', { message: 'Not Found' }],
      ['gcp', { Prefixes: [] }],
      ['bingbot', [1, 2]],
      ['parking', '"list"'],
      ['parking', '{"list": ["192.0.2.0/24"'],
      ['as-metadata', '{"error": "rate limit"}'],
      ['as-metadata', '[{"asn": 1}, {"asn"'],
    ] as const)
      await expect(readAs(feed, sample), feed).rejects.toMatchObject({ why: 'format' });
  });

  it('an element without an entry is a row without one, so that it is told of', async () => {
    expect(await readAs('feodo', [{ address: '192.0.2.1' }, 7])).toEqual([
      ['', ''],
      ['', ''],
    ]);
    expect(await readAs('as-metadata', '[{"asn": 1}, {x}]')).toEqual([
      ['1', '', '', '', ''],
      ['', ''],
    ]);
  });

  it('an array of any length is read an object at a time, cut wherever a portion ends', async () => {
    const all = Array.from({ length: 5000 }, (_, asn) => ({ asn, metadata: { handle: `"\\{${'x'.repeat(asn % 97)}}`, category: null } }));
    const rows = await readAs('as-metadata', JSON.stringify(all));
    expect([rows.length, rows.at(-1)]).toEqual([5000, ['4999', `"\\{${'x'.repeat(4999 % 97)}}`, '', '', '']]);
  });

  it('a document that is too long to be read at once is refused', async () => {
    const long = Buffer.alloc(25 << 20, ' ');
    long.write('["a.example"');
    long.write(']', long.length - 1);
    await expect(rowsOf(long, ownFeed(1, { format: 'json' }))).rejects.toMatchObject({ why: 'too_large' });
  });

  it('a page instead of data is one, whatever is in it and in front of it', async () => {
    for (const format of ['lines', 'words', 'csv', 'json', 'json_array', 'json_lines', 'hosts', 'delegated'] as const)
      await expect(read('\ufeff \n<!DOCTYPE html>\n192.0.2.1\n', { format }), format).rejects.toMatchObject({ why: 'html' });
  });
});

describe('a zone of rbldnsd', () => {
  const zone = (text: string) => read(text, { format: 'rbldnsd' });

  it.each<[string, string, string[]]>([
    ['addresses', '192.0.2.1\n192.0.2.2', ['192.0.2.1 127.0.0.2', '192.0.2.2 127.0.0.2']],
    [
      'a code for what follows, and one of an entry',
      ':127.0.0.4:spam $\n192.0.2.1\n192.0.2.2 :6:ddos\n192.0.2.3 text',
      ['192.0.2.1 127.0.0.4', '192.0.2.2 127.0.0.6', '192.0.2.3 127.0.0.4'],
    ],
    [
      'networks',
      '192.0.2.76/30\n198.51.100\n2001:db8/32\n2001:db8::1',
      ['192.0.2.76-192.0.2.79 127.0.0.2', '198.51.100.0-198.51.100.255 127.0.0.2', '2001:db8::/32 127.0.0.2', '2001:db8::1 127.0.0.2'],
    ],
    ['ranges', '192.0.2.5-9\n192.0.2.250-192.0.3.4', ['192.0.2.5-192.0.2.9 127.0.0.2', '192.0.2.250-192.0.3.4 127.0.0.2']],
    [
      'exclusions, wherever they stand',
      '!192.0.2.8/31\n192.0.2.0/28\n203.0.113.7\n!192.0.2.9-11\n!192.0.2.0\n!203.0.113.7',
      ['192.0.2.1-192.0.2.7 127.0.0.2', '192.0.2.12-192.0.2.15 127.0.0.2'],
    ],
    ['names', '.Bad.example\n*.worse.example :3:\nok.example\n!ok.example', ['bad.example 127.0.0.2', 'worse.example 127.0.0.3']],
    [
      'comments, head, and test entries',
      '$SOA 3600 a. b. 0 1h 1h 1h 1h\n$TTL 300\n# no\n; no\n127.0.0.2\n::ffff:7f00:2\nTEST\n192.0.2.1',
      ['192.0.2.1 127.0.0.2'],
    ],
  ])('has %s', async (_, text, rows) => {
    expect((await zone(text)).map((row) => row.join(' '))).toEqual(rows);
  });

  it('leaves out what an exclusion covers, and nothing else', async () => {
    const octet = fc.integer({ min: 0, max: 40 });
    const range = fc.tuple(octet, octet).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    await fc.assert(
      fc.asyncProperty(fc.array(range, { maxLength: 5 }), fc.array(range, { maxLength: 5 }), async (listed, excluded) => {
        const line = ([a, b]: readonly [number, number]) => `192.0.2.${a}-${b}`;
        const rows = await zone([...listed.map(line), ...excluded.map((one) => `!${line(one)}`)].join('\n'));
        const last = (text: string) => Number(text.split('.').at(-1));
        const has = new Set(
          rows.flatMap(([entry = '']) => {
            const [from = '', to = from] = entry.split('-');
            return Array.from({ length: last(to) - last(from) + 1 }, (__, i) => last(from) + i);
          }),
        );
        const within = (ranges: readonly (readonly [number, number])[], i: number) => ranges.some(([a, b]) => a <= i && i <= b);
        const expected = Array.from({ length: 41 }, (__, i) => i).filter((i) => within(listed, i) && !within(excluded, i));
        expect([...has].sort((a, b) => a - b)).toEqual(expected);
      }),
    );
  });

  it('of several zones is refused', async () => {
    await expect(zone('$DATASET ip4set @\n192.0.2.1')).rejects.toMatchObject({ why: 'format' });
  });
});

describe('packed files', () => {
  const text = NAMES.join('\n');
  const member = (asn: number) => JSON.stringify({ asn, prefixes: { ipv4: [`192.0.${asn}.0/24`], ipv6: [] } });

  it('gzip, and zip with its one file, packed or stored', async () => {
    for (const [packing, body] of [
      ['gzip', gzipSync(text)],
      ['zip', zipOf({ 'top-1m.csv': text })],
      ['zip', zipOf({ 'top-1m.csv': text }, { stored: true })],
    ] as const)
      expect((await rowsOf(body, ownFeed(1, { packing }))).length).toBe(NAMES.length);
  });

  it('the files of an archive that are asked for', async () => {
    const files = {
      'as/': '',
      'as/7/aggregated.json': member(7),
      'as/7/ipv4-aggregated.txt': '192.0.7.0/24\n',
      'as/8/aggregated.json': member(8),
    };
    expect(await rowsOf(gzipSync(tarOf(files)), named('as-ip-blocks'))).toEqual([
      ['192.0.7.0/24', '7'],
      ['192.0.8.0/24', '8'],
    ]);
  });

  it('a bomb is refused when it has grown too large, and not when it has gone off', async () => {
    const zeros = Buffer.alloc(3 << 20);
    for (const [packing, body] of [
      ['gzip', gzipSync(zeros)],
      ['zip', zipOf({ zeros })],
      ['tar.gz', gzipSync(tarOf({ zeros }))],
    ] as const)
      await expect(rowsOf(body, ownFeed(1, { packing })), packing).rejects.toMatchObject({ why: 'too_large' });
    const large = ownFeed(1, { packing: 'gzip', max_unpacked_bytes: 1000 });
    await expect(rowsOf(gzipSync(text), large)).rejects.toMatchObject({ why: 'too_large' });
  });

  it('what is not packed as it should be, was cut off, or has several files, is refused', async () => {
    const tar = gzipSync(tarOf({ 'a.json': member(1) }));
    const zip = zipOf({ a: text });
    const broken: [Feed['packing'], Uint8Array][] = [
      ['gzip', Buffer.from(text)],
      ['gzip', gzipSync(text).subarray(0, -20)],
      ['gzip', Buffer.alloc(0)],
      ['zip', Buffer.from(text)],
      ['zip', zip.subarray(0, -30)],
      ['zip', zip.subarray(100)],
      ['zip', zipOf({ a: text, b: text })],
      ['tar.gz', gzipSync(text)],
      ['tar.gz', gzipSync(tarOf({ 'a.json': member(1) }).subarray(0, 700))],
      ['tar.gz', tar.subarray(0, -20)],
    ];
    for (const [packing, body] of broken)
      await expect(rowsOf(body, ownFeed(1, { packing: packing! })), packing).rejects.toMatchObject({ why: 'format' });
  });

  it('a file of an archive is held one at a time, and none that is huge', async () => {
    const huge = gzipSync(tarOf({ 'huge.json': Buffer.from(Array.from({ length: 5 << 18 }, (_, i) => `${i} `).join('')) }));
    await expect(rowsOf(huge, ownFeed(1, { packing: 'tar.gz' }))).rejects.toMatchObject({ why: 'too_large' });
  });
});

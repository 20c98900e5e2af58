import type { Static } from 'typebox';
import { describe, expect, it } from 'vitest';
import { ipReputation } from '../../../packages/operations/src/ip-reputation/index.ts';
import { named, reportOf, type World } from './world.ts';

type IpReport = Static<typeof ipReputation.response>;

/** Every boolean of the report, what sets it, and what nearly does. */
const ROWS: [flag: string, sets: [why: string, world: World][], misses: [why: string, world: World][]][] = [
  [
    'information.reverse_dns_confirmed',
    [['the name leads back', { dns: named('host.example.org') }]],
    [
      ['the name leads elsewhere', { dns: named('host.example.org', ['198.51.100.8']) }],
      ['the name was not answered', { dns: named('host.example.org', 'SERVFAIL') }],
      ['there is no name', {}],
    ],
  ],
  [
    'information.is_eu',
    [
      ['in Germany', { place: { country_code: 'DE' } }],
      ['in Guadeloupe', { place: { country_code: 'GP' } }],
    ],
    [
      ['in the United Kingdom', { place: { country_code: 'GB' } }],
      ['in Greenland', { place: { country_code: 'GL' } }],
      ['in Kosovo, which pays in euros', { place: { country_code: 'XK' } }],
      ['nowhere', {}],
    ],
  ],
  [
    'information.is_bogon',
    [
      ['a registry has it to give', { delegation: { status: 'available' } }],
      ['a registry keeps it', { delegation: { status: 'reserved' } }],
      ['fullbogons has it', { marks: ['fullbogons'] }],
    ],
    [
      ['it was allocated', { delegation: { status: 'allocated' } }],
      ['it was assigned', { delegation: { status: 'assigned' } }],
      ['nobody announces it, and nobody knows more', {}],
    ],
  ],
  [
    'information.is_blocklist_drop',
    [['DROP has it', { marks: ['spamhaus-drop'] }]],
    [
      ['its system is in ASN-DROP', { marks: ['spamhaus-asndrop'] }],
      ['another list of attackers has it', { marks: ['blocklist-de'] }],
    ],
  ],
  [
    'information.is_fake_bot',
    [
      ["a name of Googlebot's that leads elsewhere", { dns: named('crawl-198-51-100-7.googlebot.com', ['66.249.66.1']) }],
      ["a name of Bingbot's that leads nowhere", { dns: named('msnbot-198-51-100-7.search.msn.com', []) }],
      ["a name of Baidu's robot that leads elsewhere", { dns: named('baiduspider-123-125-66-120.crawl.baidu.com', ['123.125.66.120']) }],
      ["a name of Googlebot's that was not answered, outside of the ranges", { dns: named('crawl-1.googlebot.com', 'SERVFAIL') }],
    ],
    [
      ['it leads back', { dns: named('crawl-198-51-100-7.googlebot.com') }],
      ['the ranges have it, whatever the name leads to', { marks: ['google-common-crawlers'], dns: named('crawl-1.googlebot.com', []) }],
      [
        'it was not answered, and the ranges are not known',
        { absent: ['google-common-crawlers'], dns: named('crawl-1.googlebot.com', 'SERVFAIL') },
      ],
      ['it was not answered, and the owner publishes no ranges', { dns: named('5-255-253-1.spider.yandex.com', 'SERVFAIL') }],
      [
        "a name of Baidu's robot without an address, as many of its own are",
        { dns: named('baiduspider-198-51-100-7.crawl.baidu.com', []) },
      ],
      ["the same of Sogou's", { dns: named('sogouspider-198-51-100-7.crawl.sogou.com', []) }],
      ['a name that only ends like one', { dns: named('crawl.notgooglebot.com', []) }],
      ['a name that has one inside', { dns: named('googlebot.com.example.org', []) }],
      ['a mail server beside robots', { dns: named('forward100.mail.yandex.net', []) }],
      ['no name', {}],
    ],
  ],
  [
    'information.is_vendorx_bot',
    [
      ['published ranges', { marks: ['google-common-crawlers'] }],
      ['of special crawlers too', { marks: ['google-special-crawlers'] }],
      ['and of what users trigger', { marks: ['google-user-triggered'] }],
      ['a name that leads back', { dns: named('rate-limited-proxy-198-51-100-7.google.com') }],
      ['the collection calls it so', { marks: [['crawlers', 'Googlebot']] }],
    ],
    [
      ['a name that does not lead back', { dns: named('crawl-198-51-100-7.googlebot.com', []) }],
      ["a robot of another's", { marks: ['bingbot'] }],
      ["a mail server of Google's", { dns: named('mail-wr1-f44.google.com') }],
      ["Google's services", { marks: ['google-services'] }],
    ],
  ],
  [
    'information.is_search_engine_bot',
    [
      ['published ranges', { marks: ['bingbot'] }],
      ['the collection of others', { marks: [['crawlers', 'DuckDuckBot']] }],
      ['which says that it is its list of robots', { marks: [['crawlers', 'DuckDuckBot/true']] }],
      [
        'one among the other machines of its owner, by its name',
        { marks: [['crawlers', 'Yandex/false']], dns: named('spider-5-45-1-2.yandex.com') },
      ],
      ['a name that leads back', { dns: named('baiduspider-198-51-100-7.crawl.baidu.com') }],
      [
        'over IPv6',
        {
          ip: '2001:db8::7',
          dns: {
            '7.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa': { PTR: ['crawl-1.googlebot.com'] },
            'crawl-1.googlebot.com': { AAAA: ['2001:db8::7'] },
          },
        },
      ],
    ],
    [
      ['a name that does not lead back', { dns: named('baiduspider-198-51-100-7.crawl.baidu.com', []) }],
      ['a name that was not answered', { dns: named('baiduspider-198-51-100-7.crawl.baidu.com', 'TIMEOUT') }],
      ['a robot that fills no search engine', { marks: ['openai-bots'] }],
      ['one that nobody knows', { marks: [['crawlers', 'Unheard-of Bot']] }],
      ['any machine of an owner whose whole system is collected', { marks: [['crawlers', 'Yandex/false']] }],
      ['a mail server of a search engine', { dns: named('forward100.mail.yandex.net') }],
    ],
  ],
  [
    'information.is_vendorx_service',
    [
      ["Google's own ranges", { marks: ['google-services'] }],
      ['its network, where the ranges are not known', { asn: 15169, absent: 'all' }],
    ],
    [
      ['what its customers rent', { marks: ['google-services', ['gcp', 'Google Cloud/europe-west4']] }],
      ['its network, where the ranges are known and do not have it', { asn: 15169 }],
      ["its cloud's network", { asn: 396982, absent: 'all' }],
    ],
  ],
  [
    'information.is_major_provider_spf_ip',
    [['a record has it', { marks: [['spf-majors', '_spf.google.com']] }]],
    [['the same holder, but no record', { asn: 15169 }]],
  ],
  [
    'information.is_public_dns',
    [
      ['one that everybody knows', { ip: '9.9.9.9' }],
      ['over IPv6', { ip: '2606:4700:4700::1111' }],
      ['the list has it', { marks: ['public-dns'] }],
    ],
    [
      ['its neighbour', { ip: '9.9.9.8' }],
      ['a root server', { ip: '193.0.14.129' }],
    ],
  ],
  [
    'information.is_satellite',
    [
      ['a system that has nothing else', { asn: 14593 }],
      ['the geofeed has it', { marks: ['starlink'] }],
    ],
    [
      ['a company that is only called so', { asn: 17465 }],
      ['a system whose number begins so', { asn: 1459 }],
    ],
  ],
  [
    'anonymity.is_proxy',
    [
      ['a list of open proxies', { marks: ['open-proxies'] }],
      ['an engine that knows such', { detections: [{ meanings: ['open-proxy'] }] }],
    ],
    [
      ['an engine that knows something else', { detections: [{ meanings: ['spam'] }] }],
      ['an engine that looked and found nothing', { detections: [{ detected: false, meanings: ['open-proxy'] }] }],
      ['a VPN', { marks: ['x4b-vpn'] }],
    ],
  ],
  [
    'anonymity.is_webproxy',
    [['an engine that knows such', { detections: [{ meanings: ['web-proxy'] }] }]],
    [['an open proxy', { marks: ['open-proxies'], detections: [{ meanings: ['open-proxy'] }] }]],
  ],
  [
    'anonymity.is_residential_proxy',
    [['an open proxy on a subscriber line', { marks: ['open-proxies'], asn: 64496, type: 'isp' }]],
    [
      ['an open proxy in a data centre', { marks: ['open-proxies'], asn: 64496, type: 'hosting' }],
      ['an open proxy of nobody knows whom', { marks: ['open-proxies'] }],
      ['a subscriber line', { asn: 64496, type: 'isp' }],
    ],
  ],
  [
    'anonymity.is_vpn',
    [
      ["a provider's own list", { marks: [['vpn-providers', 'mullvad']] }],
      ['ranges of VPNs', { marks: ['x4b-vpn'] }],
      ['an engine that knows such', { detections: [{ meanings: ['vpn'] }] }],
    ],
    [
      ['a relay in a list of VPNs', { marks: ['x4b-vpn', 'icloud-relay'] }],
      ['a front in ranges of VPNs', { marks: ['x4b-vpn', 'bunny'] }],
      ['a data centre', { marks: ['x4b-datacenter'] }],
      ['a Tor exit', { marks: ['tor-exits'] }],
    ],
  ],
  [
    'anonymity.is_hosting',
    [
      ['ranges of data centres', { marks: ['x4b-datacenter'] }],
      ["a cloud's own list", { marks: [['aws', 'EC2/eu-west-1']] }],
      ['the kind of its system', { asn: 64496, type: 'hosting' }],
      ["a cloud's system, where its list is not loaded", { asn: 16509, absent: 'all' }],
    ],
    [
      ['a VPN outside of data centres', { marks: ['x4b-vpn'] }],
      ['a business', { asn: 64496, type: 'business' }],
      ['a network in front of others', { marks: ['cloudflare'], asn: 64496 }],
    ],
  ],
  ['anonymity.is_relay', [['an exit of Private Relay', { marks: ['icloud-relay'] }]], [["Apple's network", { asn: 714 }]]],
  [
    'anonymity.is_tor',
    [
      ['an exit', { marks: ['tor-exits'] }],
      ['an engine that knows exits', { detections: [{ weight: 0, meanings: ['tor'] }] }],
    ],
    [
      ['a VPN', { marks: ['x4b-vpn'] }],
      ['a name that says so', { dns: named('tor-relay.example.org') }],
    ],
  ],
];

const valueOf = (report: IpReport, path: string): unknown => {
  const [part, flag] = path.split('.') as ['information' | 'anonymity', string];
  return Object.entries(report[part]).find(([name]) => name === flag)?.[1];
};

describe.each(ROWS)('%s', (flag, sets, misses) => {
  it.each(sets)('is true: %s', async (_why, world) => {
    expect(valueOf(await reportOf(world), flag)).toBe(true);
  });
  it.each(misses)('is false: %s', async (_why, world) => {
    expect(valueOf(await reportOf(world), flag)).toBe(false);
  });
});

it('has a row for each boolean of the report', async () => {
  const report = await reportOf({});
  const flags = (['information', 'anonymity'] as const).flatMap((part) =>
    Object.entries(report[part]).flatMap(([name, value]) => (typeof value === 'boolean' ? [`${part}.${name}`] : [])),
  );
  expect(flags.toSorted()).toEqual(ROWS.map(([flag]) => flag).toSorted());
});

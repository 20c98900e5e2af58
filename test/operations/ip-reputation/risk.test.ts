import { describe, expect, it } from 'vitest';
import { named, reportOf, type World } from './world.ts';

const attacked = [0, 1, 2].map((i) => ({ id: `list-${i}`, name: `List ${i}`, weight: 0.4 }));
const isp = { asn: 64496, type: 'isp' } as const;
const hosting = { asn: 64496, type: 'hosting' } as const;

const seen = (age_days: number) => ({ first_seen: null, last_seen: null, age_days });

describe('the risk', () => {
  it.each<[string, World, number, string[]]>([
    ['of a subscriber line', isp, 0, []],
    ['of a VPN', { ...isp, marks: ['x4b-vpn'] }, 35, ['vpn 35']],
    ['of a VPN in a data centre', { ...hosting, marks: ['x4b-vpn'], dns: named('a.example.org') }, 42, ['vpn 35', 'hosting 7']],
    ['of a server without a name', hosting, 13, ['hosting 10', 'hosting_without_reverse_dns 3']],
    ['of a Tor exit', { ...hosting, marks: ['tor-exits'], dns: named('a.example.org') }, 69, ['tor 65', 'hosting 4']],
    [
      'of a Tor exit that attacks',
      { ...hosting, marks: ['tor-exits'], dns: named('a.example.org'), detections: attacked },
      93,
      ['blacklist 40', 'blacklist 24', 'blacklist 14', 'tor 14', 'hosting 1'],
    ],
    ['of one listing', { detections: [{}] }, 45, ['blacklist 45']],
    ['of one that was last seen four days ago', { detections: [{ sightings: seen(4) }] }, 22, ['blacklist 22']],
    ['of one that was last seen a month ago', { detections: [{ sightings: seen(30) }] }, 0, ['blacklist 0']],
    ['of a severe one, while it is fresh', { detections: [{ weight: 0.9, sightings: seen(0) }] }, 90, ['blacklist 90']],
    ['of a severe one, four days later', { detections: [{ weight: 0.9, sightings: seen(4) }] }, 44, ['blacklist 44']],
    ['of a list that is put together from others', { detections: [{ weight: 0.3, confidence: 'low' }] }, 15, ['blacklist 15']],
    [
      'of two lists of one source',
      {
        detections: [
          { id: 'a', weight: 0.4, group: 'g' },
          { id: 'b', weight: 0.3, group: 'g' },
        ],
      },
      40,
      ['blacklist 40', 'blacklist 0'],
    ],
    ['of what an engine says of hiding alone', { detections: [{ meanings: ['open-proxy'], weight: 0.5 }] }, 60, ['proxy 60']],
    ['of a proxy that spams', { detections: [{ meanings: ['open-proxy', 'spam'], weight: 0.5 }] }, 80, ['blacklist 50', 'proxy 30']],
    ['of a proxy on a subscriber line', { ...isp, marks: ['open-proxies'] }, 60, ['residential_proxy 60']],
    ['of Private Relay', { marks: ['icloud-relay', 'x4b-vpn'] }, 5, ['relay 5']],
    ['of a front in a system of criminals', { marks: ['spamhaus-asndrop', 'bunny', 'x4b-vpn'] }, 0, []],
    [
      'of DROP, whose engine says the same',
      { marks: ['spamhaus-drop'], detections: [{ id: 'spamhaus-drop', weight: 0.95, group: 'spamhaus' }] },
      95,
      ['blocklist_drop 95'],
    ],
    [
      'of DROP without its engine, and a zone of the same source',
      { marks: ['spamhaus-drop'], detections: [{ id: 'spamhaus-zen', weight: 0.7, group: 'spamhaus' }] },
      95,
      ['blocklist_drop 95', 'blacklist 0'],
    ],
    [
      'of a research scanner that is on three lists',
      { dns: named('census1.shodan.io'), detections: attacked },
      30,
      ['blacklist 40', 'blacklist 24', 'blacklist 14', 'research_scanner -48'],
    ],
    [
      'of one that only claims to be a scanner',
      { dns: named('census1.shodan.io', ['203.0.113.9']), detections: [{}] },
      89,
      ['blacklist 45', 'fake_bot 44'],
    ],
    ['of a criminal system', { marks: ['spamhaus-asndrop'] }, 40, ['criminal_as 40']],
    [
      'of a server without a name in a criminal system',
      { ...hosting, marks: ['spamhaus-asndrop'] },
      48,
      ['hosting 10', 'criminal_as 36', 'hosting_without_reverse_dns 2'],
    ],
    ['of a VPN in a criminal system', { marks: ['spamhaus-asndrop', 'x4b-vpn'] }, 61, ['vpn 35', 'criminal_as 26']],
    ['of a bogon', { marks: ['fullbogons'] }, 90, ['bogon 90']],
    ['of a false robot', { dns: named('crawl-1.googlebot.com', []) }, 80, ['fake_bot 80']],
    ['of a young system', { ...isp, given: { date: '2026-10-20' } }, 15, ['young_as 15']],
    ['of one that is no longer young', { ...isp, given: { date: '2026-08-01' } }, 0, []],
    ['of a robot with a weak listing', { marks: ['bingbot'], detections: [{ weight: 0.2 }] }, 10, ['blacklist 20', 'known_service -10']],
    ['of a robot with a strong listing', { marks: ['bingbot'], detections: [{ weight: 0.7 }] }, 70, ['blacklist 70']],
    [
      'of a robot with two listings',
      {
        marks: ['bingbot'],
        detections: [
          { id: 'a', weight: 0.2 },
          { id: 'b', weight: 0.2 },
        ],
      },
      36,
      ['blacklist 20', 'blacklist 16'],
    ],
    [
      'of a monitor in a data centre with a weak listing',
      { ...hosting, marks: [['monitoring', 'Pingdom']], dns: named('a.example.org'), detections: [{ weight: 0.2 }] },
      10,
      ['blacklist 20', 'hosting 8', 'known_service -18'],
    ],
    [
      'of a public resolver with a weak listing',
      { ip: '8.8.8.8', detections: [{ weight: 0.45 }] },
      10,
      ['blacklist 45', 'known_service -35'],
    ],
    [
      'of a root server with a weak listing',
      { ip: '192.5.5.241', detections: [{ weight: 0.45 }] },
      10,
      ['blacklist 45', 'known_service -35'],
    ],
    ['of an open resolver that only a list knows', { marks: ['public-dns'], detections: [{ weight: 0.45 }] }, 45, ['blacklist 45']],
    [
      'of a major mail sender on three lists',
      { marks: [['spf-majors', 'sendgrid.net']], detections: attacked },
      35,
      ['blacklist 40', 'blacklist 24', 'blacklist 14', 'major_mail_sender -43'],
    ],
    [
      'of a mail sender in DROP',
      { marks: [['spf-majors', 'sendgrid.net'], 'spamhaus-drop'] },
      90,
      ['blocklist_drop 95', 'major_mail_sender -60', 'severe_listing 55'],
    ],
    [
      'of a mail sender with a command server',
      { marks: [['spf-majors', 'sendgrid.net']], detections: [{ weight: 0.9 }] },
      90,
      ['blacklist 90', 'major_mail_sender -55', 'severe_listing 55'],
    ],
  ])('%s', async (_what, world, result, factors) => {
    const { risk_score: score } = await reportOf(world);
    expect(score.factors.map(({ factor, effect }) => `${factor} ${effect}`)).toEqual(factors);
    expect(score.result).toBe(result);
    expect(score.factors.reduce((sum, { effect }) => sum + effect, 0)).toBe(result);
  });

  it('names the provider of a VPN, and a research scanner as the service at its address', async () => {
    const vpn = await reportOf({ marks: [['vpn-providers', 'Mullvad']] });
    expect(vpn.risk_score.factors).toMatchObject([{ factor: 'vpn', detail: 'An exit of a VPN: Mullvad' }]);
    const scanner = await reportOf({ dns: named('scan-08.shadowserver.org') });
    expect(scanner.information).toMatchObject({ related_service_name: 'Shadowserver', related_service_type: 'Crawler' });
  });

  it('is not raised by what nobody knows', async () => {
    const { risk_score: score } = await reportOf({ absent: 'all', dns: { '7.100.51.198.in-addr.arpa': 'TIMEOUT' } });
    expect(score).toMatchObject({ result: 0, factors: [], coverage: { asked: 8, answered: 1 } });
  });
});

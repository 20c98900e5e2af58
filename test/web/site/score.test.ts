import { describe, expect, it } from 'vitest';
import { judgeSite, scoreTrust, signsOf, type SiteEvidence, TRUST_CAPS, TRUST_MODIFIERS } from '@vedette/web/site';
import { shippedBrands } from '@vedette/intel/identity';
import { evidenceOf, hop, type Shape, silent, visitOf } from './evidence.ts';

const score = async (shape: Shape) => {
  const evidence = await evidenceOf(shape);
  return { evidence, ...scoreTrust(evidence, judgeSite(evidence)) };
};
const names = (factors: readonly { factor: string }[]) => factors.map(({ factor }) => factor);
const page = (body: string, title: string): Shape => ({ html: `<title>${title}</title><body>${body}</body>` });
const middling: Partial<SiteEvidence> = { age: { days: 400, recent: false, veryRecent: false } };
const ORDINARY = await evidenceOf();
const plain = { ...ORDINARY.dns, caa: false, dnssecSigned: false, mail: { ...ORDINARY.dns.mail!, dmarcEnforced: false } };
const signed = (signs: Partial<NonNullable<SiteEvidence['certificate']>['signs']>, more = {}): Partial<SiteEvidence> => ({
  certificate: { ...ORDINARY.certificate!, ...more, signs: { ...ORDINARY.certificate!.signs, ...signs } },
});
const SECURE = [
  ['content-security-policy', "default-src 'self'; frame-ancestors 'none'"],
  ['strict-transport-security', 'max-age=300'],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'origin'],
] as const;

describe('the trust score', () => {
  it('is 100 where nothing speaks for or against', async () => {
    const { result, factors } = await score({ headers: SECURE, more: { ...middling, dns: plain } });
    expect([result, factors]).toEqual([100, []]);
  });

  it('takes from a site whose guard asks robots for more what its page might lack, and trusts it no more than 60', async () => {
    const html = '<title>Just a moment...</title><meta name="robots" content="noindex">';
    for (const status of [403, 503])
      expect(await score({ html, status, more: { ...middling, dns: plain } })).toMatchObject({
        result: TRUST_CAPS.page_not_seen,
        factors: [
          { factor: 'page_not_seen', effect: -5, detail: 'Cloudflare' },
          { factor: 'cap_page_not_seen', effect: -35 },
        ],
      });
  });

  it('is never higher for a page that hides behind a guard', async () => {
    const kit = '<h1>PayPal</h1><p>Confirm it is you.</p>';
    const ages = [3, 100, 4_000].map((days) => ({ days, recent: days < 180, veryRecent: days < 30 }));
    const looks: [string, Shape][] = [
      ['the title of one', { html: `<title>Just a moment...</title>${kit}` }],
      ['its field', { html: `<title>Just a moment...</title>${kit}`, headers: [['cf-mitigated', 'challenge']] }],
      ['its field and status', { html: `<title>Just a moment...</title>${kit}`, status: 403, headers: [['cf-mitigated', 'challenge']] }],
      ['any refusal', { html: `<title>x</title>${kit}`, status: 403 }],
    ];
    for (const age of ages) {
      const { result: open } = await score({ html: `<title>PayPal</title>${kit}`, more: { age, dns: plain } });
      for (const [look, shape] of looks) {
        const { result } = await score({ ...shape, more: { age, dns: plain } });
        expect([look, age.days, result, open, result <= open]).toEqual([look, age.days, result, open, true]);
      }
    }
  });

  it.each<[string, Shape, keyof typeof TRUST_MODIFIERS]>([
    ['missing headers', { headers: SECURE.slice(1) }, 'missing_csp'],
    ['a version', { headers: [...SECURE, ['server', 'nginx/1.1']] }, 'version_exposed'],
    ['a young domain', { headers: SECURE, more: { age: { days: 90, recent: true, veryRecent: false } } }, 'recent'],
    ['a very young domain', { headers: SECURE, more: { age: { days: 9, recent: true, veryRecent: true } } }, 'very_recent'],
    ['an error', { headers: SECURE, status: 500 }, 'http_server_error'],
    ['a missing page', { headers: SECURE, status: 404 }, 'http_client_error'],
    ['a name like another', { headers: SECURE, more: { name: { ...ORDINARY.name, typosquat: 'google' } } }, 'suspicious_domain'],
    ['a certificate for a forgery too', { headers: SECURE, more: signed({ forgeries: 'paypal-login.example' }) }, 'names_of_forgers'],
    ['a certificate for odd names too', { headers: SECURE, more: signed({ oddNames: 'a.example, b.example, c.example' }) }, 'odd_names'],
    [
      'a certificate for one other name, which a list has',
      { headers: SECURE, more: signed({ listed: { names: 'a.example (maltrail: malware)', share: 1 } }) },
      'certificate_of_listed_names',
    ],
    ['a certificate that a brand has not signed', { headers: SECURE, more: signed({ claim: 'PayPal, Inc.' }) }, 'self_signed_brand'],
    ['a new one beside', { headers: SECURE, more: signed({ oddNames: 'a.example' }, { isFresh: true }) }, 'new_certificate'],
    ["a brand's", { headers: SECURE, more: signed({ owner: shippedBrands().token('paypal')!.brand }) }, 'brand_certificate'],
    ['an aggregated list', { headers: SECURE, more: { detections: { high: 0, all: 1 } } }, 'low_confidence_detection'],
  ])('%s: %j', async (_what, shape, factor) => {
    const { result, factors } = await score({ ...shape, more: { ...middling, dns: plain, ...shape.more } });
    expect(names(factors)).toContain(factor);
    expect(result).toBe(100 + factors.reduce((sum, { effect }) => sum + effect, 0));
    expect(factors.find((each) => each.factor === factor)?.effect).toBe(TRUST_MODIFIERS[factor]);
  });

  it.each([
    [1 / 2, -10],
    [1 / 4, -5],
    [1 / 9, -2],
    [1 / 99, undefined],
  ])('a certificate whose other domains are listed to %d costs a part', async (share, effect) => {
    const listed = { names: 'a.example (maltrail: malware)', share };
    const { evidence, factors } = await score({ headers: SECURE, more: { ...middling, dns: plain, ...signed({ listed }) } });
    expect(factors.find(({ factor }) => factor === 'certificate_of_listed_names')?.effect).toBe(effect);
    const signs = signsOf(scoreTrust(evidence, judgeSite(evidence)).factors).map(({ sign, weight }) => [sign, Math.round(1e4 * weight)]);
    expect(signs).toEqual(effect === undefined ? [] : [['certificate_of_listed_names', 175 * -effect]]);
  });

  it('a certificate that is new alone costs nothing', async () => {
    const { factors } = await score({ headers: SECURE, more: { ...middling, dns: plain, ...signed({}, { isFresh: true }) } });
    expect(names(factors)).not.toContain('new_certificate');
  });

  it('a refusal to robots costs no points; a page that was not seen is trusted no more than 60', async () => {
    for (const status of [401, 403, 405, 406, 429])
      expect(await score({ headers: SECURE, status, more: { ...middling, dns: plain } })).toMatchObject({
        result: 60,
        factors: [{ factor: 'cap_page_not_seen', detail: `HTTP ${status}` }],
      });
  });

  it.each<[keyof typeof TRUST_CAPS, Shape]>([
    ['detections', { more: { detections: { high: 2, all: 2 } } }],
    ['one_detection', { more: { detections: { high: 1, all: 3 } } }],
    ['sinkholed', { more: { lists: { sinkhole: true, parked: false } } }],
    ['defaced', page('<p>lol</p>', 'Hacked by somebody')],
    ['suspended', page('<p>This account has been suspended.</p>', 'x')],
    ['not_accessible', { more: silent() }],
    ['bad_certificate', { more: { certificate: { ...ORDINARY.certificate!, revoked: true } } }],
    ['drop_network', { more: { networks: [{ factor: 'drop_network', detail: 'Spamhaus DROP has the network of 198.51.100.2' }] } }],
    ['criminal_system', { more: { networks: [{ factor: 'criminal_system', detail: 'Spamhaus ASN-DROP has AS64496' }] } }],
    ['parked', { more: { lists: { sinkhole: false, parked: true } } }],
    [
      'imitation_and_recent',
      { more: { name: { ...ORDINARY.name, homoglyph: 'paypal' }, age: { days: 60, recent: true, veryRecent: false } } },
    ],
  ])('cap: %s, however popular', async (cap, shape) => {
    const { result, factors } = await score({
      ...shape,
      more: { ...shape.more, name: { ...ORDINARY.name, ...shape.more?.name, popularity: 'high' } },
    });
    expect(result).toBeLessThanOrEqual(TRUST_CAPS[cap]);
    expect(names(factors)).toContain(`cap_${cap}`);
  });

  it('the popular stay above 60 for all that is no cap', async () => {
    const bad: Shape = {
      status: 500,
      more: {
        age: { days: 3, recent: true, veryRecent: true },
        https: silent().https,
        name: { ...ORDINARY.name, abusedTld: true, typosquat: 'x' },
        http: await visitOf([hop('http://choir.example/', { status: 500 })], '<p>x</p>'),
      },
    };
    expect((await score(bad)).result).toBeLessThan(60);
    const { result, factors } = await score({
      ...bad,
      more: { ...bad.more, name: { ...ORDINARY.name, abusedTld: true, typosquat: 'x', popularity: 'high' } },
    });
    expect(result).toBe(60);
    expect(names(factors)).toContain('popular_floor');
  });

  it('what nobody knows lowers nothing, one by one and all together', async () => {
    const unknown: Partial<SiteEvidence>[] = [
      { detections: undefined }, { countries: undefined }, { absent: undefined }, { certificate: undefined }, { has: { abusedTlds: false, ranks: false } }, { lists: { sinkhole: undefined, parked: undefined } },
      { dns: { ipv4: undefined, ipv6: undefined, nameServers: undefined, mail: undefined, spoofable: undefined, caa: undefined, dnssecEnabled: undefined, dnssecSigned: undefined } },
    ]; // prettier-ignore
    for (const more of [...unknown, Object.assign({}, ...unknown) as Partial<SiteEvidence>]) {
      const { result, factors } = await score({ headers: SECURE, more });
      expect([
        more,
        factors.filter(({ effect }) => effect < 0 && effect !== 100 - result).filter(({ factor }) => factor !== 'within_0_and_100'),
      ]).toEqual([more, []]);
      expect(result).toBe(100);
    }
  });

  it('holds the networks of a landlord against no tenant, and a Tor exit little', async () => {
    const networks = [
      { factor: 'drop_network' as const, detail: 'x' },
      { factor: 'tor_exit' as const, detail: 'y' },
    ];
    expect((await score({ headers: SECURE, more: { networks, isFreeHost: true } })).result).toBe(100);
    const { factors } = await score({ headers: SECURE, more: { networks: networks.slice(1) } });
    expect(factors).toContainEqual({ factor: 'tor_exit', effect: -10, weight: 0.1, detail: 'y' });
  });

  it('trusts no site beyond what was seen of it', async () => {
    const most = async (more: Partial<SiteEvidence>) => (await score({ headers: SECURE, more })).result;
    expect(await most({ age: undefined })).toBe(TRUST_CAPS.age_not_known);
    // Many visitors have known it for a while.
    expect(await most({ age: undefined, name: { ...ORDINARY.name, popularity: 'medium' } })).toBe(100);
    expect(await Promise.all([0, 0.04, 0.25, 0.5].map((unheard) => most({ unheard })))).toEqual([100, 96, 80, 60]);
    const { factors } = await score({ headers: SECURE, more: { unheard: 0.25 } });
    expect(factors.at(-1)).toEqual({ factor: 'unheard', effect: -20, weight: 0, detail: '25% of the engines were not heard' });
  });

  it('never rises by a further detection, and never leaves 0 to 100', async () => {
    let last = 100;
    for (const detections of [
      { high: 0, all: 0 },
      { high: 0, all: 1 },
      { high: 1, all: 2 },
      { high: 2, all: 3 },
    ]) {
      const { result } = await score({ headers: SECURE, more: { ...middling, dns: plain, detections } });
      expect(result).toBeLessThanOrEqual(last);
      last = result;
    }
    expect(last).toBe(10);
  });
});

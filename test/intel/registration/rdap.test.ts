import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readRdapDomain } from '@vedette/intel/registration';
import { readRdapAutnum } from '../../../packages/intel/src/registration/rdap/rdap-autnum.ts';
import { rdapDomain, rdapRegistrant } from '../../registries/fake-registries.ts';

const NOW = new Date('2026-11-21T00:00:00Z');
const SHOP = 'example-shop.com';
const read = (json: unknown, name = SHOP) => readRdapDomain(json, name, NOW);
const card = (...properties: unknown[][]) => ['vcard', [['version', {}, 'text', '4.0'], ...properties]];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** What a registrant with this card comes to. */
const owner = (vcardArray: unknown, more: object = {}, domain: object = {}) => {
  const registrant = { objectClassName: 'entity', roles: ['registrant'], vcardArray, ...more };
  const { owner_organization, owner_country, owner_state_province, owner_email_domain, owner_private_person, hidden } = read(
    rdapDomain(SHOP, { registrant, more: domain }),
  )!;
  return { owner_organization, owner_country, owner_state_province, owner_email_domain, owner_private_person, hidden };
};
const NOBODY = {
  owner_organization: '',
  owner_country: '',
  owner_state_province: '',
  owner_email_domain: '',
  owner_private_person: false,
  hidden: false,
};
const FN = ['fn', {}, 'text', 'Jo Doe'];
const ORG = ['org', {}, 'text', 'Example Shop LLC'];

describe('an owner in a jCard (RFC 7095)', () => {
  it.each<[string, unknown[][], object]>([
    ['a company', [FN, ORG], { owner_organization: 'Example Shop LLC' }],
    ['a company with departments', [['org', {}, 'text', ['Example Shop LLC', 'Domains']]], { owner_organization: 'Example Shop LLC' }],
    [
      'a company by its kind',
      [
        ['kind', {}, 'text', 'org'],
        ['fn', {}, 'text', 'Example e.V.'],
      ],
      { owner_organization: 'Example e.V.' },
    ],
    ['a person', [FN], { owner_private_person: true }],
    [
      'a person by its kind',
      [
        ['kind', {}, 'text', 'individual'],
        ['fn', {}, 'text', ''],
      ],
      { owner_private_person: false, hidden: true },
    ],
    ['a person of a company', [['kind', {}, 'text', 'individual'], FN, ORG], { owner_organization: 'Example Shop LLC' }],
    ['nobody', [], { hidden: true }],
    ['a country by its code', [ORG, ['adr', { cc: 'de' }, 'text', ['', '', '', '', '', '', '']]], { owner_country: 'DE' }],
    ['a country by its name', [ORG, ['adr', {}, 'text', ['', '', '', '', '', '', 'Germany']]], { owner_country: 'DE' }],
    [
      'a country by another name',
      [ORG, ['adr', {}, 'text', ['', '', '', '', '', '', 'United States of America']]],
      { owner_country: 'US' },
    ],
    ['a country that is none', [ORG, ['adr', {}, 'text', ['', '', '', '', '', '', 'Atlantis']]], { owner_country: 'Atlantis' }],
    ['a state', [ORG, ['adr', { cc: 'US' }, 'text', ['', '', '', '', 'CA', '', '']]], { owner_country: 'US', owner_state_province: 'CA' }],
    ['an address', [ORG, ['email', {}, 'text', 'Jo@Mail.Example-Shop.com']], { owner_email_domain: 'mail.example-shop.com' }],
    ['a form in place of an address', [ORG, ['email', {}, 'text', 'https://registrar.example/contact']], { owner_email_domain: '' }],
    ['a form by RFC 8605', [ORG, ['contact-uri', {}, 'uri', 'https://registrar.example/contact']], { owner_email_domain: '' }],
    ['a sentence in place of an address', [ORG, ['email', {}, 'text', 'Please query the RDDS service of the registrar']], {}],
  ])('%s', (_, properties, says) => {
    const company = properties.includes(ORG) ? { owner_organization: 'Example Shop LLC' } : {};
    expect(owner(card(...properties))).toEqual({ ...NOBODY, ...company, ...says });
  });

  it('keeps of the address its digest alone', () => {
    const found = read(rdapDomain(SHOP, { registrant: rdapRegistrant('  Jo.Doe@Example-Shop.com ') }))!;
    expect(found.owner_email_hash).toBe(sha256('jo.doe@example-shop.com'));
    expect(JSON.stringify(found)).not.toMatch(/jo\.?doe/i);
  });

  it.each([
    undefined,
    null,
    'vcard',
    [],
    ['vcard'],
    ['vcard', 'x'],
    ['vcard', [[]]],
    ['vcard', [['fn']]],
    ['vcard', [['adr', null, 'text', 'x']]],
    {},
  ])('is not there where the card is %j', (vcardArray) => {
    expect(owner(vcardArray)).toEqual({ ...NOBODY, hidden: true });
  });
});

describe('an owner who is hidden', () => {
  const redacted = (type: string) => ({ redacted: [{ name: { type }, prePath: '$.x', method: 'removal' }] });
  it.each<[string, unknown[][], object, object]>([
    ['by RFC 9537', [ORG], {}, redacted('Registrant Name')],
    ['by the path of RFC 9537', [ORG], {}, { redacted: [{ postPath: "$.entities[?(@.roles[0]=='registrant')].vcardArray" }] }],
    ['by a remark', [ORG], { remarks: [{ title: 'REDACTED FOR PRIVACY', description: ['Some of the data is removed.'] }] }, {}],
    ['by a name', [['fn', {}, 'text', 'REDACTED FOR PRIVACY'], ORG], {}, {}],
    ['by an organisation', [FN, ['org', {}, 'text', 'Data Protected']], {}, {}],
    ['by a word', [FN, ['org', {}, 'text', 'Not Disclosed']], {}, {}],
    ['by Domains By Proxy', [FN, ['org', {}, 'text', 'Domains By Proxy, LLC']], {}, {}],
    ['by Withheld for Privacy', [FN, ['org', {}, 'text', 'Privacy service provided by Withheld for Privacy ehf']], {}, {}],
    ['by Contact Privacy', [['fn', {}, 'text', 'Contact Privacy Inc. Customer 0123456789']], {}, {}],
  ])('%s', (_, properties, more, domain) => {
    expect(owner(card(...properties), more, domain)).toMatchObject({ hidden: true, owner_private_person: false });
  });

  it.each<[string, unknown[][], object, object]>([
    ['whose technical contact alone is (RFC 9537)', [ORG], {}, redacted('Tech Email')],
    ['with a remark of another kind', [ORG], { remarks: [{ title: 'Registrant since 1999', description: ['A fine shop.'] }] }, {}],
    ['that is called Private Internet Access', [FN, ['org', {}, 'text', 'Private Internet Access Inc.']], {}, {}],
    ['that is called Hidden Valley', [FN, ['org', {}, 'text', 'Hidden Valley Foods']], {}, {}],
    ['that is called None of Your Business', [FN, ['org', {}, 'text', 'None of Your Business Ltd']], {}, {}],
    ['that is called Proxyclick', [FN, ['org', {}, 'text', 'Proxyclick SA']], {}, {}],
    ['that left a field empty', [['fn', {}, 'text', 'n/a'], ORG], {}, {}],
  ])('is not one %s', (_, properties, more, domain) => {
    expect(owner(card(...properties), more, domain)).toMatchObject({ hidden: false });
  });

  it('shows nothing of what stands in place of data', () => {
    const texts = ['fn', 'org', 'email'].map((name) => [name, {}, 'text', 'REDACTED FOR PRIVACY']);
    const adr = ['adr', { cc: 'US' }, 'text', ['', '', '', '', 'REDACTED FOR PRIVACY', '', '']];
    expect(owner(card(...texts, adr))).toEqual({ ...NOBODY, hidden: true, owner_country: 'US' });
  });
});

describe('a domain in RDAP (RFC 9083 §5.3)', () => {
  const event = (eventAction: string, eventDate: unknown) => ({ eventAction, eventDate });
  it.each<[string, unknown[], string]>([
    ['its registration', [event('registration', '1997-09-15T04:00:00Z')], '1997-09-15'],
    [
      'its registration, whatever came later',
      [
        event('transfer', '2020-01-01T00:00:00Z'),
        event('reregistration', '2019-01-01T00:00:00Z'),
        event('registration', '1997-09-15T04:00:00Z'),
      ],
      '1997-09-15',
    ],
    ['the registration that it has again', [event('reregistration', '2019-01-01T00:00:00Z')], '2019-01-01'],
    ['nothing, where it was transferred only', [event('transfer', '2020-01-01T00:00:00Z')], ''],
    ['nothing, where the day is none', [event('registration', '0000-00-00T00:00:00Z')], ''],
    ['nothing, where the day is to come', [event('registration', '2027-01-01T00:00:00Z')], ''],
    ['nothing, where there is no day', [event('registration', 5), event('registration', undefined)], ''],
    ['the day of another zone as it is written', [event('Registration', '1999-12-31T23:59:59+09:00')], '1999-12-31'],
  ])('was created on %s', (_, events, day) => {
    expect(read(rdapDomain(SHOP, { more: { events } }))?.created).toBe(day);
  });

  it.each<[unknown, string]>([
    [{ delegationSigned: true }, 'signed'],
    [{ delegationSigned: false, zoneSigned: true }, 'unsigned'],
    [{ zoneSigned: true }, 'unknown'],
    [{ keyData: [{ flags: 257, protocol: 3, algorithm: 8, publicKey: 'AwEAAQ==' }] }, 'signed'],
    [{ dsData: [{ keyTag: 1, algorithm: 8, digestType: 2, digest: '00' }] }, 'signed'],
    [{ delegationSigned: false, dsData: [{ keyTag: 1 }] }, 'unsigned'],
    [{ keyData: [], dsData: 'none' }, 'unknown'],
    [{ delegationSigned: 'true' }, 'unknown'],
    [undefined, 'unknown'],
  ])('with secureDNS %j is %s', (secureDNS, dnssec) => {
    expect(read(rdapDomain(SHOP, { more: { secureDNS } }))?.dnssec).toBe(dnssec);
  });

  it.each<[string, object]>([
    ['EXAMPLE-SHOP.COM.', { ldhName: 'EXAMPLE-SHOP.COM.' }],
    ['a U-label', { ldhName: undefined, unicodeName: 'Example-Shop.COM' }],
  ])('is the one that was asked for as %s', (_, more) => {
    expect(read(rdapDomain(SHOP, { more }))).toBeDefined();
  });

  it('is the one that was asked for in letters of its own', () => {
    expect(read({ objectClassName: 'domain', unicodeName: 'bücher.example' }, 'xn--bcher-kva.example')).toBeDefined();
  });

  it.each<[string, unknown]>([
    ['another domain', rdapDomain('other.com')],
    ['one above', rdapDomain('com')],
    ['a name server', { ...rdapDomain(SHOP), objectClassName: 'nameserver' }],
    ['an error', { errorCode: 404, title: 'Not found' }],
    ['a list', [rdapDomain(SHOP)]],
    ['nothing', null],
    ['a text', 'domain'],
  ])('is not %s', (_, json) => {
    expect(read(json)).toBeUndefined();
  });

  it('has the abuse contact of its registrar before any other, and only addresses', () => {
    const abuse = (address: string) => ({ roles: ['abuse'], vcardArray: card(['email', {}, 'text', address]) });
    const registrar = (inner: object[]) => ({ roles: ['registrar'], vcardArray: card(['fn', {}, 'text', 'R']), entities: inner });
    const of = (entities: object[]) => read(rdapDomain(SHOP, { more: { entities } }))?.registrar_abuse_email;
    expect(of([abuse('any@a.example'), registrar([abuse('its@r.example')])])).toBe('its@r.example');
    expect(of([abuse('any@a.example'), registrar([])])).toBe('any@a.example');
    expect(of([registrar([])])).toBe('');
    expect(of([registrar([abuse('https://form.example')])])).toBe('');
  });

  it('is read in bounds, whatever it is filled with', () => {
    const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
    let nested: object = {};
    for (let i = 0; i < 40; i++) nested = { roles: ['abuse'], entities: [nested, nested].slice(0, 1 + (i % 2)) };
    const found = read(
      rdapDomain(SHOP, {
        more: {
          nameservers: many(5_000, (i) => ({ ldhName: `ns${i}.example` })),
          entities: [...many(5_000, () => ({ roles: many(100, () => 'registrar') })), nested],
          events: many(5_000, () => ({ eventAction: 'x'.repeat(1_000) })),
          redacted: many(5_000, () => ({ name: { type: 'y'.repeat(1_000) } })),
        },
      }),
    )!;
    expect(found.nameservers).toHaveLength(32);
    expect(JSON.stringify(found).length).toBeLessThan(4_000);
  });

  it('says nothing that moves or hides other text', () => {
    const registrar = {
      roles: ['registrar'],
      vcardArray: card(['fn', {}, 'text', `Evil\u202e\u0000\u001b[31m Registrar${'x'.repeat(5_000)}`]),
    };
    const name = read(rdapDomain(SHOP, { more: { entities: [registrar] } }))?.registrar ?? '';
    expect(name).not.toMatch(/\p{C}/u);
    expect(name.length).toBeLessThan(310);
  });
});

it('keeps nothing of unbounded length: lists and addresses are cut', () => {
  const many = Array.from({ length: 50_000 }, () => 'part');
  const holder = { roles: ['registrant'], vcardArray: card(ORG, ['adr', {}, 'text', [many, many, ...many]]) };
  const system = { objectClassName: 'autnum', startAutnum: 3333, status: many, entities: [holder] };
  expect(JSON.stringify(readRdapAutnum(system, 3333, [], NOW)).length).toBeLessThan(2_000);
});

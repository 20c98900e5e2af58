import { createHash } from 'node:crypto';
import { type Asked, csv, misp, stix, uuid5 } from '@vedette/console/export';
import { indicatorOf, indicatorsIn, piecesOf } from '@vedette/console/subject';
import { expect, it } from 'vitest';

const AT = new Date('2026-11-28T12:00:00.000Z');
const REPORT = {
  ip: '198.51.100.7',
  verdict: 'dangerous',
  risk_score: { result: 53, factors: [{ factor: 'blacklist', effect: 45, detail: 'UCEPROTECT Level 1' }, { factor: 'young_as' }] },
  asn: { asn: 'AS64496', abuse_email: 'abuse@example.org' },
  names: ['mail.example.org', 'example.org'],
  page: 'https://example.org/a?b=1',
  v6: '2001:db8::1',
  file: { name: 'invoice.pdf', sha256_hash: 'A'.repeat(64) },
  contact: '+442079460958',
};
const asked = (report: object, over: Partial<Asked> = {}): Asked => ({
  key: 'k1',
  operation: 'ip-reputation',
  request: { ip: '198.51.100.7' },
  report: report as Asked['report'],
  at: AT,
  ...over,
});

interface StixObject {
  id: string;
  type: string;
  [member: string]: unknown;
}
const objectsOf = (...answers: Asked[]) => (stix(answers) as { objects: StixObject[] }).objects;
interface Attribute {
  type: string;
  value: string;
  to_ids: boolean;
  comment: string;
}
const attributesOf = (...answers: Asked[]) => (misp(answers) as { Event: { Attribute: Attribute[] } }).Event.Attribute;

it.each([
  ['host', 'Example.ORG.', 'host example.org'],
  ['anything', 'hxxps://evil[.]test/x', 'url https://evil.test/x'],
  ['x', '2001:db8::1', 'address 2001:db8::1'],
  ['asn', 64_496, 'asn AS64496'],
  ['ttl', 64_496, ''],
  ['x', 'd41d8cd98f00b204e9800998ecf8427e', 'md5 d41d8cd98f00b204e9800998ecf8427e'],
  ['fingerprint_sha256', 'a'.repeat(64), ''],
  ['spki_sha256', 'a'.repeat(64), ''],
  ['x', 'invoice.pdf', ''],
  ['server', 'Node.js/20', ''],
  ['serial_number', '02:a1:b2:c3:d4:e5:f6:07', ''],
  ['ports', '1234567890', ''],
  ['phone_number', '020 7946 0958', 'phone 020 7946 0958'],
  ['content_id', 'logo@lab-good.com', ''],
  ['unknown', 'asn.updated', ''],
  ['href', 'javascript:alert(1)//example.org', ''],
  ['x', 'a\u202Eb.example.org', ''],
  ['x', `https://example.org/${'a'.repeat(100_000)}`, ''],
] as const)('the value of %s, %s, is read by its shape', (name, value, expected) => {
  const found = indicatorOf(name, value);
  expect(found === undefined ? '' : `${found.kind} ${found.value}`).toBe(expected);
});

it('finds every indicator of a report once, in fields that no page knows as well, and no more than 2,000', () => {
  expect(indicatorsIn(REPORT).map(({ value }) => value)).toEqual([
    '198.51.100.7',
    'AS64496',
    'abuse@example.org',
    'mail.example.org',
    'example.org',
    'https://example.org/a?b=1',
    '2001:db8::1',
    'a'.repeat(64),
    '+442079460958',
  ]);
  expect(indicatorsIn({ list: Array.from({ length: 5_000 }, (_, i) => `h${i}.example.org`) })).toHaveLength(2_000);
});

it.each([
  ['v=spf1 include:a.test ip4:192.0.2.1 -all', 'v=spf1 include:|a.test| ip4:|192.0.2.1| -all'],
  ['v=DMARC1; rua=mailto:a@b.test,mailto:c@d.test', 'v=DMARC1; rua=mailto:|a@b.test|,mailto:|c@d.test'],
  ['See https://a.test/b?c=d. Then go', 'See |https://a.test/b?c=d|. Then go'],
  ['It ended.Then came Node.js and invoice.pdf', 'It ended.Then came Node.js and invoice.pdf'],
  ['AS64496 announces 2001:db8::1', 'AS64496| announces |2001:db8::1'],
  ['', ''],
])('%s is read in pieces, which together are the text', (text, expected) => {
  const pieces = piecesOf('text', text);
  expect(pieces.map((piece) => piece.text).join('|')).toBe(expected);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
});

it('names by SHA-1 as RFC 9562 has it, whatever the length', () => {
  // RFC 9562, appendix A.4
  expect(uuid5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  const space = Buffer.from('00abedb4aa42466c9c01fed23315a9b7', 'hex');
  for (let length = 0; length < 200; length++) {
    const name = 'ä'.repeat(length);
    const digest = createHash('sha1').update(space).update(name).digest('hex');
    const ours = uuid5('00abedb4-aa42-466c-9c01-fed23315a9b7', name).replaceAll('-', '');
    expect(ours.slice(0, 12) + ours.slice(13, 16) + ours.slice(17)).toBe(digest.slice(0, 12) + digest.slice(13, 16) + digest.slice(17, 32));
  }
});

it('a report is a STIX bundle: what was observed, one indicator, and a report that says the verdict', () => {
  const objects = objectsOf(asked(REPORT));
  expect(objects.map(({ type }) => type)).toEqual([
    'identity',
    'ipv4-addr',
    'autonomous-system',
    'email-addr',
    'domain-name',
    'domain-name',
    'url',
    'ipv6-addr',
    'file',
    'observed-data',
    'indicator',
    'relationship',
    'report',
  ]);
  const data = objects.find(({ type }) => type === 'observed-data')!;
  expect(data).toMatchObject({
    number_observed: 1,
    first_observed: AT.toISOString(),
    object_refs: objects.slice(1, 9).map(({ id }) => id),
  });
  expect(objects.find(({ type }) => type === 'indicator')).toMatchObject({
    pattern: "[ipv4-addr:value = '198.51.100.7']",
    pattern_type: 'stix',
    valid_from: AT.toISOString(),
    confidence: 53,
    description: 'Vedette ip-reputation: dangerous, risk 53 of 100, blacklist (UCEPROTECT Level 1); young_as',
  });
  expect(objects.at(-1)).toMatchObject({
    name: 'Vedette ip-reputation 198.51.100.7',
    description: 'Vedette ip-reputation: dangerous, risk 53 of 100, blacklist (UCEPROTECT Level 1); young_as',
    object_refs: objects.slice(1, -1).map(({ id }) => id),
  });
  expect(JSON.stringify(objects)).not.toContain('object_marking_refs');
});

it('a verdict of a part of the sources says so in the comment', () => {
  const missing = [{ name: 'a list', reason: 'not loaded' }];
  const report = { ...REPORT, verdict: 'clean', risk_score: { result: 0, coverage: { asked: 3, answered: 2, missing } } };
  const said = 'Vedette ip-reputation: clean, risk 0 of 100, 2 of 3 sources answered';
  expect(attributesOf(asked(report))[0]!.comment).toBe(said);
  expect(objectsOf(asked(report)).find(({ type }) => type === 'report')!['description']).toBe(said);
});

it('observables have the ids that every other producer gives them', () => {
  // STIX 2.1 §3.1 has the first; the second is of stix2, the library of OASIS.
  expect(objectsOf(asked({ a: '198.51.100.3', b: 'example.com' }, { request: {} })).map(({ id }) => id)).toEqual(
    expect.arrayContaining(['ipv4-addr--28bb3599-77cd-5a82-a950-b5bc3caf07c4', 'domain-name--bedb4899-d24b-5401-bc86-8f6b4cc18ec7']),
  );
});

it('the same answer has the same ids in each file, and the same thing in two answers stands once', () => {
  expect(stix([asked(REPORT)])).toEqual(stix([asked(REPORT)]));
  const two = objectsOf(asked(REPORT), asked(REPORT, { key: 'k2' }));
  expect(new Set(two.map(({ id }) => id)).size).toBe(two.length);
  expect(two.filter(({ type }) => type === 'ipv4-addr')).toHaveLength(1);
  expect(two.filter(({ type }) => type === 'observed-data')).toHaveLength(2);
});

it.each(['clean', 'suspicious', 'unknown', undefined])('a verdict of %s accuses no indicator', (verdict) => {
  const report = { ...REPORT, verdict };
  expect(objectsOf(asked(report)).filter(({ type }) => type === 'indicator')).toEqual([]);
  expect(attributesOf(asked(report)).filter(({ to_ids: isAccused }) => isAccused)).toEqual([]);
});

it('a stranger cannot end the string of a pattern, nor write a second line into a comment', () => {
  const url = String.raw`https://example.org/'] OR [url:value = 'https://good.test/\'`.replaceAll(' ', '%20');
  const detail = "x\n\u202Ey' OR 1";
  const report = { url, verdict: 'dangerous', risk_score: { result: 900, factors: [{ factor: 'page', detail }] } };
  const request = { url };
  const indicator = objectsOf(asked(report, { operation: 'url-reputation', request })).find(({ type }) => type === 'indicator')!;
  const [, inside] = /^\[url:value = '(.*)'\]$/.exec(String(indicator['pattern']))!;
  expect(inside!.replaceAll(/\\[\\']/g, '')).not.toMatch(/['\\]/);
  expect(indicator).toMatchObject({
    confidence: 100,
    description: "Vedette url-reputation: dangerous, risk 900 of 100, page (x U+202Ey' OR 1)",
  });
});

it('a report is a MISP event in which the subject alone is for detection', () => {
  const attributes = attributesOf(asked(REPORT));
  expect(attributes.map(({ type, value, to_ids: isAccused }) => `${type} ${value} ${isAccused}`)).toEqual([
    'ip-dst 198.51.100.7 true',
    'AS AS64496 false',
    'email-src abuse@example.org false',
    'hostname mail.example.org false',
    'domain example.org false',
    'url https://example.org/a?b=1 false',
    'ip-dst 2001:db8::1 false',
    `sha256 ${'a'.repeat(64)} false`,
    'phone-number +442079460958 false',
  ]);
  expect(attributes[0]!.comment).toBe('Vedette ip-reputation: dangerous, risk 53 of 100, blacklist (UCEPROTECT Level 1); young_as');
  expect(misp([asked(REPORT)])).toMatchObject({
    Event: { date: '2026-11-28', info: 'Vedette: ip-reputation', published: false, timestamp: '1795867200', distribution: '0' },
  });
});

it('attributes of several answers stand once, with what each answer says', () => {
  const other = asked({ host: 'example.org', a: '198.51.100.7' }, { key: 'k2', operation: 'dns-lookup', request: { host: 'example.org' } });
  const [address] = attributesOf(asked(REPORT), other);
  expect(address).toMatchObject({ value: '198.51.100.7', to_ids: true });
  expect(address!.comment.split(' | ')).toEqual([expect.stringContaining('dangerous'), 'Vedette dns-lookup: named in its report']);
});

it('a file of no answers, and of an answer without indicators, is still one', () => {
  expect(objectsOf().map(({ type }) => type)).toEqual(['identity']);
  expect(objectsOf(asked({ rows: [] }, { request: {} })).map(({ type }) => type)).toEqual(['identity']);
  expect(attributesOf()).toEqual([]);
});

it('a cell of CSV is no formula, wherever the indicator came from', () => {
  expect(csv(['value'], [{ value: '+442079460958' }, { value: '=1+1' }])).toBe("value\r\n'+442079460958\r\n'=1+1\r\n");
});

import { filesOf, groundsOf, lanesOf, summaryOf } from '@vedette/console/evidence';
import { chainOf } from '@vedette/console/views';
import { describe, expect, it } from 'vitest';

describe('what a verdict is made of', () => {
  it('is its factors, the weightiest first, and the sources that were heard', () => {
    const report = {
      ip: '192.0.2.1',
      risk_score: {
        result: 53,
        factors: [
          { factor: 'young_as', effect: 8, weight: 0.15, detail: 'It is 20 days old' },
          { factor: 'blacklist', effect: -45, weight: 0.45 },
        ],
        coverage: { asked: 3, answered: 2, missing: [{ name: 'PSBL', reason: 'it was late' }] },
      },
    };
    expect(groundsOf(report)).toEqual({
      factors: [
        { code: 'blacklist', effect: '-45', detail: '', rest: { weight: 0.45 } },
        { code: 'young_as', effect: '+8', detail: 'It is 20 days old', rest: { weight: 0.15 } },
      ],
      coverage: { asked: 3, answered: 2, missing: [{ name: 'PSBL', reason: 'it was late' }] },
      rest: { ip: '192.0.2.1' },
    });
  });

  it.each([
    [{ score: 60, score_factors: [{ factor: 'free_email', points: 40 }] }, [['free_email', '-40']]],
    [{ grade: 'B', grade_caps: [{ code: 'TLS1_0_OFFERED', grade: 'B' }] }, [['TLS1_0_OFFERED', 'at most B']]],
    [{ parked_domain: true, reasons: [{ code: 'sale_offer', detail: 'the page offers the name' }] }, [['sale_offer', '']]],
  ])('is found in %j', (report, found) => {
    expect(groundsOf(report).factors.map(({ code, effect }) => [code, effect])).toEqual(found);
  });

  it.each([
    { risk_score: { result: 5, factors: 'none', coverage: 3, method: 'new' } },
    { reasons: ['plain'], coverage: { asked: 1, answered: 1, missing: [], new: true } },
    { score_factors: [{ factor: 3 }], coverage: { asked: 1, answered: 0, missing: [{ name: 'a', reason: 'b', new: 1 }] } },
  ])('leaves %j below: no field is lost', (report) => {
    const { factors, coverage, rest } = groundsOf(report);
    const { risk_score: score, ...others } = report as { risk_score?: { result: number } };
    const { result: _shown, ...left } = score ?? { result: 0 };
    expect([factors, coverage, rest]).toEqual([[], undefined, score ? { risk_score: left } : others]);
  });
});

describe('a report without a verdict', () => {
  const mail = (security: object, impersonations: object[] = []) => ({
    security_details: security,
    sender_details: { domain: 'a.test' },
    impersonations,
  });

  it.each([
    [mail({ dmarc_status: 'pass' }), 'none', 'From a.test, proven by DMARC'],
    [mail({ dmarc_status: '' }), 'none', 'The sender is not proven'],
    [mail({ dmarc_status: 'fail' }), 'warn', 'The sender is not proven; DMARC failed'],
    [
      mail({ dmarc_status: 'pass', has_risky_file_extensions: true }),
      'warn',
      'From a.test, proven by DMARC; has a file that can run something',
    ],
    [
      mail({ dmarc_status: 'pass' }, [{ brand: 'PayPal' }]),
      'bad',
      'From a.test, proven by DMARC; speaks in the name of PayPal, and is not from it',
    ],
    [
      {
        stats: { total_requests: 2, unique_hosts: 1, transferred_bytes: 2_500 },
        http_requests: [{ status_code: 200 }, { status_code: 0 }],
      },
      'none',
      '2 requests to 1 host, 2.5 kB; 1 without an answer',
    ],
    [{ records: { a: [{}, {}], mx: [{}] }, statuses: { a: 'noerror', mx: 'noerror' } }, 'none', '3 records'],
    [{ records: {}, statuses: { a: 'nxdomain' } }, 'warn', 'The name does not exist'],
    [{ codes_found: 2, codes: [{ content: 'https://a.test/' }, { content: 'b' }] }, 'none', '2 codes: https://a.test/ …'],
    [{ codes_found: 0, codes: [] }, 'none', 'No code found'],
    [{ records_num: 2, domains: [] }, 'none', '2 domains seen there'],
    [{ credits: { remained: 1_000_000 } }, 'none', '1,000,000 credits left'],
  ])('of %j is %s: %s', (report, tone, word) => {
    expect(summaryOf(report)).toEqual({ tone, word });
  });

  it.each([{}, { stats: 3, security_details: [], records: 'x', credits: null }])('of %j has none', (report) => {
    expect(summaryOf(report)).toBeUndefined();
  });
});

describe('the requests of a page', () => {
  it('stand on one scale', () => {
    const http_requests = [
      { url: 'https://a.test/', method: 'GET', resource_type: 'document', status_code: 200, elapsed_ms: 10, started_ms: 0, ttfb_ms: 8 },
      {
        url: 'https://a.test/x',
        method: 'POST',
        resource_type: 'fetch',
        status_code: 0,
        elapsed_ms: 5,
        started_ms: 12,
        ttfb_ms: 9,
        error: 'refused',
      },
    ];
    expect(lanesOf({ http_requests })).toEqual([
      { url: 'https://a.test/', note: 'document · 200', tone: 'none', from: 0, waitMs: 8, ms: 10 },
      { url: 'https://a.test/x', note: 'POST · fetch · refused', tone: 'bad', from: 12, waitMs: 5, ms: 5 },
    ]);
  });

  it.each([{}, { http_requests: 'x' }, { http_requests: [{ elapsed_ms: 4 }, { elapsed_ms: 5 }] }])(
    'without times have no picture: %j',
    (report) => {
      expect(lanesOf(report)).toEqual([]);
    },
  );
});

describe('the files of a message', () => {
  const file = (name: string, depth?: number, more: object = {}) => ({ name, size: 1_500, ...(depth !== undefined && { depth }), ...more });
  const names = (files: ReturnType<typeof filesOf>['files']): unknown[] =>
    files.map(({ name, within }) => (within.length === 0 ? name : [name, names(within)]));

  it('are a tree: what is in what', () => {
    const files = [
      {
        ...file('original.eml'),
        extracted_files: [
          file('a.zip', 1),
          file('a.zip/b.zip', 2),
          file('a.zip/b.zip/c.exe', 3, { is_risky_extension: true }),
          file('d.txt', 1),
        ],
      },
      file('logo.png'),
    ];
    const tree = filesOf({ attachments: { files } });
    expect(names(tree.files)).toEqual([['original.eml', [['a.zip', [['b.zip', ['c.exe']]]], 'd.txt']], 'logo.png']);
    expect(tree.files[0]!.within[0]!.within[0]!.within[0]).toMatchObject({
      notes: ['1.5 kB', 'can run or install something'],
      tone: 'bad',
    });
  });

  it('have an end, however many there are and however deep they say that they are', () => {
    const files = [
      { ...file('x'), extracted_files: Array.from({ length: 1_000 }, (_, i) => file(`f${i}`, i * 7 - 3)) },
      ...Array.from({ length: 9 }, () => file('y')),
    ];
    const tree = filesOf({ attachments: { files } });
    const count = (nodes: typeof tree.files): number => nodes.reduce((sum, { within }) => sum + 1 + count(within), 0);
    const depth = (nodes: typeof tree.files): number => nodes.reduce((most, { within }) => Math.max(most, 1 + depth(within)), 0);
    expect([count(tree.files), depth(tree.files) <= 21, tree.left]).toEqual([300, true, 710]);
    expect(filesOf({ attachments: { files: 'x' } })).toEqual({ files: [], left: 0 });
  });
});

it('the way of a message has its delays, and whose word each hop is', () => {
  const hop = {
    helo: 'a.test',
    hostname: '',
    ip_address: '192.0.2.1',
    by: 'mx.b.test',
    protocol: 'esmtps',
    tls: 'TLS1.3',
    is_of_recipient: true,
  };
  const hops = [
    {
      ...hop,
      by: 'a.test',
      helo: 'pc',
      tls: 'none',
      date_time_normalized: '2026-11-17T22:15:01+01:00',
      delay_s: 0,
      is_of_recipient: false,
    },
    { ...hop, date_time_normalized: '2026-11-17T23:15:01+01:00', delay_s: 3_600 },
    { ...hop, date_time_normalized: '2026-11-17T23:14:59+01:00', delay_s: -2 },
  ];
  expect(chainOf('eml-insights', { hops })!.steps).toEqual([
    {
      title: 'from pc [192.0.2.1] to a.test',
      notes: ['2026-11-17T22:15:01+01:00', 'esmtps', 'without TLS', 'by the word of the sender'],
      tone: 'none',
    },
    { title: 'from a.test [192.0.2.1] to mx.b.test', notes: ['2026-11-17T23:15:01+01:00', '+60 min', 'esmtps', 'TLS1.3'], tone: 'warn' },
    {
      title: 'from a.test [192.0.2.1] to mx.b.test',
      notes: ['2026-11-17T23:14:59+01:00', 'the clocks disagree by 2 s', 'esmtps', 'TLS1.3'],
      tone: 'good',
    },
  ]);
});

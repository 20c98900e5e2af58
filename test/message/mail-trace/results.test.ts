import fc from 'fast-check';
import parseHeader from 'mailauth/lib/parse-dkim-headers.js';
import { describe, expect, it } from 'vitest';
import { readArcResults, readReceivedSpf, readResults } from '../../../packages/message/src/mail-trace/results.ts';
import { tokensOf } from '../../../packages/message/src/mail-trace/tokens.ts';

/** As one reads it: `method=result` and what is said with it. */
const read = (raw: string) => {
  const { server, results } = readResults(raw);
  return {
    server,
    results: results.map(({ method, result, properties, comment }) => [`${method}=${result}`, Object.fromEntries(properties), comment]),
  };
};

describe('RFC 8601', () => {
  it.each<[string, string, ReturnType<typeof read>]>([
    ['B.2: nothing was done', ' example.org 1; none', { server: 'example.org', results: [] }],
    [
      'B.3: one method',
      ' example.com;\r\n          spf=pass smtp.mailfrom=example.net',
      { server: 'example.com', results: [['spf=pass', { 'smtp.mailfrom': 'example.net' }, '']] },
    ],
    [
      'B.4: several, with comments',
      ' example.com;\r\n\tauth=pass (cram-md5) smtp.auth=sender@example.net;\r\n\tspf=pass smtp.mailfrom=example.net',
      {
        server: 'example.com',
        results: [
          ['auth=pass', { 'smtp.auth': 'sender@example.net' }, 'cram-md5'],
          ['spf=pass', { 'smtp.mailfrom': 'example.net' }, ''],
        ],
      },
    ],
    [
      'B.6: several of one method, and reasons',
      ' example.com;\r\n dkim=pass reason="good signature"\r\n header.i=@mail-router.example.net;\r\n dkim=fail reason="bad signature"\r\n header.i=@newyork.example.com',
      {
        server: 'example.com',
        results: [
          ['dkim=pass', { reason: 'good signature', 'header.i': '@mail-router.example.net' }, ''],
          ['dkim=fail', { reason: 'bad signature', 'header.i': '@newyork.example.com' }, ''],
        ],
      },
    ],
    [
      'B.7: comments wherever they may stand, and versions',
      ` foo.example.net (foobar) 1 (baz);
    dkim (Because I like it) / 1 (One yay) = (wait for it) fail
    policy (A dot can go here) . (like that) expired
    (this surprised me) = (as I wasn't expecting it) 1362471462`,
      {
        server: 'foo.example.net',
        results: [
          [
            'dkim=fail',
            { 'policy.expired': '1362471462' },
            "Because I like it One yay wait for it A dot can go here like that this surprised me as I wasn't expecting it",
          ],
        ],
      },
    ],
    [
      '§2.2: values in quotes, with what else would end them',
      ' example.com; spf=pass smtp.mailfrom="a;b (c)=d@example.net"',
      { server: 'example.com', results: [['spf=pass', { 'smtp.mailfrom': 'a;b (c)=d@example.net' }, '']] },
    ],
    [
      '§2.2: in capitals',
      ' MX.Example.COM; SPF=Pass SMTP.MailFrom=A@B',
      { server: 'mx.example.com', results: [['spf=pass', { 'smtp.mailfrom': 'A@B' }, '']] },
    ],
  ])('%s', (_rule, raw, expected) => {
    expect(read(raw)).toEqual(expected);
  });

  it('takes values with more equals signs as they are', () => {
    const { results } = readResults(
      'mx.example.com; dkim=pass header.b=Ab/c== header.i=@a.test; spf=pass smtp.mailfrom=bounce+ada=example.net@example.org',
    );
    expect(results.map(({ properties }) => Object.fromEntries(properties))).toEqual([
      { 'header.b': 'Ab/c==', 'header.i': '@a.test' },
      { 'smtp.mailfrom': 'bounce+ada=example.net@example.org' },
    ]);
  });

  it('takes the first of what is said twice', () => {
    expect(read('a.test; spf=pass smtp.mailfrom=a smtp.mailfrom=b').results).toEqual([['spf=pass', { 'smtp.mailfrom': 'a' }, '']]);
  });
});

describe('what is not as the standard says', () => {
  it('Microsoft: no name, and the domain of the recipient between', () => {
    expect(
      read(` spf=pass (sender IP is 192.0.2.1)
 smtp.mailfrom=example.org; contoso.test; dkim=pass (signature was
 verified) header.d=example.org;contoso.test; dmarc=pass action=none
 header.from=example.org;compauth=pass reason=100`),
    ).toEqual({
      server: '',
      results: [
        ['spf=pass', { 'smtp.mailfrom': 'example.org' }, 'sender IP is 192.0.2.1'],
        ['dkim=pass', { 'header.d': 'example.org' }, 'signature was verified'],
        ['dmarc=pass', { action: 'none', 'header.from': 'example.org' }, ''],
        ['compauth=pass', { reason: '100' }, ''],
      ],
    });
  });

  it('Yahoo: a comment without a space before it', () => {
    expect(read('atlas.yahoo.com; dmarc=pass(p=REJECT,sp=NONE) header.from=a.test').results).toEqual([
      ['dmarc=pass', { 'header.from': 'a.test' }, 'p=REJECT,sp=NONE'],
    ]);
  });

  it.each(['(((((', '"""', 'a; b=(c', ';;;;;', '=', 'a.test; =', 'a.test; =x', 'a.test; x=', 'a.test; x= ; y=z', '\\', '(\\'])(
    'stops nowhere: %j',
    (raw) => {
      expect(readResults(raw).results.every(({ method }) => typeof method === 'string')).toBe(true);
    },
  );

  it('reads whatever it is given, and no more than a field has', () => {
    const piece = fc.oneof(
      fc.constantFrom('spf', '=', 'pass', ' ', '(', ')', '"', '\\', ';', '/', '1', 'smtp.mailfrom', '\r\n\t'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => readResults(pieces.join('')).results.every(({ result }) => result === result.toLowerCase())),
    );
    expect(tokensOf('a;'.repeat(1_000_000)).length).toBeLessThan(20_000);
  });
});

it('agrees with mailauth on whatever the standard allows', () => {
  const fold = fc.constantFrom(' ', '\r\n\t', '  ');
  const word = fc.stringMatching(/^[a-z][a-z0-9.@-]{0,12}$/);
  const result = fc.record({
    method: fc.constantFrom('spf', 'dkim', 'dmarc', 'arc', 'iprev'),
    word: fc.constantFrom('pass', 'fail', 'none', 'softfail', 'temperror'),
    comment: fc.option(
      fc.stringMatching(/^[a-z0-9=. ]{1,20}[a-z]$/).filter((text) => text.trim() === text && !/ {2}/.test(text)),
      { nil: undefined },
    ),
    property: fc.option(word, { nil: undefined }),
    fold,
  });
  // Of methods but DKIM it keeps the first alone.
  const several = fc.uniqueArray(result, {
    minLength: 1,
    maxLength: 6,
    selector: (each) => (each.method === 'dkim' ? JSON.stringify(each) : each.method),
  });
  fc.assert(
    fc.property(word, several, (server, results) => {
      const written = results.map((each) =>
        [
          `${each.method}=${each.word}`,
          ...(each.comment === undefined ? [] : [`(${each.comment})`]),
          ...(each.property === undefined ? [] : [`header.d=${each.property}`]),
        ].join(each.fold),
      );
      const raw = `${server};${written.map((text, i) => results[i]!.fold + text).join(';')}`;
      const { value, header: _header, ...methods } = parseHeader(`Authentication-Results: ${raw}`).parsed;
      const theirs = Object.entries(methods).map(([method, found]) => [method, [found].flat()]);
      const mine = readResults(raw);
      expect(mine.server).toBe(value);
      const own = [...new Set(mine.results.map(({ method }) => method))].map((method) => [
        method,
        mine.results
          .filter((each) => each.method === method)
          .map((each) => ({
            value: each.result,
            ...(each.comment !== '' && { comment: each.comment }),
            ...(each.properties.has('header.d') && { header: { d: each.properties.get('header.d') } }),
          })),
      ]);
      expect(own).toEqual(theirs);
    }),
  );
});

it('ARC-Authentication-Results begin with their instance (RFC 8617 §4.1.1)', () => {
  expect(
    readArcResults(
      ' i=2; mx.microsoft.com 1; spf=pass (sender ip is 192.0.2.1) smtp.mailfrom=a.test; dmarc=fail (p=reject sp=none pct=100) action=oreject',
    ),
  ).toMatchObject({
    instance: 2,
    server: 'mx.microsoft.com',
    results: [
      { method: 'spf', result: 'pass' },
      { method: 'dmarc', result: 'fail', comment: 'p=reject sp=none pct=100' },
    ],
  });
  expect(readArcResults('nonsense')).toEqual({ instance: 0, server: '', results: [] });
});

it('Received-SPF (RFC 7208 §9.1)', () => {
  const { result, properties, comment } = readReceivedSpf(
    ' Pass (mybox.example.org: domain of\r\n myname@example.com designates 192.0.2.1 as permitted sender)\r\n  receiver=mybox.example.org; client-ip=192.0.2.1;\r\n  envelope-from="myname@example.com"; helo=foo.example.com;',
  );
  expect([result, Object.fromEntries(properties), comment]).toEqual([
    'pass',
    { receiver: 'mybox.example.org', 'client-ip': '192.0.2.1', 'envelope-from': 'myname@example.com', helo: 'foo.example.com' },
    'mybox.example.org: domain of myname@example.com designates 192.0.2.1 as permitted sender',
  ]);
});

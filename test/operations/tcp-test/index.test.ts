import { failure } from '@vedette/contract';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { operations } from '@vedette/operations';
import type { DistributedOperation } from '@vedette/operations/kit';
import { read as readBy } from '../answer.ts';
import { PLACES, replyFrom, reportOf } from '../measured.ts';

const tcpTest = operations.find(({ name }) => name === 'tcp-test') as DistributedOperation<any, any, any, any, any, any>;
const read = (operation: typeof tcpTest, request: object): any => readBy(operation as any, request as any);
/** The result of a location that measured nothing. */
const nothing = tcpTest.entry(read(tcpTest, { host: 'a.test', port: 22 }), replyFrom('eu-fra', { failure: failure('agent_lost') }))[
  'tcp_output'
] as Record<string, any>;
const attempt = { ip_address: '192.0.2.10', state: 'open' as const, began_ms: 3.1, connect_ms: 20.4, rtt_ms: 20.1, syn_lost: 0, icmp: '' };
const result = {
  ...nothing,
  ip_address: '192.0.2.10',
  state: 'open' as const,
  attempts: [attempt],
  rtt: { min: 20.1, avg: 20.1, max: 20.1, mdev: 0 },
  banner: '220 a.test\\r\\n',
  elapsed_ms: 60,
};
const jobOf = (request: object) => tcpTest.job(read(tcpTest, request));
const costOf = (request: object) => (tcpTest.cost as { of(query: unknown): number }).of(read(tcpTest, request));

it('asks for three connections to the host as it is written on the wire, unless the client wants something else', () => {
  expect(jobOf({ host: 'A.Test.', port: 22 })).toEqual({ host: 'a.test', port: 22, family: 0, attempts: 3 });
  expect(jobOf({ host: 'a.test', port: 443, tls: true, attempts: 1, use_ipv6: true })).toEqual({
    host: 'a.test',
    port: 443,
    family: 6,
    attempts: 1,
    tls: { alpn: ['h2', 'http/1.1'] },
  });
  expect(jobOf({ host: 'a.test', port: 993, tls: true, expect: '^\\* OK', use_ipv6: false })).toMatchObject({
    family: 4,
    tls: { alpn: [] },
    expect: '^\\* OK',
  });
  expect(jobOf({ host: 'a.test', port: 7, send: 'hello\r\n' })).toMatchObject({ send: Buffer.from('hello\r\n').toString('base64') });
  expect(jobOf({ host: 'a.test', port: 25, starttls: 'smtp' })).toMatchObject({ starttls: 'smtp' });
});

it('takes every attempt for a contact with that port, and sending costs more', () => {
  expect(tcpTest.connects!(read(tcpTest, { host: 'a.test', port: 22, attempts: 2 }))).toEqual({ port: 22, times: 2 });
  expect([
    costOf({ host: 'a.test', port: 22 }),
    costOf({ host: 'a.test', port: 22, tls: true }),
    costOf({ host: 'a.test', port: 22, send: 'x\n' }),
  ]).toEqual([5, 5, 10]);
});

it('reports each location, and keeps every field of one that failed', () => {
  const refused = {
    ...result,
    state: 'refused' as const,
    attempts: [{ ...attempt, state: 'refused' as const, rtt_ms: 0 }],
    rtt: nothing['rtt'],
    banner: '',
  };
  const [closed, lost] = [failure('connect_refused', '192.0.2.10 ECONNREFUSED'), failure('agent_lost')];
  const report = reportOf(tcpTest, { host: 'A.Test', port: 25 }, [
    replyFrom('eu-fra', { result }),
    replyFrom('sat-1', { result: refused, failure: closed }),
    replyFrom('eu-fra', { failure: lost }),
  ]);
  expect(report).toEqual({
    host: 'A.Test',
    port: 25,
    locations: [
      { ...PLACES['eu-fra'], location: 'eu-fra', tcp_output: result, error: '' },
      { ...PLACES['sat-1'], location: 'sat-1', tcp_output: refused, error: closed.error, reason: 'connect_refused' },
      { ...PLACES['eu-fra'], location: 'eu-fra', tcp_output: nothing, error: lost.error, reason: 'agent_lost' },
    ],
  });
  expect(Value.Check(tcpTest.response, report)).toBe(true);
  expect(nothing['state']).toBe('');
});

describe('what a stranger may say to a server', () => {
  const send =
    (text: string, port = 7) =>
    () =>
      jobOf({ host: 'a.test', port, send: text });

  it.each(['HELP\r\n', 'HEAD / HTTP/1.0\r\n\r\n', 'GET /status HTTP/1.0\n\n', '\tPING', 'x'.repeat(512)])('is one line: %j', (text) => {
    expect(send(text)()).toMatchObject({ send: Buffer.from(text).toString('base64') });
  });

  it.each([
    ['several lines', 'NICK a\r\nJOIN #b\r\n'],
    ['mail, all at once', 'EHLO a\r\nMAIL FROM:<a@a.test>\r\nRCPT TO:<b@b.test>\r\nDATA\r\n'],
    ['a request with fields and a body', 'POST / HTTP/1.1\r\nHost: b.test\r\n\r\nbody'],
    ['a way through a proxy', 'CONNECT b.test:25 HTTP/1.0\r\n\r\n'],
    ['an order of HTTP', ' delete /index HTTP/1.0\r\n\r\n'],
    ['an envelope', 'mail  from:<a@a.test>\r\n'],
    ['a recipient', 'RCPT TO:<a@a.test>\r\n'],
    ['an order', 'flush_all\r\n'],
    ['octets', 'a\0b'],
    ['a bare return', 'a\rb'],
    ['more than ASCII', 'é'],
    ['more ends of lines than one request has', 'a\n\n\n'],
    ['only ends of lines', '\r\n'],
  ])('is not %s', (_what, text) => {
    expect(send(text)).toThrow(expect.objectContaining({ code: 'invalid_parameter', param: 'send' }));
  });

  it.each([23, 25, 465, 512, 515, 587, 2_181, 2_375, 2_525, 5_555, 6_379, 8_005, 9_100, 9_107, 11_211])('is nothing to port %i', (port) => {
    expect(send('HELP\r\n', port)).toThrow(expect.objectContaining({ code: 'invalid_parameter', param: 'send' }));
    expect(jobOf({ host: 'a.test', port, expect: 'x' })).toMatchObject({ port });
  });

  it('is no ClientHello where it would be printed', () => {
    for (const request of [{ tls: true }, { starttls: 'smtp' }])
      for (const port of [515, 9_100])
        expect(() => jobOf({ host: 'a.test', port, ...request })).toThrow(expect.objectContaining({ code: 'invalid_parameter' }));
  });
});

it.each<[string, Record<string, unknown>]>([
  ['parameter_conflict', { tls: true, starttls: 'smtp' }],
  ['parameter_conflict', { host: '192.0.2.1', use_ipv6: true }],
  ['invalid_parameter', { expect: '(' }],
  ['invalid_parameter', { expect: '(?=a)' }],
  ['invalid_parameter', { host: 'http://a.test/' }],
])('refuses, as %s, %j', (code, request) => {
  expect(() => jobOf({ host: 'a.test', port: 7, ...request })).toThrow(expect.objectContaining({ code }));
});

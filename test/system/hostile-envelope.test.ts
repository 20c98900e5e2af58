import { API_ERRORS, type ApiErrorCode } from '@vedette/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY, startWorld, type World } from './hostile-world.ts';
import { NO_BROWSER, ONE_AGENT } from './one-machine.ts';

let world: World;
beforeAll(async () => {
  // One domain is asked about for ten seconds on end: nobody but an operator may do that.
  world = await startWorld({ ...NO_BROWSER, ...ONE_AGENT, VEDETTE_OWN_TARGETS: 'hostile-lab.com' });
});
afterAll(async () => {
  await world.close();
});

/** What is answered at once: the name does not exist. */
const BODY = JSON.stringify({ host: 'nosuch.hostile-lab.com', locations: ['eu-fra'] });
/** A request as octets on the wire; `without` drops one of its usual headers. */
const request = ({ method = 'POST', path = '/v2/ping-test', headers = '', body = BODY, without = '', length = true }) => {
  const lines = ['Host: x', `X-API-Key: ${KEY}`, 'Content-Type: application/json'].filter(
    (line) => without === '' || !line.startsWith(without),
  );
  const usual = [...lines, ...(length ? [`Content-Length: ${Buffer.byteLength(body)}`] : []), 'Connection: close'];
  return `${method} ${path} HTTP/1.1\r\n${usual.join('\r\n')}\r\n${headers}\r\n${body}`;
};

/** Every answer there is, each checked for its form: an id always; an error is exactly a sentence and a code. */
const answersTo = async (...chunks: (string | Buffer)[]): Promise<string[]> => {
  const text = (await world.raw(chunks)).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  return text.split(/(?=HTTP\/1\.1 )/).map((answer) => {
    const [head = '', ...rest] = answer.split('\r\n\r\n');
    const status = Number(head.slice(9, 12));
    expect(head).toMatch(/^x-request-id: [0-9a-f-]{36}\r?$/im);
    if (status < 400) return String(status);
    expect(head).toMatch(/^content-type: application\/json; charset=utf-8\r?$/im);
    const error = JSON.parse(rest.join('\r\n\r\n')) as { error: string; code: ApiErrorCode; param?: string };
    expect(Object.keys(error)).toEqual(['error', 'code', ...(error.param === undefined ? [] : ['param'])]);
    expect(error.error + (error.param ?? '')).toMatch(/^[^\p{Cc}\p{Cf}]{1,400}$/u);
    expect(API_ERRORS[error.code].status).toBe(status);
    expect(error.error.startsWith(API_ERRORS[error.code].sentence)).toBe(true);
    return error.code;
  });
};

describe('content types: the schema is applied, or 415', () => {
  it.each([
    ['application/json', '200'],
    ['APPLICATION/JSON; charset="UTF-8"', '200'],
    ['application/json\t; x', 'unsupported_media_type'],
    ['application/json ; x', 'unsupported_media_type'],
    ['application/json, text/plain', 'unsupported_media_type'],
    ['application/jsonx', 'unsupported_media_type'],
    ['application/json; charset=utf-8; charset=latin1', 'unsupported_media_type'],
    ['application/json; charset=utf-16', 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 'unsupported_media_type'],
    ['multipart/form-data; boundary=x', 'unsupported_media_type'],
    ['"application/json"', 'unsupported_media_type'],
  ])('%j: %s', async (type, outcome) => {
    expect(await answersTo(request({ without: 'Content-Type', headers: `Content-Type: ${type}\r\n` }))).toEqual([outcome]);
  });
  it('none', async () => {
    expect(await answersTo(request({ without: 'Content-Type' }))).toEqual(['unsupported_media_type']);
  });
});

describe('bodies', () => {
  it.each<[what: string, code: ApiErrorCode, body: string]>([
    ['an array for a string', 'invalid_parameter', '{"host":["a"]}'],
    ['an object for a string', 'invalid_parameter', '{"host":{"toString":1}}'],
    ['a number', 'malformed_json', '1'],
    ['null', 'malformed_json', 'null'],
    ['an array', 'malformed_json', '[]'],
    ['one key twice', 'malformed_json', '{"host":"a.test","host":"b.test"}'],
    ['one key twice, once escaped', 'malformed_json', '{"host":"a.test","h\\u006fst":"b.test"}'],
    ['__proto__', 'unknown_parameter', '{"__proto__":{"host":"x"}}'],
    ['__proto__ escaped', 'unknown_parameter', '{"\\u005f_proto__":1}'],
    ['constructor.prototype', 'unknown_parameter', '{"constructor":{"prototype":{}}}'],
    ['a method of every object', 'unknown_parameter', '{"hasOwnProperty":1}'],
    ['an empty key', 'unknown_parameter', '{"":1}'],
    ['60,000 brackets', 'malformed_json', '['.repeat(60_000)],
    ['12,000 objects deep', 'malformed_json', '{"a":'.repeat(12_000)],
    ['5,000 keys', 'unknown_parameter', `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":1`).join()}}`],
    ['100,000 keys', 'body_too_large', `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join()}}`],
    ['60,000 quotes', 'malformed_json', '"'.repeat(60_000)],
    ['30,000 escaped backslashes', 'invalid_parameter', `{"host":"${'\\\\'.repeat(30_000)}"}`],
    ['a lone surrogate', 'invalid_parameter', '{"host":"\\ud800"}'],
    ['a byte order mark', 'malformed_json', '\ufeff{"host":"x"}'],
    ['a NUL', 'invalid_parameter', '{"host":"a\\u0000b"}'],
    ['NaN', 'malformed_json', '{"host":NaN}'],
    ['two values', 'malformed_json', '{"host":"x"}{"host":"y"}'],
    ['a comment', 'malformed_json', '{"host":"x"/**/}'],
    ['a trailing comma', 'malformed_json', '{"host":"x",}'],
    ['nothing', 'malformed_json', ''],
  ])('%s: %s', async (_what, code, body) => {
    expect(await answersTo(request({ body }))).toEqual([code]);
  });
  it('octets that are not UTF-8', async () => {
    const body = Buffer.from('{"host":"\xff"}', 'latin1');
    expect(await answersTo(request({ body: 'x'.repeat(body.length) }).slice(0, -body.length), body)).toEqual(['malformed_json']);
  });
});

describe('framing that two readers could read differently', () => {
  const framed = (headers: string, body = '{"a"}') => request({ headers, body, length: false });
  it.each([
    ['length and chunked', framed('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), ['bad_request']],
    ['two codings', framed('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n'), ['bad_request']],
    ['an unknown coding', framed('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'), ['bad_request']],
    ['two lengths', framed('Content-Length: 5\r\nContent-Length: 6\r\n'), ['bad_request']],
    ['one length twice', framed('Content-Length: 5\r\nContent-Length: 5\r\n'), ['bad_request']],
    ['a list of lengths', framed('Content-Length: 5, 5\r\n'), ['bad_request']],
    ['a length with a sign', framed('Content-Length: +5\r\n'), ['bad_request']],
    ['a negative length', framed('Content-Length: -5\r\n'), ['bad_request']],
    ['a length beyond 64 bits', framed('Content-Length: 99999999999999999999\r\n'), ['bad_request']],
    ['a length of 9 GB', framed('Content-Length: 9000000000\r\n'), ['body_too_large']],
    ['a bad chunk size', framed('Transfer-Encoding: chunked\r\n', 'ZZ\r\n'), ['bad_request']],
    ['a chunk extension of 100 KB', framed('Transfer-Encoding: chunked\r\n', `5;${'a'.repeat(100_000)}\r\n`), ['bad_request']],
    ['160 KB in chunks', framed('Transfer-Encoding: chunked\r\n', `2000\r\n${'a'.repeat(8192)}\r\n`.repeat(20)), ['body_too_large']],
    ['trailers', framed('Transfer-Encoding: chunked\r\n', `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\nX-API-Key: b\r\n\r\n`), ['200']],
    ['a folded header', request({ headers: 'X-A: b\r\n c\r\n' }), ['bad_request']],
    ['bare line feeds', request({}).replaceAll('\r\n', '\n'), ['bad_request']],
    ['a space before the colon', request({ headers: 'X-A : b\r\n' }), ['bad_request']],
    ['no Host', request({ without: 'Host' }), ['bad_request']],
    ['two Hosts', request({ headers: 'Host: y\r\n' }), ['bad_request']],
    ['HTTP/0.9', 'GET /openapi.json\r\n\r\n', ['bad_request']],
    ['HTTP/2 out of nowhere', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ['bad_request']],
    ['a request behind a bad one', framed('Content-Length: 5\r\nContent-Length: 6\r\n') + request({}), ['bad_request']],
    ['20 KB of headers', request({ headers: `X-A: ${'a'.repeat(20_000)}\r\n` }), ['body_too_large']],
    ['3,000 headers', request({ headers: 'a:\r\n'.repeat(3000) }), ['body_too_large']],
    ['an expectation of something', request({ headers: 'Expect: foo\r\n' }), ['200']],
    ['100-continue', request({ headers: 'Expect: 100-continue\r\n' }), ['200']],
    ['an upgrade to h2c', request({ headers: 'Upgrade: h2c\r\nConnection: Upgrade\r\n' }), ['200']],
    ['two keys', request({ headers: `X-API-Key: ${KEY}\r\n` }), ['key_malformed']],
    ['a key of 10 KB', request({ without: 'X-API-Key', headers: `X-API-Key: ${'k'.repeat(10_000)}\r\n` }), ['key_malformed']],
    ['a key as SQL', request({ without: 'X-API-Key', headers: "X-API-Key: ' OR 1=1 --\r\n" }), ['key_malformed']],
  ])('%s', async (_what, octets, outcomes) => {
    expect(await answersTo(octets)).toEqual(outcomes);
  });

  it('three requests in one packet get three answers in their order', async () => {
    const open = (body: string) => request({ body }).replace('Connection: close\r\n', '');
    expect(await answersTo(open('{"host":1}') + open('{}') + request({ body: '[]' }))).toEqual([
      'invalid_parameter',
      'missing_parameter',
      'malformed_json',
    ]);
  });
});

describe('methods and paths', () => {
  it.each(['GET', 'OPTIONS', 'TRACE', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY'])('%s of an operation: use POST', async (method) => {
    expect(await answersTo(request({ method }))).toEqual(['method_not_allowed']);
  });
  it('HEAD tells the same, without a body', async () => {
    const head = await world.raw([request({ method: 'HEAD' })]);
    expect(head).toMatch(/^HTTP\/1\.1 405 [^]*\r\nallow: POST\r\n[^]*\r\n\r\n$/);
  });
  it.each(['FOO', 'post'])('%s is no method', async (method) => {
    expect(await answersTo(request({ method }))).toEqual(['bad_request']);
  });
  it.each(
    [
      ['/v2/ping-test/', '//v2/ping-test', '/v2//ping-test', '/v2/./ping-test', '/v2/x/../ping-test', '/V2/ping-test', '/v2/PING-TEST'],
      ['/v2/%', '/v2/%zz', '/v2/%c0%ae', '/v2/ping-test%00', '/v2/ping-test;x=1', '/v2/constructor', '/v2/__proto__'],
      ['/metrics', '/readyz', '/admin/keys', '/docs/..%2f..%2fpackage.json', '/docs/js/../../package.json'],
    ].flat(),
  )('there is no %s', async (path) => {
    expect(await answersTo(request({ path }))).toEqual(['unknown_operation']);
    expect(await answersTo(request({ path, method: 'GET', body: '' }))).toEqual(['unknown_operation']);
  });
  it('there is nothing at a path of 8 KB', async () => {
    expect(await answersTo(request({ path: `/v2/${'a'.repeat(8000)}` }))).toEqual(['unknown_operation']);
  });
  it('a NUL in the path', async () => {
    expect(await answersTo(request({ path: '/v2/ping-test\0' }))).toEqual(['bad_request']);
  });
});

describe('event streams', () => {
  const accepted = async (accept: string) => {
    const response = await world.post('ping-test', BODY, { accept });
    const type = response.headers.get('content-type');
    await response.text();
    return type;
  };
  it.each([
    ['text/event-stream', 'text/event-stream; charset=utf-8'],
    ['application/json, TEXT/Event-Stream; q=0.5', 'application/json; charset=utf-8'],
    ['text/event-stream;q=0', 'application/json; charset=utf-8'],
    ['text/event-streams', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
  ])('%s: %s', async (accept, type) => {
    expect(await accepted(accept)).toBe(type);
  });
  it('4,000 accepted types', async () => {
    expect(await accepted('a,'.repeat(4000))).toBe('application/json; charset=utf-8');
  });
  it('tells its quota, its cost and its id', async () => {
    const { headers } = await world.post('ping-test', BODY, { accept: 'text/event-stream' });
    expect(headers.get('x-service-quota')).toMatch(/^limit=1000000, remaining=\d+, reset=\d+, cost=5$/);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
  it.each([
    ['ping-test', { host: '10.0.0.1' }, 400, 'private_address'],
    ['ping-test', { host: 'nosuch.hostile-lab.com', locations: ['nowhere'] }, 400, 'unknown_location'],
    ['vpn-test', { url: 'http://nosuch.hostile-lab.com/' }, 503, 'no_vpn_exit'],
  ])('an error before the work is a status: %s %j', async (operation, body, status, code) => {
    const response = await world.post(operation, body, { accept: 'text/event-stream' });
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
    expect(response.headers.get('x-service-quota')).toMatch(/, cost=0$/);
  });
  it('an error after the headers is the last event, and a limited target costs nothing', async () => {
    const hanging = new AbortController();
    const url = (n: number) => `${world.site.url}/hangs?${n}`;
    const taken = [1, 2, 3, 4, 5].map((n) => world.post('geo-request', { url: url(n), locations: ['eu-fra'] }, {}, hanging.signal));
    await expect.poll(() => world.site.requests).toBe(5);
    const more = (headers: Record<string, string>) => world.post('geo-request', { url: url(6), locations: ['eu-fra'] }, headers);
    const refused = await more({});
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      429,
      '1',
      { error: API_ERRORS.target_limited.sentence, code: 'target_limited' },
    ]);
    expect(refused.headers.get('x-service-quota')).toMatch(/, cost=0$/);
    const events = await (await more({ accept: 'text/event-stream' })).text();
    const error = `event: error\ndata: {"error":"${API_ERRORS.target_limited.sentence}","code":"target_limited"}\n\n`;
    expect(events.slice(events.lastIndexOf('event:'))).toBe(error);
    hanging.abort();
    await Promise.allSettled(taken);
  });
});

describe('the deprecated paths', () => {
  it.each([
    ['no key', 'host=127.0.0.2', 401, 'key_missing'],
    ['two keys', `key=${KEY}&key=${KEY}&host=127.0.0.2`, 401, 'key_missing'],
    ['a key in brackets', `key[]=${KEY}&host=127.0.0.2`, 401, 'key_missing'],
    ['a parameter twice', `key=${KEY}&host=10.0.0.1&host=127.0.0.2`, 400, 'invalid_parameter'],
    ['__proto__', `key=${KEY}&__proto__=1&host=127.0.0.2`, 400, 'unknown_parameter'],
    ['constructor', `key=${KEY}&constructor=1&host=127.0.0.2`, 400, 'unknown_parameter'],
    ['a private address', `key=${KEY}&host=10.0.0.1`, 400, 'private_address'],
    ['1,500 parameters', `key=${KEY}&${Array.from({ length: 1500 }, (_, i) => `p${i}`).join('&')}`, 400, 'unknown_parameter'],
  ])('%s', async (_what, query, status, code) => {
    const response = await fetch(`${world.vedette.url}/v1/ping-test/v1/pay-as-you-go/?${query}`, { headers: world.somebody() });
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
  });
});

it('slow senders are cut off while the others are served', async () => {
  const halves = Array.from({ length: 60 }, (_, i) =>
    i % 3 === 0
      ? ''
      : i % 3 === 1
        ? `POST /v2/ping-test HTTP/1.1\r\nHost: x\r\nX-A: `
        : request({ body: '{' }).replace('Length: 1', 'Length: 500'),
  );
  const slow = halves.map((half) => world.raw(half === '' ? [] : [half], 20_000));
  const allCutOff = Promise.all(slow);
  const serve = async () => {
    expect((await world.post('dns-lookup', { host: 'good.hostile-lab.com', dns_types: 'A' })).status).toBe(200);
    return 'served';
  };
  let served = 0;
  while ((await Promise.race([allCutOff, serve()])) === 'served') served++;
  expect(served).toBeGreaterThan(60);
  const body = JSON.stringify({ error: API_ERRORS.request_timeout.sentence, code: 'request_timeout' });
  for (const answer of await allCutOff) expect([answer.slice(0, 13), answer.slice(answer.indexOf('{'))]).toEqual(['HTTP/1.1 408 ', body]);
});

it('nothing of all this was a defect of ours, and no key is in the log', () => {
  expect(
    world
      .log()
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line)),
  ).toEqual([]);
  expect(world.log().includes(KEY)).toBe(false);
});

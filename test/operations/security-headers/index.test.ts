import { type Dialler, isSpecialUseName, ProbeFailure } from '@vedette/contract';
import { createNames, HSTS_PRELOAD, PreloadedBuilder } from '@vedette/intel/names';
import { operations } from '@vedette/operations';
import type { CentralOperation } from '@vedette/operations/kit';
import { refusing } from '@vedette/probes/dns';
import { createAddressPolicy } from '@vedette/probes/host';
import { createDialler, systemClock } from '@vedette/probes/net';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fakeResolver, type FakeZone } from '../../intel/fake-resolver.ts';
import { answer, type Opened } from '../answer.ts';
import { expectExample } from '../example.ts';
import { SHUT } from '../shut.ts';
import { type HeaderSites, HOSTS, startHeaderSites } from './sites.ts';

const securityHeaders = operations.find(({ name }) => name === 'security-headers') as CentralOperation<any, any, any, any>;

let sites: HeaderSites;
beforeAll(async () => {
  sites = await startHeaderSites();
});
beforeEach(() => {
  sites.requests.length = 0;
});
afterAll(() => sites[Symbol.asyncDispose]());

const HERE = { A: ['127.0.0.1'] };
const ZONE: FakeZone = {
  ...Object.fromEntries(HOSTS.map((host) => [host, HERE])),
  'inner.test': { A: ['10.0.0.7'] },
  'nothing.test': HERE,
  'www.example.org': HERE,
};

function opened(more: Partial<Opened> = {}): Opened {
  const inner = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) });
  const dialler: Dialler = {
    ...inner,
    tcp: (options) =>
      inner.tcp({ ...options, port: options.port === 443 ? sites.httpsPort : options.port === 80 ? sites.httpPort : options.port }),
  };
  return {
    ...SHUT,
    resolver: refusing(fakeResolver(ZONE), isSpecialUseName),
    dialler,
    clock: systemClock,
    ca: [sites.root],
    today: () => new Date(),
    ...more,
  };
}

const schema = Compile(securityHeaders.response);
async function headersOf(url: string, { more = {}, ...parameters }: { follow_redirects?: boolean; more?: Partial<Opened> } = {}) {
  const report: any = await answer(securityHeaders, { url, ...parameters }, opened(more));
  expect([...schema.Errors(report)]).toEqual([]);
  const results = Object.fromEntries(report.tests.map(({ name, result }: { name: string; result: string }) => [name, result]));
  return { report, results };
}

describe('security-headers', () => {
  it('gives a strict site all points, over two visits and one preflight', async () => {
    const { report, results } = await headersOf('https://strict.test/');
    expect(report).toMatchObject({ final_url: 'https://strict.test/', status_code: 200, scored: true, score: 155, grade: 'A+', tests_failed: 0, problems: [] }); // prettier-ignore
    expect(results).toMatchObject({
      'content-security-policy': 'csp-implemented-with-no-unsafe-default-src-none',
      cookies: 'cookies-secure-with-httponly-sessions-and-samesite',
      redirection: 'redirection-to-https',
    });
    expect(report.hsts).toEqual({ max_age: 63_072_000, include_subdomains: true, preload: true, preload_eligible: true, preloaded: false });
    expect(report.cookies).toEqual([
      { name: '__Host-sess', domain: 'strict.test', host_only: true, path: '/', secure: true, http_only: true, same_site: 'lax', prefix: '__Host-', rejected: false },
    ]); // prettier-ignore
    expect(report).toMatchObject({ issues_found: [], missing: ['permissions-policy'], deprecated: [], permissions_policy: [] });
    expect(report.csp[0]).toMatchObject({
      disposition: 'enforce',
      source: 'header',
      directives: [{ name: 'default-src', values: ["'none'"] }, {}, {}, {}, {}],
    });
    expect(report.raw_headers['referrer-policy']).toEqual(['no-referrer']);
    // Of the way from http only the first step is new.
    expect(sites.requests).toEqual(['GET https strict.test /', 'GET http strict.test /', 'OPTIONS https strict.test /']);
  });

  it('gives a bare site none, and says what to send', async () => {
    const { report, results } = await headersOf('https://bare.test/');
    expect(report).toMatchObject({ scored: true, score: 10, grade: 'F' });
    expect(results).toMatchObject({ redirection: 'redirection-missing', 'strict-transport-security': 'hsts-not-implemented' });
    expect(report.tests.find(({ name }: { name: string }) => name === 'strict-transport-security')).toMatchObject({
      score_modifier: -20,
      passed: false,
      send: 'Strict-Transport-Security: max-age=31536000; includeSubDomains',
    });
  });

  it('judges the page where redirects lead, or the first answer where it is to', async () => {
    const { report, results } = await headersOf('https://moved.test/');
    expect(report).toMatchObject({ final_url: 'https://www.moved.test/', grade: 'A+' });
    expect(report.redirects).toEqual(['http://moved.test/', 'https://moved.test/', 'https://www.moved.test/']);
    expect(results['cookies']).toBe('cookies-without-secure-flag-but-protected-by-hsts');
    const { report: first } = await headersOf('https://moved.test/', { follow_redirects: false });
    expect(first).toMatchObject({ final_url: 'https://moved.test/', status_code: 301 });
    expect(first.redirects).toEqual(['http://moved.test/', 'https://moved.test/']);
  });

  it('sees that any site may read the page with the cookies of its visitor', async () => {
    const { results } = await headersOf('https://open.test/');
    expect(results['cross-origin-resource-sharing']).toBe('cross-origin-resource-sharing-implemented-with-universal-access');
  });

  it('reads the policies and scripts of the page itself', async () => {
    const { results } = await headersOf('https://meta.test/');
    expect(results).toMatchObject({
      'content-security-policy': 'csp-implemented-with-no-unsafe',
      'referrer-policy': 'referrer-policy-private',
      'subresource-integrity': 'sri-not-implemented-but-external-scripts-loaded-securely',
    });
  });

  it('judges a site without https by http', async () => {
    const { report, results } = await headersOf('https://plain.test/');
    expect(report.final_url).toBe('http://plain.test/');
    expect(results).toMatchObject({
      'strict-transport-security': 'hsts-not-implemented-no-https',
      'x-frame-options': 'x-frame-options-sameorigin-or-deny',
    });
  });

  it('takes no HSTS from an invalid certificate', async () => {
    const { results } = await headersOf('https://expired.test/');
    expect(results).toMatchObject({ 'strict-transport-security': 'hsts-invalid-cert', redirection: 'redirection-invalid-cert' });
  });

  it('judges a page that wants a log-in, and does not follow what a page does later', async () => {
    expect((await headersOf('https://login.test/')).report).toMatchObject({ scored: true, status_code: 401, grade: 'A+' });
    expect((await headersOf('https://refreshed.test/')).report).toMatchObject({ final_url: 'https://refreshed.test/' });
  });

  it.each([
    ['strict.test', true, 'hsts-preloaded'],
    ['other.test', false, 'hsts-implemented-max-age-at-least-six-months'],
  ])('with the list of preloaded names, which has %s, says whether browsers ship the name', async (listed, preloaded, result) => {
    const names = createNames();
    const builder = new PreloadedBuilder();
    builder.add(listed, '1');
    names.setList(HSTS_PRELOAD, await builder.build(() => Promise.resolve()));
    const { report, results } = await headersOf('https://strict.test/', { more: { names } });
    expect(report.hsts.preloaded).toBe(preloaded);
    expect(report.not_checked).not.toContain('hsts.preloaded');
    expect(results['strict-transport-security']).toBe(result);
  });

  it('does not call a name unlisted by an old list, which may lack new names', async () => {
    const names = createNames();
    const builder = new PreloadedBuilder();
    builder.add('old.test', '1');
    builder.add('strict.test', '1');
    names.setList(HSTS_PRELOAD, await builder.build(() => Promise.resolve()));
    const lists = { staleSince: (list: string) => (list === HSTS_PRELOAD ? '2026-06-01' : ''), isAwaited: () => false };
    const listed = await headersOf('https://strict.test/', { more: { names, lists } });
    expect([listed.report.hsts.preloaded, listed.report.not_checked]).toEqual([true, []]);
    const other = await headersOf('https://login.test/', { more: { names, lists } });
    expect([other.report.hsts.preloaded, other.report.not_checked]).toEqual([false, ['hsts.preloaded']]);
  });

  it('leaves out a test whose question nothing answers', async () => {
    const { report, results } = await headersOf('https://mute.test/');
    expect(results['cross-origin-resource-sharing']).toBeUndefined();
    expect(report).toMatchObject({ scored: true, not_checked: ['hsts.preloaded', 'tests.cross-origin-resource-sharing'] });
    expect(report.problems).toEqual([expect.stringMatching(/^No answer to OPTIONS: ./)]);
    expect(report.tests_passed + report.tests_failed).toBe(11);
  });

  it.each([
    ['is down', 'down.test', 'https://down.test/', 'redirection-to-https'],
    ['may not be asked', 'http-to-gov.test', 'https://www.irs.gov/', 'redirection-off-host-from-http'],
  ])('judges a redirect by its target, though that %s', async (_what, host, target, result) => {
    const { report, results } = await headersOf(`http://${host}/`);
    expect(results['redirection']).toBe(result);
    expect(report.redirects).toEqual([`http://${host}/`, target]);
  });

  it('says where it has not scored all policies', async () => {
    const { report } = await headersOf('https://crowded.test/');
    expect(report.problems).toEqual([
      'Only the first policies were scored: at most 20, with 65536 characters',
      'The policies are too many or too long: there are no findings about them',
    ]);
  });

  it('asks a port of its own by its own scheme alone', async () => {
    const { report, results } = await headersOf(`http://plain.test:${sites.httpPort}/`);
    expect(report.final_url).toBe(`http://plain.test:${sites.httpPort}/`);
    expect(results['strict-transport-security']).toBeUndefined();
    expect(report.not_checked).toEqual(['hsts.preloaded', 'tests.strict-transport-security', 'hsts']);
    expect(report.problems).toEqual(['Nothing was asked over https: its port is not known']);
    expect(sites.requests.filter((line) => line.startsWith('GET'))).toHaveLength(1);
  });
});

describe('a site without a score', () => {
  it.each([
    ['that answers with an error', 'https://broken.test/', 500, 'Without a score: the site answers with HTTP 500'],
    ['whose guard answers', 'https://guarded.test/', 403, 'Without a score: Cloudflare answered in its place'],
    ['that does not answer', 'https://nothing.test/', 0, 'Without a score: the site does not answer'],
    ['whose name does not exist', 'https://absent.test/', 0, 'Without a score: the site does not answer'],
  ])('is one %s', async (_what, url, status, problem) => {
    const { report } = await headersOf(url);
    expect(report).toMatchObject({ scored: false, score: 0, grade: '', tests: [], status_code: status });
    expect(report.problems[0]).toBe(problem);
    expect(sites.requests.filter((line) => line.startsWith('OPTIONS'))).toEqual([]);
  });
});

describe('where it may not go', () => {
  it('stops at an inner address and at a government, and judges the redirect', async () => {
    for (const [host, problem] of [['inside.test', '10.0.0.7'], ['to-gov.test', 'irs.gov']] as const) {
      const { report } = await headersOf(`https://${host}/`);
      expect(report).toMatchObject({ scored: true, status_code: 301, final_url: `https://${host}/` });
      expect(report.problems.some((text: string) => text.includes(problem))).toBe(true);
    } // prettier-ignore
  });

  it.each([
    ['a name with an inner address', 'https://inner.test/', {}, 'private_address'],
    ['a name that its owner has opted out', 'https://strict.test/', { isOptedOut: () => Promise.resolve(true) }, 'denied_target'],
  ])('refuses %s', async (_what, url, more, code) => {
    await expect(headersOf(url, { more })).rejects.toMatchObject({ code });
    expect(sites.requests).toEqual([]);
  });

  it('has a free error with its name where this machine has no network', async () => {
    const dialler = { ...opened().dialler, tcp: () => Promise.reject(new ProbeFailure('no_network', 'ENETUNREACH')) };
    await expect(headersOf('https://strict.test/', { more: { dialler } })).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});

it('answers as the example', async () => {
  await expectExample(
    'security-headers',
    { url: 'https://strict.test/' },
    (request) => answer(securityHeaders, request, opened()) as Promise<object>,
  );
});

import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createAddressPolicy } from '@vedette/probes/host';
import { markRoots, readEvidence } from '@vedette/mail/bimi';
import { createDialler, systemClock } from '@vedette/probes/net';
import * as fc from 'fast-check';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeEvidence } from '../../../packages/operations/src/bimi-validator/describe.ts';
import { bimiValidator } from '../../../packages/operations/src/bimi-validator/index.ts';
import type { FakeZone } from '../../intel/fake-resolver.ts';
import { LOGO, makeMarkPki, PRIOR_USE } from '../../mail/bimi/mark-pki.ts';
import { mailContext } from '../../intel/mail-context.ts';
import { makePki } from '../../probes/http/certificates.ts';
import { listen } from '../../probes/http/raw-server.ts';
import { answer, read } from '../answer.ts';
import { runs } from '../../runs.ts';

const marks = makeMarkPki();
const web = makePki({ a: { names: 'DNS:a.test' } });
afterAll(() => {
  marks[Symbol.dispose]();
  web[Symbol.dispose]();
});

/** What the servers have, by path. */
const files = new Map<string, Buffer | RequestListener>();
const serve: RequestListener = (request, response) => {
  const file = files.get(request.url ?? '');
  if (typeof file === 'function') return file(request, response);
  response.statusCode = file ? 200 : 404;
  response.end(file);
};
const credentials = { key: readFileSync(join(web.folder, 'a.key')), cert: readFileSync(join(web.folder, 'a.pem')) };

let servers: AsyncDisposableStack;
let origin = '';
let crl = '';
beforeAll(async () => {
  servers = new AsyncDisposableStack();
  origin = `https://a.test:${servers.use(await listen(createHttpsServer(credentials, serve))).port}`;
  crl = `http://a.test:${servers.use(await listen(createHttpServer(serve))).port}/list.crl`;
});
afterAll(() => servers.disposeAsync());

const record = (logo = '/logo.svg', pem = '/vmc.pem') => `v=BIMI1; l=${origin}${logo}; a=${origin}${pem}`;
const zone = (text: string): FakeZone => ({
  'default._bimi.a.test': { TXT: [text] },
  '_dmarc.a.test': { TXT: ['v=DMARC1; p=reject'] },
  'a.test': { A: ['127.0.0.1'] },
});

/** Real sockets to loopback, and to nothing at all where `allowNets` is empty. */
const contextOf = (names: FakeZone, allowNets = ['127.0.0.0/8']) => {
  const { context, dns } = mailContext(names);
  const dialler = createDialler({ policy: createAddressPolicy({ allowNets }) });
  return { dns, context: { ...context, clock: systemClock, dialler, ca: [marks.root, web.root] } };
};
const run = (text: string, allowNets?: string[]) => answer(bimiValidator, { host: 'a.test' }, contextOf(zone(text), allowNets).context);

const NO_LOGO = { url: '', version: '', baseprofile: '', title: '', status_code: 0, valid: false, file_size_bytes: 0, error: '' };
const NO_NAME = { common_name: '', organization: '', country: '', state: '', location: '' };
const NO_CERTIFICATE = {
  url: '',
  status_code: 0,
  expired: false,
  valid: false,
  issued_to: { ...NO_NAME, alternative_names: [] },
  issuer: NO_NAME,
  signature: { serial: '', serial_hex: '', type: '' },
  validity: { days_left: 0, valid_from_timestamp: 0, valid_to_timestamp: 0, valid_from: '', valid_to: '' },
  trademark: { found: false, country: '', id: '' },
  mark_type: '',
  revocation: '',
  revocation_error: '',
  error: '',
};

describe('bimi-validator', () => {
  it('reports record, logo and certificate', async () => {
    const vmc = marks.issue({ crl });
    files
      .set('/logo.svg', LOGO)
      .set('/vmc.pem', Buffer.from(vmc))
      .set('/list.crl', Buffer.from(marks.crl([])));
    const { context, dns } = contextOf({ ...zone(record()), 'default._bimi.a.test': { CNAME: ['b.test'] }, 'b.test': { TXT: [record()] } });
    const report = await answer(bimiValidator, { host: 'A.test' }, context);
    expect(report).toEqual({
      selector: 'default',
      host: 'a.test',
      bimi_host: 'default._bimi.a.test',
      cname_target: 'b.test',
      has_bimi_record: true,
      bimi_record: record(),
      bimi_records_count: 1,
      version: 'BIMI1',
      svg_logo: {
        url: `${origin}/logo.svg`,
        version: '1.2',
        baseprofile: 'tiny-ps',
        title: 'A Inc',
        status_code: 200,
        valid: true,
        file_size_bytes: LOGO.length,
        error: '',
      },
      vmc_certificate: {
        url: `${origin}/vmc.pem`,
        status_code: 200,
        expired: false,
        valid: true,
        issued_to: {
          common_name: 'A Inc',
          organization: 'A Inc',
          country: 'US',
          state: 'Utah',
          location: 'Lehi',
          alternative_names: ['a.test'],
        },
        issuer: { ...NO_NAME, common_name: 'Mark CA of tests' },
        signature: {
          serial: BigInt(`0x${report.vmc_certificate.signature.serial_hex}`).toString(),
          serial_hex: expect.stringMatching(/^[0-9A-F]{16,}$/),
          type: 'ecdsa-with-SHA256',
        },
        validity: {
          days_left: 8_441,
          valid_from_timestamp: 1_735_689_600,
          valid_to_timestamp: 2_524_521_600,
          valid_from: '2025-01-01 00:00:00',
          valid_to: '2049-12-31 00:00:00',
        },
        trademark: { found: true, country: 'US', id: '1234567' },
        mark_type: 'Registered Mark',
        revocation: 'unknown', // the intermediate names no list
        revocation_error: 'The certificate names neither a revocation list nor an OCSP responder',
        error: '',
      },
      issues_found: [{ code: 'BIMI_VIA_CNAME', type: 'information', message: expect.stringContaining('b.test') }],
      valid: true,
      declined: false,
      organizational_domain: 'a.test',
      dmarc_enforced: true,
      dns_error: '',
    });
    expect(Check(bimiValidator.response, report)).toBe(true);
    expect(dns.queries.length).toBeLessThanOrEqual(6);
  });

  it('reports that there is none, with every field', async () => {
    expect(await answer(bimiValidator, { host: 'a.test', selector: 'X' }, mailContext({}).context)).toEqual({
      selector: 'x',
      host: 'a.test',
      bimi_host: 'x._bimi.a.test',
      cname_target: '',
      has_bimi_record: false,
      bimi_record: '',
      bimi_records_count: 0,
      version: '',
      svg_logo: NO_LOGO,
      vmc_certificate: NO_CERTIFICATE,
      issues_found: [{ code: 'BIMI_NOT_FOUND', type: 'error', message: expect.stringContaining('x._bimi.a.test') }],
      valid: false,
      declined: false,
      organizational_domain: 'a.test',
      dmarc_enforced: false,
      dns_error: '',
    });
  });

  it('takes a declination for valid, and fetches nothing', async () => {
    expect(await answer(bimiValidator, { host: 'a.test' }, mailContext(zone('v=BIMI1; l=; a=;')).context)).toMatchObject({
      valid: true,
      declined: true,
      issues_found: [],
      svg_logo: NO_LOGO,
      vmc_certificate: NO_CERTIFICATE,
    });
  });

  it('says revoked when an issuer does, and unknown when its list is not there or is another one', async () => {
    const [leaf, other] = [marks.issue({ crl, issuer: 'root' }), marks.issue({ issuer: 'root' })];
    files.set('/logo.svg', LOGO).set('/vmc.pem', Buffer.from(leaf));
    const state = async (list: Uint8Array | undefined) => {
      if (list) files.set('/list.crl', Buffer.from(list));
      else files.delete('/list.crl');
      const { vmc_certificate, issues_found } = await run(record());
      return [vmc_certificate.revocation, vmc_certificate.valid, issues_found.map(({ code }) => code), vmc_certificate.revocation_error];
    };
    expect(await state(marks.crl([other], { issuer: 'root' }))).toEqual(['good', true, [], '']);
    expect(await state(marks.crl([leaf], { issuer: 'root' }))).toEqual(['revoked', false, ['INVALID_PEM_CERT_FILE'], '']);
    expect(await state(marks.crl([leaf]))).toEqual(['unknown', true, [], expect.stringContaining('it is of another authority')]);
    expect(await state(undefined)).toEqual(['unknown', true, [], expect.stringContaining('status 404')]);
  });

  it('asks no list of an issuer that nobody trusts', async () => {
    let asked = 0;
    files.set('/list.crl', (_request, response) => {
      asked++;
      response.end();
    });
    files.set('/logo.svg', LOGO).set('/vmc.pem', Buffer.from(marks.issue({ crl, issuer: 'stranger' })));
    expect((await run(record())).vmc_certificate).toMatchObject({ valid: false, revocation: '', revocation_error: '' });
    expect(asked).toBe(0);
  });

  it('takes svgz, a Common Mark Certificate, and says what may not count everywhere', async () => {
    files.set('/logo.svgz', gzipSync(LOGO)).set('/cmc.pem', Buffer.from(marks.issue({ subject: PRIOR_USE })));
    expect(await run(record('/logo.svgz', '/cmc.pem'))).toMatchObject({
      svg_logo: { valid: true, title: 'A Inc' },
      vmc_certificate: { valid: true, trademark: { found: false, country: '', id: '' }, mark_type: 'Prior Use Mark' },
      issues_found: [{ code: 'PEM_CERT_FILE_HAS_NO_TRADEMARK', type: 'warning' }],
      valid: true,
    });
  });

  it('judges the logo inside the certificate where l= is empty', async () => {
    files.set('/vmc.pem', Buffer.from(marks.issue()));
    expect(await run(`v=BIMI1;l=;a=${origin}/vmc.pem`)).toMatchObject({
      svg_logo: {
        url: '',
        version: '1.2',
        baseprofile: 'tiny-ps',
        title: 'A Inc',
        valid: true,
        status_code: 0,
        file_size_bytes: LOGO.length,
        error: '',
      },
      vmc_certificate: { valid: true },
      issues_found: [{ code: 'MISSING_L_TAG', type: 'warning' }],
      valid: true,
      declined: false,
    });
  });

  it.each(['v=BIMI1;l=;l=;', 'v=BIMI1;l=;a=;a=', 'v=BIMI1;l=;\u00a0a=', 'v=BIMI1;l=;;a=', 'v=BIMI1;l=;a=;avp=x', 'l=;a=;'])(
    'says that no record declines that is not valid: %j',
    async (text) => {
      expect(await answer(bimiValidator, { host: 'a.test' }, contextOf(zone(text)).context)).toMatchObject({
        valid: false,
        declined: false,
      });
    },
  );

  it('says why no logo is shown where DMARC is not enforced, and the record is right all the same', async () => {
    files.set('/logo.svg', LOGO).set('/vmc.pem', Buffer.from(marks.issue()));
    const { context } = contextOf({ ...zone(record()), '_dmarc.a.test': { TXT: ['v=DMARC1; p=none'] } });
    expect(await answer(bimiValidator, { host: 'a.test' }, context)).toMatchObject({
      issues_found: [{ code: 'DMARC_NOT_ENFORCED', type: 'warning', message: expect.stringContaining('_dmarc.a.test comes to p=none') }],
      dmarc_enforced: false,
      valid: true,
    });
  });

  it('never says that DMARC is enforced while the organizational domain does not answer', async () => {
    const { context } = mailContext({
      'default._bimi.s.a.test': { TXT: ['v=BIMI1; l=https://unanswered.test/l.svg'] },
      '_dmarc.s.a.test': { TXT: ['v=DMARC1; p=reject'] },
      '_dmarc.a.test': 'SERVFAIL',
    });
    expect(await answer(bimiValidator, { host: 's.a.test' }, context)).toMatchObject({
      dmarc_enforced: false,
      issues_found: expect.arrayContaining([
        { code: 'DMARC_NOT_ANSWERED', type: 'warning', message: expect.stringContaining('_dmarc.a.test TXT: ') },
      ]),
      dns_error: expect.stringContaining('_dmarc.a.test TXT: '),
    });
  });

  it.each(['SERVFAIL', 'TIMEOUT'] as const)('never takes %s for a missing record', async (failure) => {
    for (const name of ['default._bimi.a.test', '_dmarc.a.test'])
      expect(await answer(bimiValidator, { host: 'a.test' }, mailContext({ [name]: failure }).context)).toMatchObject({
        has_bimi_record: false,
        valid: false,
        issues_found: [{ code: 'RECORD_NOT_ANSWERED', type: 'error' }],
        dns_error: expect.stringContaining(`${name} TXT: `),
      });
  });

  it('refuses what is no domain or selector', () => {
    expect(() => read(bimiValidator, { host: '192.0.2.1' })).toThrow('host must be a domain name');
    expect(() => read(bimiValidator, { host: `${'a'.repeat(60)}.`.repeat(4) + 'test' })).not.toThrow(); // with no room for a selector
    expect(() => read(bimiValidator, { host: 'a.test', selector: 'a b' })).toThrow('selector must be one or more DNS labels');
  });
});

describe('bimi-validator among hostile servers', () => {
  it.each([
    ['a 50 MB logo', '/huge.svg', 'larger than the limit'],
    ['a logo that unpacks to 50 MB', '/bomb.svg', 'larger than the limit'],
    ['a redirect to an inner address', '/inside.svg', 'not a public one'],
    ['a redirect to plain http', '/down.svg', 'http: is not allowed here'],
    ['a circle of redirects', '/circle.svg', 'more than 3 redirects'],
    ['a missing logo', '/none.svg', 'status 404'],
  ])('%s', async (_case, path, says) => {
    files.set('/huge.svg', (_request, response) => void response.end(Buffer.alloc(50_000_000)));
    files.set('/bomb.svg', (_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(Buffer.alloc(50_000_000)));
    });
    const redirect =
      (location: string): RequestListener =>
      (_request, response) =>
        void response.writeHead(302, { location }).end();
    files.set('/inside.svg', redirect('https://10.0.0.1/logo.svg'));
    files.set('/down.svg', redirect('http://a.test/logo.svg'));
    files.set('/circle.svg', redirect('/circle.svg'));
    files.set('/vmc.pem', Buffer.from(marks.issue()));
    const { svg_logo, issues_found, valid } = await run(record(path));
    expect({ svg_logo, issues_found, valid }).toMatchObject({
      svg_logo: { valid: false, error: expect.stringContaining(says) },
      issues_found: [{ code: 'INVALID_SVG_FILE', type: 'error', message: expect.stringContaining(says) }],
      valid: false,
    });
  });

  it('an svgz that unpacks to 50 MB is no logo', async () => {
    files.set('/bomb.svgz', gzipSync(Buffer.alloc(50_000_000))).set('/vmc.pem', Buffer.from(marks.issue()));
    expect(await run(record('/bomb.svgz'))).toMatchObject({
      svg_logo: { valid: false, status_code: 200 },
      issues_found: [{ code: 'INVALID_SVG_FILE', message: expect.stringContaining('cannot be unpacked') }],
    });
  });

  it.each<[string, string, FakeZone]>([
    ['a name on the deny-list', '/logo.svg', {}],
    ['an alias of a name on the deny-list', '/logo.svg', { 'a.test': { CNAME: ['denied.test'] }, 'denied.test': { A: ['127.0.0.1'] } }],
    ['what redirects to a name on the deny-list', '/denied.svg', {}],
  ])('downloads nothing from %s', async (_case, path, names) => {
    const isDenied = (host: string) => host === (Object.keys(names).length === 0 && path === '/logo.svg' ? 'a.test' : 'denied.test');
    let served = 0;
    const counted: RequestListener = (_request, response) => {
      served++;
      if (path === '/denied.svg') response.writeHead(302, { location: 'https://denied.test/logo.svg' });
      response.end(LOGO);
    };
    files.set('/logo.svg', counted).set('/denied.svg', counted);
    const { context, dns } = contextOf({ ...zone(`v=BIMI1; l=${origin}${path}`), ...names });
    expect(await answer(bimiValidator, { host: 'a.test' }, { ...context, isDenied })).toMatchObject({
      svg_logo: { status_code: 0, error: expect.stringContaining('This target is not allowed') },
      issues_found: [{ code: 'MISSING_A_TAG' }, { code: 'INVALID_SVG_FILE', type: 'error' }],
    });
    expect(served).toBe(path === '/denied.svg' ? 1 : 0);
    expect(dns.queries.filter((query) => query.startsWith('denied.test'))).toEqual([]);
  });

  it('contacts no private address', async () => {
    expect(await run(record(), [])).toMatchObject({
      svg_logo: { status_code: 0, error: expect.stringContaining('not a public one') },
      vmc_certificate: { status_code: 0, error: expect.stringContaining('not a public one') },
      issues_found: [{ code: 'INVALID_SVG_FILE' }, { code: 'INVALID_PEM_CERT_FILE' }],
    });
  });

  it('reports within its time what a slow server does not finish', async () => {
    const slow: RequestListener = (_request, response) => void response.write('<svg');
    files.set('/slow.svg', slow).set('/slow.pem', slow);
    const signal = AbortSignal.timeout(bimiValidator.deadline_ms);
    const { context } = contextOf(zone(record('/slow.svg', '/slow.pem')));
    expect(await answer(bimiValidator, { host: 'a.test' }, { ...context, signal })).toMatchObject({
      svg_logo: { status_code: 0, error: expect.stringContaining('did not finish') },
      vmc_certificate: { status_code: 0, error: expect.stringContaining('did not finish') },
      valid: false,
    });
  });

  it('ends with the request', async () => {
    files.set('/slow.svg', (_request, response) => void response.write('<svg'));
    const { context } = contextOf(zone(record('/slow.svg')));
    const reason = new Error('gone');
    await expect(answer(bimiValidator, { host: 'a.test' }, { ...context, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('takes any text for a record: at most 60 queries and a valid report', async () => {
    const word = fc.constantFrom('v', 'l', 'a', 'avp', '=', ';', ' ', 'BIMI1', ',', 'https://', 'x.test', '127.0.0.1', '/', '%', '\t', ':');
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: word, maxLength: 40 }));
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (rest, versioned) => {
        const { context, dns } = contextOf(zone(versioned ? `v=BIMI1;${rest}` : rest), []);
        expect(Check(bimiValidator.response, await answer(bimiValidator, { host: 'a.test' }, context))).toBe(true);
        expect(dns.queries.length).toBeLessThanOrEqual(60);
      }),
      { numRuns: runs(300) },
    );
  });

  it('describes any certificate', async () => {
    const [, base64 = ''] = /BEGIN CERTIFICATE-----([^-]+)-----/.exec(marks.issue()) ?? [];
    const der = Buffer.from(base64, 'base64');
    const roots = markRoots([marks.root]);
    const now = new Date('2026-11-21T00:00:00Z');
    const damage = fc.array(fc.tuple(fc.nat(500), fc.nat(255)), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        const copy = Buffer.from(der);
        for (const [at, octet] of changes) copy[at] = octet;
        const pem = `-----BEGIN CERTIFICATE-----\n${copy.toString('base64')}\n-----END CERTIFICATE-----\n`;
        const evidence = await readEvidence(Buffer.from(pem), roots, now);
        const described = describeEvidence('', undefined, evidence, { state: '', by: '', error: '' }, now);
        expect(Check(bimiValidator.response.properties.vmc_certificate, described)).toBe(true);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

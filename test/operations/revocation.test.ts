import type { CentralContext } from '@vedette/operations/kit';
import { createAddressPolicy } from '@vedette/probes/host';
import { parseHost } from '@vedette/contract';
import { issuedChain, type SslDetails, sslDetails } from '@vedette/mail/certificates';
import { budgeted } from '@vedette/probes/dns';
import { visitPage } from '@vedette/probes/http';
import { createDialler, systemClock } from '@vedette/probes/net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkRevocation, type Revocation } from '../../packages/operations/src/shared/pages/revocation.ts';
import { hostsResolver } from '../probes/http/loopback-ports.ts';
import { startTlsZoo, type TlsZoo } from '../probes/http/tls-zoo.ts';
import type { Opened } from './answer.ts';
import { SHUT } from './shut.ts';

let zoo: TlsZoo;
beforeAll(async () => {
  zoo = await startTlsZoo();
});
afterAll(() => zoo[Symbol.asyncDispose]());

const open = (hosts: Record<string, string[]> = {}): CentralContext => {
  const opened: Opened = {
    ...SHUT,
    resolver: hostsResolver({ ...Object.fromEntries(zoo.hosts.map((host) => [host, ['127.0.0.1']])), ...hosts }),
    dialler: zoo.dialler(createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) })),
    clock: systemClock,
    ca: [zoo.root],
    today: () => new Date(),
    signal: new AbortController().signal,
  };
  return { ...opened, resolver: budgeted(opened.resolver, { questions: 100, ms: 10_000 }, systemClock) };
};

/** What url-status makes of a host: the hop, what its certificate says, and whether it was revoked. */
async function look(host: string, context = open()) {
  const { hops } = await visitPage({
    ...context, url: `https://${host}/`, now: new Date(), protocol: 'http/1.1', maxBytes: 10_000, maxRedirects: 0, hop_ms: 5_000, total_ms: 5_000, refuse: () => {}, isOptedOut: () => Promise.resolve(false),
  }); // prettier-ignore
  const { tls, failure, head } = hops[0]!;
  const valid = tls?.certificate.valid ?? false;
  const details = sslDetails(tls && { leaf: tls.leaf.raw, host: parseHost(host)!, valid }, new Date());
  return { tls, failure, status: head?.status ?? 0, error: tls?.certificate.error ?? '', details };
}

/** A text with this in it; an empty one only where it is empty. */
const saying = (part: string) => expect.toSatisfy((text: string) => (part === '' ? text === '' : text.includes(part)), `says "${part}"`);

const NEITHER = 'The certificate names neither a revocation list nor an OCSP responder';

describe('what is shown', () => {
  it.each<[string, number, string, Partial<SslDetails>]>([
    ['good.test', 200, '', { valid: true, name_match: true, self_signed: false, type: 'DV', key_size: 256, ssl_errors: false }],
    ['complete.test', 200, '', { valid: true }],
    ['needs-sni.test', 200, 'is for good.test, not for needs-sni.test', { name_match: false }],
    ['expired.test', 200, 'has expired', { valid: false, expired: true, name_match: true, self_signed: false, valid_days_left: 0 }],
    ['not-yet.test', 200, 'is not valid yet', { valid: false, expired: false }],
    ['self-signed.test', 200, 'is self-signed', { valid: false, self_signed: true, name_match: true }],
    ['private-ca.test', 200, 'unknown issuer', { valid: false, self_signed: false, name_match: true }],
    ['wrong-name.test', 200, 'is for somebody-else.test', { valid: false, name_match: false, expired: false, ssl_errors: true }],
    ['no-names.test', 200, 'is for no name', { valid: false, name_match: false }],
    ['www.wildcard.test', 200, '', { valid: true, name_match: true }],
    ['wildcard.test', 200, 'is for *.wildcard.test, not for wildcard.test', { valid: false, name_match: false }],
    ['127.0.0.1', 200, '', { valid: true, name_match: true }],
    ['incomplete.test', 200, 'does not send the intermediate certificate', { valid: false, name_match: true, self_signed: false }],
    ['weak-key.test', 200, 'key that is too weak (RSA, 1024 bits)', { valid: false, key_size: 1024, key_algorithm: 'RSA' }],
    ['good-by-staple.test', 200, '', { valid: true }],
    ['client-certificate.test', 0, '', { certificate_found: true, valid: true }],
    ['client-certificate-1-2.test', 0, '', { certificate_found: true, valid: true }],
    ['fails.test', 0, '', { certificate_found: false, ssl_errors: true, valid: false }],
  ])('%s: status %d, %j', async (host, status, error, expected) => {
    const found = await look(host);
    expect([found.status, found.error]).toEqual([status, saying(error)]);
    expect(found.details).toMatchObject(expected);
    expect(found.failure?.code).toBe(status === 0 ? 'tls_handshake' : undefined);
  });
});

describe('what the issuer says of it', () => {
  const ask = async (host: string, context = open()): Promise<Revocation> => {
    const { tls } = await look(host, context);
    return checkRevocation(issuedChain(tls!.chain.slice(0, 2)), context, { stapled: tls!.stapled });
  };

  it.each<[string, Revocation['state'], Revocation['by'], string]>([
    ['good.test', 'good', 'crl', ''],
    ['revoked-by-list.test', 'revoked', 'crl', ''],
    ['revoked-by-responder.test', 'revoked', 'ocsp', ''],
    ['revoked-by-staple.test', 'revoked', 'staple', ''],
    ['good-by-responder.test', 'good', 'ocsp', ''],
    ['good-by-staple.test', 'good', 'staple', ''],
    ['list-down.test', 'good', 'ocsp', ''],
    ['list-of-others.test', 'unknown', '', 'http://crl.test/others.crl tells nothing: it is about other certificates'],
    ['list-out-of-date.test', 'unknown', '', 'http://crl.test/old.crl tells nothing: it is out of date'],
    ['responder-down.test', 'unknown', '', 'http://ocsp.test/absent tells nothing: the server answered with status 404'],
    ['www.wildcard.test', 'unknown', '', NEITHER],
    ['short-lived.test', 'good', '', 'so few days'],
    ['complete.test', 'unknown', '', 'status 404'],
  ])('%s: %s by %j', async (host, state, by, error) => {
    expect(await ask(host)).toEqual({ state, by, error: saying(error) });
  });

  it('lists come before responders, and each is asked once for as long as it counts', async () => {
    const context = open();
    const from = zoo.asked.length;
    await ask('good.test', context);
    await ask('good.test', context);
    await ask('revoked-by-list.test', context);
    expect(zoo.asked.slice(from)).toEqual(['/all.crl']);
    await ask('good-by-responder.test', context);
    await ask('good-by-responder.test', context);
    await ask('list-down.test', context);
    expect(zoo.asked.slice(from)).toEqual(['/all.crl', '/delegate', '/absent.crl', '/any']);
  });

  it('of a chain that nobody vouches for nothing is asked, and of a list inside nothing comes', async () => {
    const { tls } = await look('private-ca.test');
    expect(await checkRevocation(issuedChain(tls!.chain), open())).toEqual({
      state: '',
      by: '',
      error: '',
    });
    const context = open({ 'crl.test': ['10.0.0.1'], 'ocsp.test': ['169.254.169.254'] });
    expect(await ask('good.test', context)).toMatchObject({ state: 'unknown', error: expect.stringContaining('not a public one') });
  });
});

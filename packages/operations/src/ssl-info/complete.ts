import type { X509Certificate } from 'node:crypto';
import { isProtectedHost } from '@vedette/contract';
import { ISSUER_MAX_BYTES, readCertificate, readIssuers } from '@vedette/mail/certificates';
import { chainOf, endsInTrust } from '@vedette/probes/tcp';
import type { CentralContext } from '../kit/index.ts';
import { download } from '../shared/pages/download.ts';

/** The chain as a client that looks for missing certificates makes it. */
export interface CompletedChain {
  /** Certificates from the leaf up, to a trusted root where one is reached. */
  path: readonly X509Certificate[];
  /** Certificates of the path that the server did not send, and that were fetched. */
  fetched: readonly X509Certificate[];
  /** Signatures lead to a trusted root; dates and names aside. */
  trusted: boolean;
  /** Reason why a certificate could not be fetched; empty if it could, or none was missing. */
  error: string;
  /** The path leads to a trusted root by the names of issuers, whether or not they signed. */
  isRooted: boolean;
}

const FETCHES_MAX = 3;
const LIMITS = { maxBytes: ISSUER_MAX_BYTES, timeout_ms: 2_000, schemes: ['http:', 'https:'] } as const;

/** Follows the issuers of a certificate: among what was sent, the trusted roots, and the files that certificates name (AIA, RFC 5280 §4.2.2.1). */
export async function completeChain(leaf: X509Certificate, fetches: boolean, context: CentralContext): Promise<CompletedChain> {
  const { ca, isOptedOut } = context;
  // Any server can name any URL in its certificate.
  const careful = { ...context, isDenied: (name: string) => context.isDenied(name) || isProtectedHost(name) };
  const fetched: X509Certificate[] = [];
  let path = chainOf(leaf, ca);
  let error = '';
  const most = fetches ? FETCHES_MAX : 0;
  for (let tries = 0; tries < most && !isComplete(path); tries++) {
    const [url] = readCertificate(path.at(-1)!.raw)?.issuerUrls ?? [];
    if (url === undefined) break;
    const file = await download({ url, ...LIMITS, isOptedOut }, careful);
    const issuers = file.error === '' ? readIssuers(file.body) : [];
    const longer = chainOf(leaf, ca, [...fetched, ...issuers]);
    if (longer.length <= path.length) {
      error = `${url}: ${file.error === '' ? 'the file has no certificate of the issuer' : file.error}`;
      break;
    }
    fetched.push(...issuers.filter((issuer) => longer.includes(issuer)));
    path = longer;
  }
  return { path, fetched, trusted: endsInTrust(path, ca), error, isRooted: endsInTrust([path.at(-1)!], ca) };
}

const isComplete = (path: readonly X509Certificate[]): boolean => path.at(-1)!.checkIssued(path.at(-1)!);

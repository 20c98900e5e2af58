import type { CentralContext } from '../kit/index.ts';
import { issuedChain, sslDetails } from '@vedette/mail/certificates';
import type { Hop } from '@vedette/probes/http';
import { checkRevocation, type Revocation } from '../shared/pages/revocation.ts';
import type { UrlStatusQuery } from './query.ts';

type Tls = NonNullable<Hop['tls']>;

/** The certificate facts of each hop; empty when they are not requested. Asks issuers for their lists where the query does. */
export async function sslOf(hops: readonly Hop[], { verify, revocation }: UrlStatusQuery, context: CentralContext) {
  if (!verify) return hops.map(() => undefined);
  const states = new Map<string, Promise<Revocation>>();
  const stateOf = (tls: Tls): Promise<Revocation> => {
    const key = tls.leaf.fingerprint256;
    const state = states.get(key) ?? revocationOf(tls, context);
    states.set(key, state);
    return state;
  };
  return Promise.all(
    hops.map(async ({ target, tls, failure }) => {
      const details = sslDetails(tls && target && { leaf: tls.leaf.raw, host: target, valid: tls.certificate.valid }, context.today());
      const failed = failure?.code.startsWith('tls_') ?? false;
      return {
        valid_ssl: details.valid,
        ssl_details: {
          ...details,
          // http has no TLS that could fail.
          ssl_errors: failed || (tls !== undefined && !details.valid),
          error: tls?.certificate.error ?? '',
          ...(revocation && revocationFields(tls && (await stateOf(tls)))),
        },
      };
    }),
  );
}

/** Lists and responses are fetched from URLs in the certificates, so only for certificates with a trusted chain. */
const revocationOf = ({ chain, certificate, stapled }: Tls, context: CentralContext): Promise<Revocation> =>
  checkRevocation(certificate.valid ? issuedChain(chain) : [], context, { stapled });

const revocationFields = (revocation: Revocation | undefined) => ({
  revoked: revocation?.state === 'revoked',
  revocation: revocation?.state ?? ('' as const),
  revocation_by: revocation?.by ?? ('' as const),
  revocation_error: revocation?.error ?? '',
});

import { signer } from '../door/signed-text.ts';

/** A sign-in that has begun: what its browser keeps until the provider leads back. */
export interface Pending {
  state: string;
  nonce: string;
  /** PKCE, RFC 7636. */
  verifier: string;
  /** A path of ours, to go to afterwards. */
  returnTo: string;
}

/** How long a person may take at the provider. */
export const PENDING_S = 600;
const MAX_CHARS = 3_000;

/**
 * Signs what a browser keeps, and reads it back, at any gateway: the key comes from the client secret, which all of them have. Nothing is
 * stored for strangers.
 */
export function pendingSeal(secret: string, today: () => Date) {
  const { sign, verified } = signer(secret, 'vedette sign-in cookie');
  const nowS = (): number => Math.floor(today().getTime() / 1000);
  return {
    seal(pending: Pending): string {
      return sign(Buffer.from(JSON.stringify({ ...pending, until: nowS() + PENDING_S })).toString('base64url'));
    },
    /** Undefined for what we have not signed, and for what has expired. */
    open(text: string): Pending | undefined {
      const body = text.length > MAX_CHARS ? undefined : verified(text);
      if (body === undefined) return undefined;
      const { until, ...pending }: Pending & { until: number } = JSON.parse(Buffer.from(body, 'base64url').toString());
      return until > nowS() ? pending : undefined;
    },
  };
}

const MAX_PATH_CHARS = 1_000;

/** A path of ours as it was sent; `/` in place of what leads elsewhere, or would not fit into a header. */
export function ownPath(text: unknown, origin: string): string {
  if (typeof text !== 'string' || text.length > MAX_PATH_CHARS || !/^\/[\x21-\x7e]*$/.test(text)) return '/';
  const url = URL.parse(text, origin);
  // `//host` would lead elsewhere.
  return url?.origin === origin && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}${url.hash}` : '/';
}

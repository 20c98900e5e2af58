import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

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
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'vedette sign-in cookie', 32));
  const tagOf = (body: string): Buffer => createHmac('sha256', key).update(body).digest();
  const nowS = (): number => Math.floor(today().getTime() / 1000);
  return {
    seal(pending: Pending): string {
      const body = Buffer.from(JSON.stringify({ ...pending, until: nowS() + PENDING_S })).toString('base64url');
      return `${body}.${tagOf(body).toString('base64url')}`;
    },
    /** Undefined for what we have not signed, and for what has expired. */
    open(text: string): Pending | undefined {
      const [body = '', tag = ''] = text.length > MAX_CHARS ? [] : text.split('.', 2);
      const sent = Buffer.from(tag, 'base64url');
      const right = tagOf(body);
      if (sent.length !== right.length || !timingSafeEqual(sent, right)) return undefined;
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

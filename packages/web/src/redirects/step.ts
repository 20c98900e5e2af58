import type { ProbeFailure } from '@vedette/contract';

/**
 * How a URL can lead to another: a redirecting status with `Location` (RFC 9110 §15.4), a `Refresh` header, `<meta http-equiv="refresh">`, or
 * the way of one site to say where a link leads. Empty: it does not.
 */
export const REDIRECT_TYPES = ['location', 'refresh_header', 'meta_refresh', 'custom', ''] as const;
export type RedirectType = (typeof REDIRECT_TYPES)[number];

/** One URL of a chain, and what came of it. */
export interface Step {
  /** Absolute, normalised. */
  url: string;
  /** 0 where no answer came. */
  status: number;
  /** Why none came. */
  failure: ProbeFailure | undefined;
  elapsed_ms: number;
  /** Whether the answer sets cookies. */
  setsCookies: boolean;
  /** The TLS handshake failed, or showed a certificate that is not valid and was to be verified. */
  tlsFault: boolean;
  /** Its target, absolute. */
  redirect: { to: string; followed: boolean } | undefined;
}

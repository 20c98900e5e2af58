import { fetchBytes, type FetchOptions } from '../fetch/index.ts';
import { parseJson } from './json.ts';

/** A domain with all its contacts and notices is 20 KB; one with hundreds of name servers, 100. */
const MAX_BYTES = 1024 * 1024;

export interface RdapQuestion extends Pick<FetchOptions, 'url' | 'timeout_ms' | 'schemes'> {}

export interface RdapAnswer {
  status: number;
  /** The body as JSON; undefined without a body. */
  json: unknown;
  /** Whether the body is a page for people, so that the status says nothing of the object that was asked for. */
  isPage: boolean;
  /** The field of that name as it was sent (RFC 9110 §10.2.3); empty without. */
  retryAfter: string;
  /** Where the answer came from in the end: registries redirect to one another (RFC 7480 §5.2). */
  url: string;
}

/**
 * One RDAP query (RFC 7480). Every redirect is judged and TLS is verified, as `fetchBytes` does. Any status is an answer; the body of a
 * 200 has to be JSON. Rejects as `fetchBytes` does.
 */
export async function askRdap(question: RdapQuestion, ports: Omit<FetchOptions, keyof RdapQuestion | 'maxBytes'>): Promise<RdapAnswer> {
  const { status, body, retryAfter, url } = await fetchBytes({
    ...question,
    ...ports,
    maxBytes: MAX_BYTES,
    requestFields: { accept: 'application/rdap+json, application/json;q=0.9' },
  });
  const isPage = PAGE.test(Buffer.from(body.subarray(0, 256)).toString('latin1'));
  return { status, json: status === OK ? parseJson(body) : undefined, isPage, retryAfter, url };
}

const OK = 200;
const PAGE = /^\W*<(?:!doctype|html|head|body|\?xml)/i;

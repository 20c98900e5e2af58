const TIMEOUT_MS = 10_000;
const SLOW_TIMEOUT_MS = 1_200_000;
/** The operator names that the gateway accepts; a header cannot hold every name of a system. */
const OPERATOR = /^[\w.@-]{1,64}$/;

/** The parts of a call besides its path. */
export interface CallOptions {
  body?: object;
  /** Parameters that are undefined are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** The body is this file as it is; it may take the gateway minutes to read it. */
  file?: Uint8Array<ArrayBuffer>;
  /** It may take the gateway minutes, for another reason than a file. */
  slow?: boolean;
}

export interface AdminClient {
  /** One call of the admin API. Throws an Error whose message tells an operator what to do. */
  call<T>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: readonly string[], options?: CallOptions): Promise<T>;
}

export interface AdminClientOptions {
  url: string;
  /** Asked for at the first call: help works without one. */
  token: () => Promise<string>;
  /** The user that runs the command; the gateway's audit trail records it beside the token. */
  operator: string;
  fetch: typeof fetch;
}

export function createAdminClient({ url, token, operator, fetch }: AdminClientOptions): AdminClient {
  return {
    async call<T>(
      method: string,
      path: readonly string[],
      { body, query = {}, file, slow = file !== undefined }: CallOptions = {},
    ): Promise<T> {
      const headers = {
        authorization: `Bearer ${await token()}`,
        ...(OPERATOR.test(operator) && { 'x-operator': operator }),
        ...(body && { 'content-type': 'application/json' }),
        ...(file && { 'content-type': 'application/octet-stream' }),
      };
      const parameters = String(
        new URLSearchParams(
          Object.entries(query).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]])),
        ),
      );
      let response: Response;
      try {
        response = await fetch(`${url}/admin/${path.map(encodeURIComponent).join('/')}${parameters && `?${parameters}`}`, {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
          ...(file && { body: file }),
          signal: AbortSignal.timeout(slow ? SLOW_TIMEOUT_MS : TIMEOUT_MS),
        });
      } catch (cause) {
        throw new Error(
          `the gateway does not answer at ${url}: is it running, and do VEDETTE_OPS_HOST and VEDETTE_OPS_PORT match its settings?`,
          {
            cause,
          },
        );
      }
      const answer: unknown = await response.json().catch(() => undefined);
      if (response.ok) return answer as T;
      if (response.status === 401) throw new Error(`the gateway at ${url} does not accept this admin token`);
      throw new Error((answer as { error?: string } | undefined)?.error ?? `the gateway at ${url} answered ${response.status}`);
    },
  };
}

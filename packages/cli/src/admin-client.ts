const TIMEOUT_MS = 10_000;

export interface AdminClient {
  /** One call of the admin API. Throws an Error whose message tells an operator what to do. */
  call<T>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: readonly string[], body?: object): Promise<T>;
}

/** `token` is asked for at the first call: help works without one. */
export function createAdminClient(options: { url: string; token: () => Promise<string>; fetch: typeof fetch }): AdminClient {
  const { url, token, fetch } = options;
  return {
    async call<T>(method: string, path: readonly string[], body?: object): Promise<T> {
      const authorization = `Bearer ${await token()}`;
      let response: Response;
      try {
        response = await fetch(`${url}/admin/${path.map(encodeURIComponent).join('/')}`, {
          method,
          headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
      } catch (cause) {
        throw new Error(
          `the gateway does not answer at ${url}: is it running, and are VEDETTE_OPS_HOST and VEDETTE_OPS_PORT those it has?`,
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

import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a provider may do wrong. */
export interface Faults {
  /** Claims of the ID token in place of the right ones. */
  claims?: Record<string, unknown>;
  alg?: 'RS256' | 'none' | 'HS256';
  /** The token is signed by another key. */
  stranger?: boolean;
  /** Answers in place of the token, or of the metadata. */
  token?: (response: ServerResponse) => void;
  metadata?: (response: ServerResponse) => void;
}

export interface FakeProvider extends AsyncDisposable {
  issuer: string;
  /** What is wrong from now on. */
  faults: Faults;
  /** Requests by path. */
  asked: string[];
  /** Does at once what a person and the provider do: the URL that leads back, for the one that leads there. */
  approve(authorizationUrl: string): string;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A provider that knows one client, signs in at once, and does wrong what it is told to. */
export async function startFakeProvider(port = 0): Promise<FakeProvider> {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const nonces = new Map<string, string>();
  const provider = {
    faults: {} as Faults,
    asked: [] as string[],
    issuer: '',
    approve(authorizationUrl: string): string {
      const { searchParams } = new URL(authorizationUrl);
      const code = crypto.randomUUID();
      nonces.set(code, searchParams.get('nonce') ?? '');
      const back = new URL(searchParams.get('redirect_uri')!);
      back.search = new URLSearchParams({ code, state: searchParams.get('state')! }).toString();
      return back.href;
    },
  };
  const idToken = (code: string): string => {
    const { claims, alg = 'RS256', stranger } = provider.faults;
    const now = Math.floor(Date.now() / 1000);
    const right = { iss: provider.issuer, aud: 'vedette', sub: 'anna', groups: ['soc'], nonce: nonces.get(code), iat: now, exp: now + 60 };
    const body = `${encoded({ alg, kid: 'k' })}.${encoded({ ...right, ...claims })}`;
    if (alg === 'none') return `${body}.`;
    if (alg === 'HS256') return `${body}.${createHmac('sha256', 'a-client-secret').update(body).digest('base64url')}`;
    return `${body}.${sign('sha256', Buffer.from(body), (stranger ? other : own).privateKey).toString('base64url')}`;
  };
  const server = createServer((request, response) => {
    const json = (status: number, value: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      provider.asked.push(request.url!);
      const { issuer, faults } = provider;
      if (request.url === '/.well-known/openid-configuration') {
        if (faults.metadata) return faults.metadata(response);
        return json(200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        });
      }
      if (request.url === '/jwks')
        return json(200, { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig', alg: 'RS256' }] });
      if (faults.token) return faults.token(response);
      const code = new URLSearchParams(text).get('code') ?? '';
      if (!nonces.has(code)) return json(400, { error: 'invalid_grant' });
      const id_token = idToken(code);
      nonces.delete(code); // a code counts once
      return json(200, { access_token: 'a', token_type: 'Bearer', id_token });
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(provider, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

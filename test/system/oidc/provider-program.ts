import { generateKeyPairSync } from 'node:crypto';
import OpenIdProvider from 'oidc-provider';

/** The real oidc-provider as a process: any login is taken, and its groups are what follows a dash in it: `anna-soc`. Prints a line once it listens. */
const [, , port, redirectUri, logoutUri] = process.argv as [string, string, string, string, string];
const issuer = `http://127.0.0.1:${port}`;
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const provider = new OpenIdProvider(issuer, {
  clients: [
    {
      client_id: 'vedette',
      client_secret: 'a-client-secret',
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [logoutUri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
  cookies: { keys: ['a-cookie-key'] },
  conformIdTokenClaims: false,
  claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
  pkce: { required: () => true },
  async findAccount(_context: unknown, id: string) {
    return { accountId: id, claims: async () => ({ sub: id, preferred_username: id, groups: id.split('-').slice(1) }) };
  },
});
provider.listen(Number(port), '127.0.0.1', () => process.stdout.write(`${issuer}\n`));

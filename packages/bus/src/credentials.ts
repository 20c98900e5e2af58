import { credsAuthenticator, nkeyAuthenticator, nkeys, type Authenticator } from 'nats';

/** A fresh identity for one process. The seed is the secret; the server's configuration holds the public key. */
export function createNkey(): { seed: string; publicKey: string } {
  const pair = nkeys.createUser();
  return { seed: new TextDecoder().decode(pair.getSeed()), publicKey: pair.getPublicKey() };
}

const USER_SEED = /\bSU[A-Z2-7]{56}\b/;

/** The public key that belongs to the text of a credentials file. Throws when it holds no user's seed. */
export function publicKeyOf(credentials: string): string {
  const [seed] = USER_SEED.exec(credentials) ?? [];
  if (seed === undefined) throw new Error('the credentials hold no nkey seed of a user');
  return nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey();
}

/** `credentials` is the text of a credentials file: an nkey seed alone, or a `.creds` file with JWT and seed. */
export function authenticatorOf(credentials: string): Authenticator {
  const encode = (text: string) => new TextEncoder().encode(text);
  const text = credentials.trim();
  // nats wants a newline behind the last line of a .creds file, and none behind a seed.
  return text.includes('BEGIN') ? credsAuthenticator(encode(`${text}\n`)) : nkeyAuthenticator(encode(text));
}

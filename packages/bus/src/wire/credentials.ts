import { isId } from '@vedette/contract';
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

/** The text of the credentials file at `path`. Throws, naming it, when it holds no user's seed. */
export function readCredentials(text: string, path: string): string {
  try {
    publicKeyOf(text);
  } catch (cause) {
    throw new Error(`${path} holds no key for the message bus: neither an nkey seed of a user nor a .creds file`, { cause });
  }
  return text;
}

const LOCATIONS = /^# locations: (.*)\n?/m;

/** The text of a credentials file that names locations beside its seed, in a line that NATS does not read. */
export const withLocations = (credentials: string, locations: readonly string[]): string =>
  `${credentials.replace(LOCATIONS, '').trimEnd()}\n# locations: ${locations.toSorted().join(' ')}\n`;

/** The locations that a credentials file names: those that had a key when it was written. */
export const locationsOf = (credentials: string): string[] =>
  (LOCATIONS.exec(credentials)?.[1] ?? '').split(/\s+/).filter((id) => isId(id));

/** `credentials` is the text of a credentials file: an nkey seed alone, or a `.creds` file with JWT and seed. */
export function authenticatorOf(credentials: string): Authenticator {
  const encode = (text: string) => new TextEncoder().encode(text);
  // nats wants a newline behind the last line of a .creds file, and a seed without anything around it.
  if (credentials.includes('BEGIN')) return credsAuthenticator(encode(`${credentials.trim()}\n`));
  return nkeyAuthenticator(encode(USER_SEED.exec(credentials)?.[0] ?? credentials.trim()));
}

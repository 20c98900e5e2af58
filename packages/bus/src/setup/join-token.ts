import { createHash, X509Certificate } from 'node:crypto';
import { ID_PATTERN, isLoopback } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { publicKeyOf } from '../wire/credentials.ts';

/** The values that an agent needs to join: the address of the bus, its own identity there, and the authority of the server's certificate. */
export interface JoinToken {
  /** `tls://host:port` of each server that it may connect to; `nats://` to this machine alone. */
  urls: string[];
  location: string;
  /** Present: the key is bound to this name. */
  agent?: string;
  /** The seed of its nkey. */
  seed: string;
  /** PEM of the roots that the server's certificate must come from, those alone; absent: the roots that the system trusts. */
  ca?: string[];
}

const PREFIX = 'vdtj_';
/** A token of three servers and one root has 1,200 characters. */
const MAX_CHARACTERS = 16_384;
const MAX_URLS = 16;
const MAX_ROOTS = 4;
/** A part of the SHA-256 is enough to tell a token that was cut or mistyped. The maker of a token makes its checksum, too. */
const CHECKSUM_BYTES = 6;

/** Short names, since it is pasted. `ca`: certificates as base64 of their DER. */
const Payload = Type.Object(
  {
    v: Type.Literal(1),
    urls: Type.Array(Type.String({ maxLength: 300 }), { minItems: 1, maxItems: MAX_URLS }),
    location: Type.String({ pattern: ID_PATTERN }),
    agent: Type.Optional(Type.String({ pattern: ID_PATTERN })),
    seed: Type.String({ pattern: '^SU[A-Z2-7]{56}$' }),
    ca: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Za-z0-9+/]{1,8192}={0,2}$' }), { minItems: 1, maxItems: MAX_ROOTS })),
  },
  { additionalProperties: false },
);
const payload = Compile(Payload);

/** An invalid token, with a sentence for the person who pasted it. It never repeats what the token holds. */
export class JoinTokenError extends Error {
  override name = 'JoinTokenError';
}

/** Writes a token: `vdtj_` and base64url of JSON and its checksum. It holds a secret. Throws a `JoinTokenError` for an unreadable token. */
export function encodeJoinToken({ ca, ...token }: JoinToken): string {
  const json = Buffer.from(JSON.stringify({ v: 1, ...token, ...(ca && { ca: ca.map((pem) => certificate(pem).raw.toString('base64')) }) }));
  const text = `${PREFIX}${Buffer.concat([json, checksum(json)]).toString('base64url')}`;
  decodeJoinToken(text);
  return text;
}

/**
 * Reads a token. It may be a stranger's: what comes back can stand in a line of a settings file, its key and its certificates are sound, and it names no
 * server that would be spoken to in plain text over a network. Throws a `JoinTokenError`.
 */
export function decodeJoinToken(text: string): JoinToken {
  const { v: _version, ca, ...token } = read(text.trim());
  for (const url of token.urls) assertBusUrl(url);
  try {
    publicKeyOf(token.seed);
  } catch {
    throw new JoinTokenError('the key in the token is no nkey seed');
  }
  const roots = ca?.map((der) => {
    const root = certificate(Buffer.from(der, 'base64'));
    if (!root.ca) throw new JoinTokenError('a certificate in the token is not that of an authority');
    return root.toString();
  });
  return { ...token, ...(roots && { ca: roots }) };
}

function read(text: string): Static<typeof Payload> {
  if (!text.startsWith(PREFIX)) throw new JoinTokenError(`a token begins with ${PREFIX}`);
  if (text.length > MAX_CHARACTERS) throw new JoinTokenError(`a token has at most ${MAX_CHARACTERS} characters`);
  const encoded = text.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64url');
  const json = bytes.subarray(0, -CHECKSUM_BYTES);
  // Node also reads invalid base64url, up to its first invalid character.
  if (bytes.toString('base64url') !== encoded || !checksum(json).equals(bytes.subarray(-CHECKSUM_BYTES)))
    throw new JoinTokenError('the token is not whole: it was cut or changed on its way');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
  } catch {
    throw new JoinTokenError('the token holds no JSON');
  }
  if (payload.Check(value)) return value;
  const version = typeof value === 'object' && value !== null && 'v' in value ? value.v : undefined;
  throw new JoinTokenError(
    typeof version === 'number' && version > 1
      ? 'the token was made by a newer Vedette than this one'
      : 'the token does not say what an agent must know',
  );
}

/** Throws unless it is the URL of a server as this project writes it: a scheme, a host and a port, spelled in one way. */
function assertBusUrl(text: string): void {
  const [, scheme, host] = /^(tls|nats):\/\/([a-z0-9.-]+|\[[0-9a-f:]+\]):\d{1,5}$/.exec(text) ?? [];
  // `http`, since URL leaves hosts of schemes that it does not know as they are written.
  const url = URL.parse(text.replace(/^\w+/, 'http'));
  if (host === undefined || url === null || url.hostname !== host || text.endsWith(':0'))
    throw new JoinTokenError('the token names a server that is no tls://host:port');
  if (scheme === 'nats' && !isLoopback(host)) throw new JoinTokenError('the token names a server that would be spoken to in plain text');
}

function certificate(pemOrDer: string | Buffer): X509Certificate {
  try {
    return new X509Certificate(pemOrDer);
  } catch {
    throw new JoinTokenError('a certificate in the token is none');
  }
}

const checksum = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest().subarray(0, CHECKSUM_BYTES);

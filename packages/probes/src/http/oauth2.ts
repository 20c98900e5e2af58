import { ProbeFailure, type ProbePorts } from '@vedette/contract';
import type { Static } from 'typebox';
import { familiesOf, refuseProtected } from '../host/judge-host.ts';
import type { HttpAsked } from './detail-schema.ts';
import { parseTarget, resolveTargets } from './target.ts';
import { restart, type HttpTrace } from './trace.ts';
import { exchangeWithin } from './wire/exchange.ts';

type OAuth2 = Static<typeof HttpAsked.oauth2>;

const ANSWER_MAX_BYTES = 64 * 1024;
/** A value of a field, as `HttpAsked` has it. */
const TOKEN = /^[\x20-\x7e]{1,4096}$/;

/**
 * Asks a token URL for an access token by client credentials (RFC 6749 §4.4). The server is judged as every target is. It is sent the credentials as
 * Basic, and once more in the body if it refuses that (§2.3.1), as blackbox_exporter does. Rejects with `ProbeFailure`.
 */
export async function fetchToken(oauth2: OAuth2, trace: HttpTrace, ports: ProbePorts, until: number, signal: AbortSignal): Promise<string> {
  const target = parseTarget(oauth2.token_url);
  // The operator of the module chose it, not a stranger: no word of its owner is asked for.
  if (ports.isDenied(target.host)) throw new ProbeFailure('blocked_policy', target.host);
  const addresses = await resolveTargets(target, ports, { families: familiesOf(target), signal, onAlias: refuseProtected });
  trace.resolved = ports.clock.now();
  const ask = async (inBody: boolean): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    await exchangeWithin(ports, {
      target,
      addresses,
      dial: (address, limited) => ports.dialler.tcp({ address, port: target.port, signal: limited }),
      until,
      trace,
      request: { method: 'POST', body: bodyOf(oauth2, inBody) },
      requestFields: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(!inBody && { authorization: basicOf(oauth2) }),
      },
      verify: true,
      bodyMaxBytes: ANSWER_MAX_BYTES,
      onBody: (chunk) => void chunks.push(chunk),
      signal,
    });
    return Buffer.concat(chunks);
  };
  let answer = await ask(false);
  if (trace.head!.status >= 400 && trace.head!.status < 500) {
    restart(trace);
    answer = await ask(true);
  }
  if (trace.head!.status !== 200) throw new ProbeFailure('http_protocol', `the token URL answered ${trace.head!.status}`);
  return tokenIn(answer.toString());
}

function bodyOf({ client_id, client_secret, scopes, parameters }: OAuth2, withCredentials: boolean): Buffer {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(withCredentials && { client_id, client_secret }),
    ...parameters,
  });
  return Buffer.from(form.toString());
}

const basicOf = ({ client_id, client_secret }: OAuth2): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')}`;

function tokenIn(text: string): string {
  try {
    const { access_token: token } = JSON.parse(text) as { access_token?: unknown };
    if (typeof token === 'string' && TOKEN.test(token)) return token;
  } catch {
    // Said below: the answer may hold secrets.
  }
  throw new ProbeFailure('http_protocol', 'the token URL answered without an access_token');
}

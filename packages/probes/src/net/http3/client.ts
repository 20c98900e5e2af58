import { rootCertificates } from 'node:tls';
import { type AddressPolicy, type Clock, ProbeFailure } from '@vedette/contract';
import type { Http3Client, Http3Outcome, Http3Request } from './port.ts';
import type { CapabilityVerdict, Health } from '../../health/index.ts';
import { headerText } from '../../http/wire/message.ts';
import { abortFailure, allowedAddress } from '../dialler.ts';
import { reasonPhrase } from '../http2-session.ts';
import { type QuicEnd, QuicProcess, QuicProcessEnded } from './process.ts';
import { UdpRelay } from './relay.ts';

export interface Http3Options {
  policy: AddressPolicy;
  clock: Clock;
  /** Trusted beside Mozilla's roots, PEM. */
  ca: readonly string[];
  /** Whether our datagrams arrive anywhere. */
  health: Pick<Health, 'doubt' | 'isBroken' | 'heard'>;
}

/** The process holds 64 MB and starts in 60 ms: it ends after being idle for so long. */
const IDLE_MS = 60_000;
/** The time that our CONNECTION_CLOSE needs to be sent. */
const LINGER_MS = 250;
/** A server's answer proves for so long that datagrams arrive, where no witness does. */
const HEARD_FOR_MS = 60_000;
const HEADERS_MAX = 200;
const VALUE_MAX_CHARS = 8_192;

/**
 * HTTP/3 by a library in a process of its own, which is started when first asked for. Any job under way may have killed or hung it. Each is
 * therefore tried again in a process of its own, and fails only if it ends that one, too.
 */
export function openHttp3({ policy, clock, ca, health }: Http3Options): Http3Client & { close(): void } {
  const roots = [...rootCertificates, ...ca].join('\n');
  const udp = udpOf(health, clock);
  const closing = new AbortController();
  let shared: Promise<QuicProcess> | undefined;
  let idling = new AbortController();

  const start = async (): Promise<QuicProcess> => {
    const client = await QuicProcess.start(clock, roots);
    if (closing.signal.aborted) client.close();
    return client;
  };

  const current = async (): Promise<QuicProcess> => {
    idling.abort();
    const known = shared;
    const usable = await known?.then(
      ({ ended }) => !ended,
      () => false,
    );
    // Several requests may find it gone: the first one starts the next.
    if (usable !== true && shared === known) shared = start();
    return await shared!;
  };

  const endWhenIdle = (client: QuicProcess): void => {
    if (!client.idle) return;
    idling.abort();
    idling = new AbortController();
    clock.sleep(IDLE_MS, AbortSignal.any([idling.signal, closing.signal])).then(
      () => client.idle && client.close(),
      () => {}, // asked again
    );
  };

  const alone = async (request: Http3Request): Promise<Http3Outcome> => {
    const own = await start();
    try {
      return await attempt(own, request, clock);
    } finally {
      own.close();
    }
  };

  const get = async (request: Http3Request): Promise<Http3Outcome> => {
    const client = await current();
    try {
      return await attempt(client, request, clock);
    } catch (error) {
      if (!(error instanceof QuicProcessEnded) || closing.signal.aborted) throw error;
    } finally {
      endWhenIdle(client);
    }
    return await alone(request);
  };

  return {
    ready: () => current().then(endWhenIdle, () => {}),
    udpVerdict: udp.verdict,
    async get(request) {
      const { address, port } = request;
      if (health.isBroken('quic')) throw new ProbeFailure('no_network', 'no datagram arrives over UDP');
      const judged = { ...request, address: allowedAddress(policy, policy.judge(address, port), `port ${port}`) };
      try {
        return udp.noted(await get(judged));
      } catch (error) {
        throw error instanceof QuicProcessEnded ? new ProbeFailure('internal', error.message, { cause: error }) : error;
      }
    },
    close() {
      closing.abort();
      shared?.then(
        (client) => client.close(),
        () => {},
      );
    },
  };
}

/** One connection through a relay of its own. Rejects with `QuicProcessEnded`, with no_network, or with what the signal means. */
async function attempt(client: QuicProcess, request: Http3Request, clock: Clock): Promise<Http3Outcome> {
  const { host, authority, path, fields, handshake_ms, answer_ms, signal } = request;
  const failed = Promise.withResolvers<ProbeFailure>();
  const relay = await UdpRelay.open(request, failed.resolve);
  const onAbort = (): void => failed.resolve(abortFailure(signal));
  let connected = false;
  try {
    if (signal.aborted) throw abortFailure(signal);
    signal.addEventListener('abort', onAbort, { once: true });
    const job = client.run(
      {
        port: relay.port,
        host: host.host,
        verified: host.kind === 'name',
        fields: { ':method': 'GET', ':scheme': 'https', ':authority': authority, ':path': path, ...fields },
        handshake_ms,
        answer_ms,
      },
      () => {
        connected = true;
        request.onConnected?.();
      },
    );
    const end = await Promise.race([job, failed.promise]);
    if (end instanceof ProbeFailure) {
      job.catch(() => {}); // nobody waits for it any more
      if (signal.aborted || end.code === 'no_network') throw end;
      return { udp: relay.answered ? 'answered' : 'refused', connected, head: undefined, failure: end };
    }
    return outcomeOf(end, relay.answered);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clock.sleep(LINGER_MS).then(
      () => relay.close(),
      () => relay.close(),
    );
  }
}

function outcomeOf(end: QuicEnd, answered: boolean): Http3Outcome {
  const udp = answered ? 'answered' : 'silent';
  if (end.kind === 'head') return { udp, connected: true, head: headOf(end.headers), failure: undefined };
  return { udp, connected: end.connected, head: undefined, failure: failureOf(end, answered) };
}

/** TLS alerts travel as CRYPTO_ERROR, RFC 9001 §4.8. */
const ALERTS = 0x100;
const ALERT_MAX = 0x1ff;
/** Alerts by which our own side refuses a certificate (RFC 8446 §6.2). */
const CERTIFICATE_ALERTS: Readonly<Record<number, string>> = {
  42: 'it is not for this name, or is broken',
  43: 'of a kind that is not supported',
  44: 'revoked',
  45: 'it has expired, or is not valid yet',
  46: 'not acceptable',
  48: 'no trusted root issued it',
};

/** Alerts by which a server refuses a client without a certificate (RFC 8446 §6.2): bad_certificate, certificate_required. */
const CLIENT_CERTIFICATE_ALERTS: ReadonlySet<number> = new Set([42, 116]);

function failureOf({ connected, code, text }: QuicEnd & { kind: 'failed' }, answered: boolean): ProbeFailure {
  if (!answered) return new ProbeFailure('connect_timeout', 'no datagram came back over UDP');
  const alert = code >= ALERTS && code <= ALERT_MAX ? code - ALERTS : undefined;
  // For a client the handshake is over before the server has looked at its certificate.
  if (connected && alert !== undefined)
    return new ProbeFailure(
      'tls_handshake',
      CLIENT_CERTIFICATE_ALERTS.has(alert) ? 'the server wants a client certificate' : `TLS alert ${alert}`,
    );
  const seen = code === 0 ? text : `QUIC error 0x${code.toString(16)} ${text}`.trim();
  if (connected) return new ProbeFailure(seen === '' ? 'http_timeout' : 'http_protocol', seen);
  const refused = alert === undefined ? undefined : CERTIFICATE_ALERTS[alert];
  if (refused !== undefined) return new ProbeFailure('tls_cert_invalid', refused);
  return new ProbeFailure('tls_handshake', alert === undefined ? seen || 'QUIC: not finished in time' : `TLS alert ${alert}`);
}

function headOf(received: Record<string, string | string[]>): NonNullable<Http3Outcome['head']> {
  const headers = Object.entries(received)
    .filter(([name]) => !name.startsWith(':'))
    .flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name.toLowerCase(), headerText(value).slice(0, VALUE_MAX_CHARS)]),
    );
  const status = Number(received[':status']);
  return { version: 'HTTP/3', status, statusMessage: reasonPhrase(status), headers: headers.slice(0, HEADERS_MAX) };
}

/** Whether our datagrams arrive: by the witnesses, or where there is none by the servers that have answered. */
function udpOf(health: Http3Options['health'], clock: Clock) {
  let heardAt = -Infinity;
  return {
    noted(outcome: Http3Outcome): Http3Outcome {
      if (outcome.udp !== 'answered') return outcome;
      heardAt = clock.now();
      health.heard('quic');
      return outcome;
    },
    async verdict(since: number): Promise<CapabilityVerdict> {
      const verdict = await health.doubt('quic', since);
      return verdict === 'unknown' && clock.now() - heardAt <= HEARD_FOR_MS ? 'good' : verdict;
    },
  };
}

import type { Socket } from 'node:net';
import { type ParsedHost, parseHost, ProbeFailure, type ProbePorts } from '@vedette/contract';
import { startTls, type TlsSession } from '../net/tls.ts';
import { fromRe2 } from '../patterns/re2.ts';
import type { TcpJob } from './job.ts';
import { runScript } from './script.ts';
import { FAREWELLS, switchToTls } from './starttls.ts';
import { FIRST_OCTETS, Talk } from './talk.ts';
import type { TcpTrace } from './trace.ts';

/** A server that speaks first does so within this, unless it looks its client up. */
export const BANNER_MS = 2_000;
/** The same before something is sent: a server that waits for its client is not to be waited for. */
const BANNER_BEFORE_SEND_MS = 500;
/** A pause of so much ends what it says. */
const QUIET_MS = 250;
const ANSWER_MS = 5_000;
/** `expect` is looked for in no more. */
const SEARCHED_OCTETS = 8 * 1024;

export interface ConversationOptions {
  job: TcpJob;
  /** The host that the certificate must name. */
  server: ParsedHost;
  signal: AbortSignal;
}

/** Talks over an accepted connection as the job says: STARTTLS, TLS, the banner, `send` and `expect`, or the script. Fills the trace as it goes on. */
export async function converse(socket: Socket, trace: TcpTrace, options: ConversationOptions, ports: ProbePorts): Promise<void> {
  const { job, signal } = options;
  const talk = new Talk(socket, ports.clock, signal);
  try {
    if (job.script)
      return await runScript(
        talk,
        job.script,
        trace,
        { secure: (over) => secure(over, trace, options, ports), begins: job.script_in_tls === true },
        ports,
        signal,
      );
    if (job.tls?.show && job.starttls === undefined) return void (await secure(talk, trace, options, ports)).socket.end();
    if (job.starttls !== undefined) {
      trace.phase = 'starttls';
      try {
        await switchToTls(job.starttls, talk, options.server.host);
      } finally {
        keepBanner(talk, trace);
      }
      trace.switched = ports.clock.now();
      const { socket: secured } = await secure(talk, trace, options, ports);
      trace.phase = 'talk';
      const within = new Talk(secured, ports.clock, signal);
      if (job.send !== undefined || job.expect !== undefined) await ask(within, trace, options, ports);
      const farewell = FAREWELLS[job.starttls];
      if (farewell !== undefined) within.send(farewell);
      return void secured.end();
    }
    const over = job.tls ? new Talk((await secure(talk, trace, options, ports)).socket, ports.clock, signal) : talk;
    trace.phase = 'talk';
    await ask(over, trace, options, ports);
    over.socket.end();
  } catch (error) {
    trace.reset = wasReset(talk);
    throw trace.reset && !signal.aborted ? new ProbeFailure('connect_reset', trace.talked?.address, { cause: error }) : error;
  } finally {
    trace.closed ||= talk.ended && !signal.aborted;
  }
}

/** Before anything came: what it was over must not have had a word either. */
const wasReset = ({ error, octets, socket }: Talk): boolean => error?.code === 'ECONNRESET' && octets === 0 && socket.bytesRead === 0;

function keepBanner(talk: Talk, trace: TcpTrace): void {
  trace.banner = talk.first;
  if (talk.firstAt !== undefined) trace.firstOctet ??= talk.firstAt;
}

/** Rejects as `startTls` does, and with tls_cert_invalid where the certificate is to be verified. */
async function secure(
  talk: Talk,
  trace: TcpTrace,
  { job, server, signal }: ConversationOptions,
  { clock, ca }: ProbePorts,
): Promise<TlsSession> {
  const { alpn = [], verify, terms, server_name } = job.tls ?? {};
  trace.phase = 'tls';
  trace.securing = clock.now();
  const { roots, min_version: minVersion, max_version: maxVersion, certificate, key } = terms ?? {};
  const session = await startTls({
    socket: talk.socket,
    host: (server_name === undefined ? undefined : parseHost(server_name)) ?? server,
    alpn,
    ca,
    // All that can be spoken is told of a port; a script has the terms of its module.
    profile: terms ? { minVersion, maxVersion, certificate, key, roots } : job.script ? 'modern' : 'legacy',
    onShown: (shown) => (trace.shown = shown),
    clock,
    signal,
  });
  trace.secured = clock.now();
  const { socket, ...facts } = session;
  trace.session = facts;
  if (verify && !session.certificate.valid) {
    socket.destroy();
    throw new ProbeFailure('tls_cert_invalid', session.certificate.error);
  }
  return session;
}

/** The banner, `send` and what comes of it. */
async function ask(talk: Talk, trace: TcpTrace, { job, signal }: ConversationOptions, ports: ProbePorts): Promise<void> {
  const { send, expect } = job;
  const pattern = expect === undefined ? undefined : fromRe2(expect);
  let sought = 0;
  const found = async (): Promise<boolean> => {
    if (pattern === undefined || trace.matched) return trace.matched === true;
    sought = talk.octets;
    const text = new TextDecoder().decode(talk.pending.subarray(0, SEARCHED_OCTETS));
    const [matched] = (await ports.patterns.match([{ pattern, texts: [text] }], signal)) ?? [];
    trace.matched = matched === true;
    return trace.matched;
  };
  // A protocol that was chosen by ALPN is known: its clients speak first.
  const speaksFirst = trace.session === undefined || trace.session.alpn === '';
  const bannerMs = send === undefined ? (pattern ? ANSWER_MS : speaksFirst ? BANNER_MS : 0) : BANNER_BEFORE_SEND_MS;
  await hear(talk, bannerMs, pattern && send === undefined ? found : undefined, ports);
  if (job.starttls === undefined) keepBanner(talk, trace);
  if (send !== undefined) {
    const before = talk.octets;
    talk.send(Buffer.from(send, 'base64'));
    await hear(talk, ANSWER_MS, pattern && found, ports);
    trace.response = talk.pending.subarray(before, before + FIRST_OCTETS);
  } else if (job.starttls !== undefined) trace.response = talk.first;
  if (pattern && (trace.matched === undefined || talk.octets > sought)) await found();
  trace.closed ||= talk.ended;
  if (wasReset(talk)) throw new ProbeFailure('connect_reset');
}

/** Hears what comes for so long: until a pause where nothing is `sought`, else until that is found; and no more than is looked at. */
export async function hear(
  talk: Talk,
  ms: number,
  sought: (() => Promise<boolean>) | undefined,
  { clock }: Pick<ProbePorts, 'clock'>,
): Promise<void> {
  const end = clock.now() + ms;
  const before = talk.octets;
  for (let left = ms; left > 0 && talk.pending.length < SEARCHED_OCTETS; left = end - clock.now()) {
    const pause = talk.octets > before && !sought ? QUIET_MS : Infinity;
    if ((await talk.moreWithin(Math.min(left, pause))) !== 'more') return;
    if (await sought?.()) return;
  }
}

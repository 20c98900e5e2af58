import { type Dialler, type ParsedHost, ProbeFailure, type ProbePorts, within } from '@vedette/contract';
import { familiesOf, type JudgePorts } from '../host/judge-host.ts';
import { staggered, type Tried } from '../host/staggered.ts';
import { resolveTargets } from '../http/target.ts';
import { abortFailure } from '../net/dialler.ts';
import { type Shown, startTls, type TlsSession } from '../net/tls.ts';
import { FAREWELLS, type StartTls, switchToTls } from './starttls.ts';
import { Talk } from './talk.ts';
import { type Phase, timeoutOf } from './trace.ts';

export interface TlsLookOptions {
  host: ParsedHost;
  port: number;
  /** Name or address that the certificate must cover; a name is sent as SNI. */
  server: ParsedHost;
  /** Protocol in which the server is asked for TLS; undefined: TLS begins at once. */
  starttls: StartTls | undefined;
  alpn: readonly string[];
  /** Time for all of it. */
  ms: number;
  signal: AbortSignal;
  /** Throws `ProbeFailure` for a name that the host is an alias of and that is not contacted. */
  refuse(name: string): void;
}

/** The outcome of one handshake. */
export interface TlsLook {
  /** Empty where no connection was accepted. */
  address: string;
  /** The server's certificates, also when the handshake failed afterwards. */
  shown: Shown | undefined;
  session: Pick<TlsSession, 'cipherSuite' | 'group' | 'alpn' | 'warnings'> | undefined;
  failure: ProbeFailure | undefined;
}

/** The connection of a handshake may take so much of the time. */
const CONNECT_SHARE = 1 / 2;

/**
 * Shakes hands with a server once, over TLS of any version and strength, and says what it showed. A fault of the target is in `failure`. Rejects
 * with what is not about the target, such as a refusal of the dialler's gate.
 */
export async function lookAtTls(
  options: TlsLookOptions,
  ports: JudgePorts & Pick<ProbePorts, 'clock' | 'ca'> & { dialler: Dialler },
): Promise<TlsLook> {
  const { clock } = ports;
  const { ms, signal: whole } = options;
  const look: TlsLook & { phase: Phase } = { address: '', shown: undefined, session: undefined, failure: undefined, phase: 'resolve' };
  try {
    await within(
      clock,
      ms,
      whole,
      () => timeoutOf(look, ms),
      async (signal) => {
        try {
          await shakeHands(look, options, ports, signal);
        } catch (error) {
          throw signal.aborted ? abortFailure(signal) : error;
        }
      },
    );
  } catch (error) {
    whole.throwIfAborted();
    if (!(error instanceof ProbeFailure)) throw error;
    look.failure = error;
  }
  return look;
}

async function shakeHands(
  look: TlsLook & { phase: Phase },
  { host, port, server, starttls, alpn, ms, refuse }: TlsLookOptions,
  ports: JudgePorts & Pick<ProbePorts, 'clock' | 'ca'> & { dialler: Dialler },
  signal: AbortSignal,
): Promise<void> {
  const { clock, dialler, ca } = ports;
  const until = clock.now() + ms * CONNECT_SHARE;
  const addresses = await resolveTargets({ ...host, port }, ports, {
    families: familiesOf(host),
    signal,
    service: 'port',
    onAlias: refuse,
  });
  look.phase = 'connect';
  const tried: Tried[] = [];
  const dial = (address: string, limited: AbortSignal) => dialler.tcp({ address, port, host: host.host, service: 'port', signal: limited });
  const { value: socket, tried: winner } = await staggered(addresses, dial, { clock, signal, tried, until });
  look.address = winner.address;
  try {
    const talk = new Talk(socket, clock, signal);
    if (starttls !== undefined) {
      look.phase = 'starttls';
      await switchToTls(starttls, talk, server.host);
    }
    look.phase = 'tls';
    const session = await startTls({
      socket,
      host: server,
      alpn,
      ca,
      profile: 'legacy',
      onShown: (shown) => (look.shown = shown),
      clock,
      signal,
    });
    look.session = session;
    const farewell = starttls && FAREWELLS[starttls];
    session.socket.end(farewell ?? '');
  } finally {
    socket.destroy();
  }
}

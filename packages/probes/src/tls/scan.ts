import { type Clock, type Dialler, within } from '@vedette/contract';
import { Asker } from './asker.ts';
import { findCurves, findOrder, findSignatures, findSignatures13, findSuites, findTls13, findVersion } from './enumerate.ts';
import { type Answer, Line, type Server, Stopped } from './exchange.ts';
import { clearVersions, findAlpn, findFallback, findOldFeatures, findSsl2, settle } from './features.ts';
import { type Found, nothingFound } from './found.ts';
import { findSessions } from './sessions.ts';

/** Connections that are kept behind the suites of a version: for each further one that is spoken, and for the rest of the facts. */
const KEPT_FOR_VERSION = 5;
const KEPT_FOR_FACTS = 14;

export interface TlsScan extends Found {
  connections: number;
  /** The answer to the last hello of a server without TLS; undefined with TLS. */
  failed: Answer | undefined;
}

/** The scan of a server that was not reached. */
export const nothingScanned = (): TlsScan => ({ ...nothingFound(), connections: 0, failed: undefined });

export interface TlsScanOptions {
  server: Server;
  /** Sent as SNI; undefined for an address. */
  serverName: string | undefined;
  dialler: Dialler;
  clock: Clock;
  /** The scan ends by then, with what it knows. */
  ms: number;
  signal: AbortSignal;
}

/**
 * Learns the versions and terms of a server, by hellos that are not gone on with, and a few handshakes. Ends early where the server stops answering:
 * the rest stays unknown. Rejects with the signal's reason, and with what the dialler refuses.
 */
export async function scanTls({ server, serverName, dialler, clock, ms, signal }: TlsScanOptions): Promise<TlsScan> {
  const found = nothingFound();
  return await within(
    clock,
    ms,
    signal,
    () => new Stopped('time'),
    async (limited) => {
      const line = new Line(server, { dialler, clock, signal: limited });
      const asker = new Asker(line, found, serverName);
      let failed: Answer | undefined;
      try {
        failed = await asker.open();
        if (!failed) await learn(asker, clock);
        else if (failed.kind !== 'unconnected') await withoutTls(asker);
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        found.stopped = error.why;
        failed ??= asker.unanswered;
      }
      settle(asker);
      return { ...found, connections: line.connections, failed };
    },
  );
}

/** A server that answers no hello of SSL 3.0 or TLS may still speak SSL 2.0. */
async function withoutTls(asker: Asker): Promise<void> {
  await findSsl2(asker);
}

/** The most valuable first: the scan may end at any time. */
async function learn(asker: Asker, clock: Clock): Promise<void> {
  const { found, line } = asker;
  await findTls13(asker);
  await findSsl2(asker);
  const versions = ['tls1_2', 'tls1_0', 'sslv3', 'tls1_1'] as const;
  for (const version of versions) await findVersion(asker, version);
  const spoken = versions.filter((version) => found.suites[version]);
  for (const [index, version] of spoken.entries()) {
    const kept = KEPT_FOR_FACTS + KEPT_FOR_VERSION * (spoken.length - 1 - index);
    await findSuites(asker, version, Math.max(1, line.left - kept));
  }
  await findOldFeatures(asker);
  await findFallback(asker);
  for (const version of ['tls1_3', 'tls1_2', 'tls1_0'] as const) await findOrder(asker, version);
  await findAlpn(asker);
  await findSessions(asker, clock);
  const [newest] = clearVersions(asker);
  if (newest && found.versions.tls1_3 === 'no') await findCurves(asker, newest);
  await findSignatures(asker, line.left - 1);
  await findSignatures13(asker);
}

import type { Clock } from '@vedette/contract';
import { type Completed, completeHandshake } from '../net/handshake/resume.ts';
import type { Asker } from './asker.ts';
import { clearVersions } from './features.ts';

const HTTP = ['h2', 'http/1.1'];

/**
 * Whether sessions are gone on with, by handshakes that are completed: by ticket and by id up to TLS 1.2, by ticket in TLS 1.3. A server that gives
 * tickets need not take them: behind one address there may be many. Handshakes that fail say nothing.
 */
export async function findSessions(asker: Asker, clock: Pick<Clock, 'sleep'>): Promise<void> {
  const { found } = asker;
  const handshake = async (
    version: 'TLSv1.2' | 'TLSv1.3',
    tickets: boolean,
    session?: Buffer,
    alpn: readonly string[] = HTTP,
  ): Promise<Completed | undefined> => {
    const done = await asker.line.connected(async ({ socket }, signal) => ({
      kind: 'completed' as const,
      completed: await completeHandshake({ socket, serverName: asker.serverName, version, tickets, session, alpn, clock, signal }),
    }));
    return done.kind === 'completed' ? done.completed : undefined;
  };
  const resumed = async (first: Completed | undefined, version: 'TLSv1.2' | 'TLSv1.3', tickets: boolean) => {
    if (!first?.session) return first ? 'no' : 'unknown';
    const second = await handshake(version, tickets, first.session);
    return second ? (second.reused ? 'yes' : 'no') : 'unknown';
  };
  if (found.versions.tls1_3 === 'yes') {
    const first = await handshake('TLSv1.3', true);
    if (first) {
      found.tickets13 = first.hasTicket ? 'yes' : 'no';
      if (first.stapled) found.stapling = 'yes';
      else if (found.stapling === 'unknown') found.stapling = 'no';
    }
    found.resumes13 = await resumed(first, 'TLSv1.3', true);
    // Above TLS 1.2 the choice is encrypted: no hello tells it.
    if (first && clearVersions(asker).length === 0) {
      if (first.alpn !== '') found.alpn.push(first.alpn);
      const other = first.alpn === 'h2' ? await handshake('TLSv1.3', true, undefined, ['http/1.1']) : undefined;
      if (other && other.alpn !== '') found.alpn.push(other.alpn);
    }
  }
  if (clearVersions(asker).length === 0) return;
  const withTicket = await handshake('TLSv1.2', true);
  found.resumesByTicket = withTicket?.hasTicket ? await resumed(withTicket, 'TLSv1.2', true) : withTicket ? 'no' : 'unknown';
  found.resumesById = await resumed(await handshake('TLSv1.2', false), 'TLSv1.2', false);
}

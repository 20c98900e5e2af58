/**
 * The process in which net-ping runs: raw-socket binds to the main event loop, so a worker thread cannot hold it, and
 * its times are only good where nothing else runs. It ends with its parent.
 */
import type { NetPingReply, NetPingRequest } from './process.ts';
import type { NetPingSession } from './session.ts';

const tell = (reply: NetPingReply): void => void process.send!(reply);
process.once('disconnect', () => process.exit());

const sessions = new Map<4 | 6, NetPingSession>();
let refusal = '';
try {
  // Imported here because it throws where the addon is not compiled or not for this Node.
  const { NetPingSession: Session } = await import('./session.ts');
  for (const family of [4, 6] as const) {
    try {
      sessions.set(family, new Session(family, process.argv[2] ?? ''));
    } catch (error) {
      refusal = String(error);
    }
  }
} catch (error) {
  refusal = String(error);
}
tell({ kind: 'ready', families: [...sessions.keys()], refusal });

process.on('message', ({ echo, family, address, wait_ms }: NetPingRequest) => {
  sessions.get(family)!.ping(address, wait_ms, (outcome) => {
    // raw-socket's callbacks drain no microtasks: answered from inside one, the reply could lie around for seconds.
    setImmediate(() =>
      tell(outcome instanceof Error ? { kind: 'failed', echo, error: outcome.message } : { kind: 'outcome', echo, outcome }),
    );
  });
});

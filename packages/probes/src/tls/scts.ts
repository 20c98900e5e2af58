import { within } from '@vedette/contract';
import { CURVE_CODES, SIGNATURE_CODES, USUAL } from './asker.ts';
import { clientHello, TLS1_2 } from './client-hello.ts';
import { Line, Stopped } from './exchange.ts';
import type { TlsScanOptions } from './scan.ts';

/**
 * Asks a server for the SCTs that it sends beside its certificate (RFC 6962 §3.3.1), in a hello of TLS 1.2, whose answer is in the clear. Empty
 * without any; undefined where the server does not answer that. Rejects with the signal's reason, and with what the dialler refuses.
 */
export async function askForScts({ server, serverName, dialler, clock, ms, signal }: TlsScanOptions): Promise<Uint8Array | undefined> {
  const hello = clientHello({
    versions: [TLS1_2],
    suites: USUAL,
    serverName,
    groups: CURVE_CODES,
    signatures: SIGNATURE_CODES,
    scts: true,
  });
  try {
    const late = () => new Stopped('time');
    const answer = await within(clock, ms, signal, late, async (limited) =>
      new Line(server, { dialler, clock, signal: limited }).say(hello),
    );
    return answer.kind === 'hello' && answer.hello.version === TLS1_2 ? answer.hello.scts : undefined;
  } catch (error) {
    if (error instanceof Stopped) return undefined;
    throw error;
  }
}

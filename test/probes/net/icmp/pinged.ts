import type { Echo } from '@vedette/contract';

/** What came of each echo, without the times: `ttl/bytes` of its reply, the refusal, why it was not sent, or `lost`. The times are beside. */
export interface Pinged {
  echoes: string[];
  rtts_ms: number[];
}

export async function pinged(echoes: AsyncIterable<Echo>): Promise<Pinged> {
  const seen: Pinged = { echoes: [], rtts_ms: [] };
  for await (const { reply, unreachable, unsent } of echoes) {
    seen.echoes.push(reply ? `${reply.ttl}/${reply.bytes}` : (unreachable ?? (unsent === undefined ? 'lost' : `not sent: ${unsent}`)));
    if (reply) seen.rtts_ms.push(reply.rtt_ms);
  }
  return seen;
}

import type { Clock, IcmpEngine } from '@vedette/contract';

type PathTracer = NonNullable<IcmpEngine['paths']>;
type PathPacket = Parameters<PathTracer['send']>[1];
type PathOutcome = Awaited<Awaited<ReturnType<PathTracer['send']>>['outcome']>;
type PathAnswer = NonNullable<PathOutcome['answer']>;

export interface SentPacket extends PathPacket {
  at: number;
  address: string;
}
/** What comes of a packet, and after how many ms. `nth`: how many went with that TTL before, in all flows. */
export type Answering = (
  packet: SentPacket,
  nth: number,
) => (Partial<PathAnswer> & { rtt_ms: number }) | { unsent: string; interface_mtu?: number } | undefined;

/** An ICMP engine that traces a path as it is told, and does nothing else. Times are those of the clock. */
export function fakePaths(clock: Clock, answering: Answering): IcmpEngine & { sent: SentPacket[] } {
  const sent: SentPacket[] = [];
  const outcomeOf = async (packet: SentPacket): Promise<PathOutcome> => {
    const nth = sent.filter(({ ttl }) => ttl === packet.ttl).length - 1;
    const answer = answering(packet, nth);
    if (answer && 'unsent' in answer) return answer;
    await clock.sleep(Math.min(answer?.rtt_ms ?? Infinity, packet.wait_ms));
    if (!answer || answer.rtt_ms > packet.wait_ms) return {};
    return { answer: { address: packet.address, ttl: 64, kind: 'icmp', type: 11, code: 0, labels: [], ...answer } };
  };
  return {
    name: 'kernel',
    overhead_ms: 0,
    v4: true,
    v6: true,
    countsStrays: false,
    shapesEchoes: true,
    sent,
    paths: {
      async send(address, packet, signal) {
        await clock.sleep(2, signal);
        const one = { ...packet, address, at: clock.now() };
        sent.push(one);
        return { outcome: outcomeOf(one) };
      },
    },
    echoes() {
      throw new Error('a trace sends no such echoes');
    },
    close() {},
  };
}

import type { PathAnswer } from '../net/icmp/path-types.ts';
import { rttSummary, toMicroseconds } from '../ping/rtt.ts';
import type { Path, TracePacket } from './path.ts';
import type { Answer, Hop } from './schema.ts';

/** Linux answers so many packets of one sender at once, then one a second. */
const USUAL_BURST = 6;
/** Unanswered packets behind the answered ones that make a limit, and not chance. */
const UNANSWERED_BEHIND = 3;

/** The hops of a path, up to where its flows end, or to the last that answered. `isShown`: whether an address may be told. */
export function hopsOf(path: Path, isShown: (address: string) => boolean): Hop[] {
  const byTtl = Map.groupBy(
    path.packets.filter(({ ttl, flow, outcome }) => outcome?.unsent === undefined && ttl <= (path.end(flow)?.ttl ?? path.maxHops)),
    ({ ttl }) => ttl,
  );
  const hops: Hop[] = [];
  for (let ttl = 1; ttl <= path.lastAnswered(); ttl++) {
    const packets = byTtl.get(ttl);
    if (packets) hops.push(hopOf(ttl, packets, isShown));
  }
  return hops.map((hop, index) => ({ ...hop, answers_limited: hop.answers_limited || losesOnlyAnswers(hop, hops.slice(index + 1)) }));
}

function hopOf(hop: number, packets: readonly TracePacket[], isShown: (address: string) => boolean): Hop {
  const answered = packets.flatMap(({ flow, outcome }) => (outcome?.answer ? [{ flow, answer: outcome.answer }] : []));
  const groups = Map.groupBy(answered, ({ answer: { address, kind, type, code } }) => [address, kind, type, code].join(' '));
  return {
    hop,
    packets_sent: packets.length,
    packets_received: answered.length,
    answers_limited: isCutOff(packets),
    rtt: rttOf(answered),
    answers: [...groups.values()].map((group) => answerOf(group, isShown)),
  };
}

interface Answered {
  flow: number;
  answer: PathAnswer;
}

function answerOf(group: readonly Answered[], isShown: (address: string) => boolean): Answer {
  const { address, kind, type, code, ttl, labels } = group.at(-1)!.answer;
  return {
    ip_address: isShown(address) ? address : '',
    kind,
    type,
    code,
    packets_received: group.length,
    rtt: rttOf(group),
    ttl,
    flows: [...new Set(group.map(({ flow }) => flow))].toSorted((a, b) => a - b),
    labels,
  };
}

const rttOf = (group: readonly Answered[]) => rttSummary(group.map(({ answer }) => toMicroseconds(answer.rtt_ms)));

/** Whether a later hop lost fewer: then packets passed this one that it did not answer. */
function losesOnlyAnswers({ packets_sent, packets_received }: Hop, later: readonly Hop[]): boolean {
  return later.some((hop) => hop.packets_received * packets_sent > packets_received * hop.packets_sent);
}

/** Whether a router answered the first packets and then no more. A target's own answers have no such limit. */
function isCutOff(packets: readonly TracePacket[]): boolean {
  const answers = packets.map(({ outcome }) => outcome?.answer);
  const received = answers.filter(Boolean).length;
  return (
    received > 0 &&
    received <= USUAL_BURST &&
    packets.length - received >= UNANSWERED_BEHIND &&
    answers.every((answer, index) => (index < received ? answer?.kind === 'icmp' : answer === undefined))
  );
}

import { unreachableText } from '../net/icmp/unreachable.ts';
import type { Answer } from './schema.ts';

const OWN_ANSWERS: Record<Exclude<Answer['kind'], 'icmp'>, string> = {
  echo_reply: 'Echo reply',
  datagram: 'UDP datagram',
  syn_ack: 'TCP SYN-ACK',
  rst: 'TCP RST',
};

/** An answer in words; those of ping(8) for an ICMP error. */
export function answerText(family: 4 | 6, { kind, type, code }: Pick<Answer, 'kind' | 'type' | 'code'>): string {
  if (kind !== 'icmp') return OWN_ANSWERS[kind];
  return unreachableText(family, type, code) ?? `ICMP type ${type}, code ${code}`;
}

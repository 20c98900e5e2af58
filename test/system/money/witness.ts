import type { Endpoint } from '@vedette/contract';
import { a, response, startServer } from '../../probes/dns/scripted-server.ts';

/** How long a slow name takes: some requests are always in the middle of their work. */
const SLOW_MS = 150;

/** A DNS server that knows every name, and which of them it has answered: a request whose name is not among them was not finished. */
export interface Witness {
  endpoint: Endpoint;
  /** Names in lower case: those that a question came for, and those of them that had their answer. */
  asked: Set<string>;
  answered: Set<string>;
  /** While it is set, no question has an answer. */
  isSilent: boolean;
  stop(): Promise<void>;
}

export async function startWitness(): Promise<Witness> {
  const asked = new Set<string>();
  const answered = new Set<string>();
  const witness = { asked, answered, isSilent: false };
  const server = await startServer(({ query, question, reply }) => {
    server.asked.length = 0; // by the hundred thousand
    const name = question.name.toLowerCase();
    asked.add(name);
    if (witness.isSilent) return;
    const answer = (): void => {
      answered.add(name);
      reply(response(query, { answers: [a(question.name)], flags: AUTHORITATIVE }));
    };
    if (isSlow(name)) setTimeout(answer, SLOW_MS).unref();
    else answer();
  });
  return Object.assign(witness, { endpoint: server.endpoint, stop: server.stop });
}

/** RFC 1035 §4.1.1: with AA and RA set nobody is asked twice. */
const AUTHORITATIVE = 0x0480;

const isSlow = (name: string): boolean => name.startsWith('0');

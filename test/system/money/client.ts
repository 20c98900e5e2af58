import { setTimeout as sleep } from 'node:timers/promises';

/** What a client saw of one request. */
export type Outcome =
  | { how: 'delivered'; cost: number }
  | { how: 'refused'; status: number; code: string }
  /** The connection was refused or ended before the whole answer was there. */
  | { how: 'broken' }
  /** The client hung up without its answer. */
  | { how: 'left' };

export interface SentRequest {
  /** Its Idempotency-Key. */
  key: string;
  /** The host it asks about, which no other request does. */
  host: string;
  outcome: Outcome;
  /** Its client has had an answer to a later request: the gateway that it left has known of it, and settled it. */
  settled: boolean;
}

export interface Target {
  /** Of the gateway; may change while requests are sent. */
  url: string;
  apiKey: string;
}

const PATIENCE_MS = 20_000;
const PAUSE_AFTER_REFUSAL_MS = 20;
/** One request in so many is left by its client, at any time until it would have had its answer. */
const LEAVES_ONE_IN = 4;
const LEAVES_WITHIN_MS = 30;

interface Sending {
  key?: string;
  host: string;
  leaveAfterMs?: number;
}

/** A dns-lookup for one A record: one credit. `key` is its Idempotency-Key. */
export async function send({ url, apiKey }: Target, { key, host, leaveAfterMs }: Sending): Promise<Outcome> {
  const leave = AbortSignal.timeout(leaveAfterMs ?? PATIENCE_MS);
  try {
    const response = await fetch(`${url}/v2/dns-lookup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...(key !== undefined && { 'idempotency-key': key }) },
      body: JSON.stringify({ host, dns_types: 'A' }),
      signal: leave,
    });
    const body = (await response.json()) as { code?: string };
    if (response.status !== 200) return { how: 'refused', status: response.status, code: body.code ?? '' };
    return { how: 'delivered', cost: Number(/cost=(\d+)/.exec(response.headers.get('x-service-quota') ?? '')?.[1]) };
  } catch {
    return { how: leave.aborted && leaveAfterMs !== undefined ? 'left' : 'broken' };
  }
}

export interface Load {
  sent: SentRequest[];
  /** Lets requests under way finish; resolves when the last client has. */
  stop(): Promise<void>;
}

/**
 * Clients with keep-alive that send one request after the other, each under a key of its own. One whose connection breaks ends. With
 * `leaving` they hang up now and then.
 */
export function startLoad(target: Target, clients: number, { leaving = false } = {}): Load {
  const sent: SentRequest[] = [];
  const end = new AbortController();
  const client = async (): Promise<void> => {
    let left: SentRequest[] = [];
    while (!end.signal.aborted) {
      const key = crypto.randomUUID();
      const host = `${key}.example.org`;
      const leaves = leaving && Math.random() * LEAVES_ONE_IN < 1;
      const outcome = await send(target, { key, host, ...(leaves && { leaveAfterMs: Math.round(Math.random() * LEAVES_WITHIN_MS) }) });
      const request = { key, host, outcome, settled: false };
      sent.push(request);
      if (outcome.how === 'left') left.push(request);
      if (outcome.how === 'delivered') {
        for (const before of left) before.settled = true;
        left = [];
      }
      if (outcome.how === 'broken') return;
      if (outcome.how === 'refused') await sleep(PAUSE_AFTER_REFUSAL_MS);
    }
  };
  const clientsDone = Promise.all(Array.from({ length: clients }, client));
  return {
    sent,
    async stop() {
      end.abort();
      await clientsDone;
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';

/** What a client saw of one request. */
export type Outcome =
  | { how: 'delivered'; cost: number }
  | { how: 'refused'; status: number; code: string }
  /** The connection was refused or ended before the whole answer was there. */
  | { how: 'broken' };

export interface SentRequest {
  /** Its Idempotency-Key. */
  key: string;
  /** The host it asks about, which no other request does. */
  host: string;
  outcome: Outcome;
}

export interface Target {
  /** Of the gateway; may change while requests are sent. */
  url: string;
  apiKey: string;
}

const PATIENCE_MS = 20_000;
const PAUSE_AFTER_REFUSAL_MS = 20;

/** A dns-lookup for one A record: one credit. `key` is its Idempotency-Key. */
export async function send({ url, apiKey }: Target, { key, host }: { key?: string; host: string }): Promise<Outcome> {
  try {
    const response = await fetch(`${url}/v2/dns-lookup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...(key !== undefined && { 'idempotency-key': key }) },
      body: JSON.stringify({ host, dns_types: 'A' }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const body = (await response.json()) as { code?: string };
    if (response.status !== 200) return { how: 'refused', status: response.status, code: body.code ?? '' };
    return { how: 'delivered', cost: Number(/cost=(\d+)/.exec(response.headers.get('x-service-quota') ?? '')?.[1]) };
  } catch {
    return { how: 'broken' };
  }
}

export interface Load {
  sent: SentRequest[];
  /** Lets requests under way finish; resolves when the last client has. */
  stop(): Promise<void>;
}

/** Clients with keep-alive that send one request after the other, each under a key of its own. One whose connection breaks leaves. */
export function startLoad(target: Target, clients: number): Load {
  const sent: SentRequest[] = [];
  const end = new AbortController();
  const client = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const key = crypto.randomUUID();
      const host = `${key}.example.org`;
      const outcome = await send(target, { key, host });
      sent.push({ key, host, outcome });
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

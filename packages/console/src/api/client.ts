import { events } from './events.ts';
import { creditsLeft, key, signOut } from './session.ts';

/** Why there is no report: the API's own words, or those of the network between. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** The field that is wrong. */
  readonly param: string | undefined;
  readonly retryAfterS: number | undefined;

  constructor(
    message: string,
    { status, code, param, retryAfterS }: { status: number; code: string; param?: string; retryAfterS?: number },
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
    this.retryAfterS = retryAfterS;
  }
}

interface Asked {
  signal?: AbortSignal;
  /** Called with each entry as its location answers; asks for an event stream. */
  onEntry?: (entry: Record<string, unknown>) => void;
  /** Names the request, so that asking again after a break is free. */
  idempotencyKey?: string;
}

/** `randomUUID` exists over HTTPS and on the loopback alone; this does everywhere. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

async function send(
  path: string,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  withKey = key.value,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers: { ...init.headers, 'x-api-key': withKey }, credentials: 'omit' });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new Refusal('The gateway does not answer. Is it running, and is this machine on the network?', {
      status: 0,
      code: 'unreachable',
    });
  }
  const [, remaining] = /\bremaining=(-?\d+)/.exec(response.headers.get('x-service-quota') ?? '') ?? [];
  if (remaining !== undefined && withKey === key.value) creditsLeft.value = Number(remaining);
  if (response.ok) return response;
  const text = await response.text();
  const body = parsed(text) as { error?: unknown; code?: unknown; param?: unknown } | undefined;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const why = typeof body?.error === 'string' ? body.error : `The answer has status ${response.status} and no explanation`;
  if (response.status === 401 && withKey !== '' && withKey === key.value) signOut(why);
  throw new Refusal(why, {
    status: response.status,
    code: typeof body?.code === 'string' ? body.code : 'unknown',
    ...(typeof body?.param === 'string' && { param: body.param }),
    ...(Number.isFinite(retryAfter) && { retryAfterS: retryAfter }),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function get(path: string): Promise<unknown> {
  return (await send(path, {})).json();
}

/** Asks whether the gateway takes a key. Throws a `Refusal` where it does not. */
export async function tryKey(value: string): Promise<void> {
  await send('/v2/account-info', { method: 'POST', headers: { 'content-type': 'application/json' } }, value);
}

/** Asks an operation. Resolves to its report; rejects with a `Refusal`, or as the signal says. */
export async function ask(operation: string, request: object, { signal, onEntry, idempotencyKey }: Asked = {}): Promise<unknown> {
  const response = await send(`/v2/${operation}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: onEntry ? 'text/event-stream' : 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    // account-info takes no body.
    body: operation === 'account-info' ? null : JSON.stringify(request),
    ...(signal && { signal }),
  });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.json();
  for await (const { event, data } of events(response)) {
    if (event === 'location') onEntry?.(data as Record<string, unknown>);
    else if (event === 'report') return data;
    else if (event === 'error') {
      const { error, code } = data as { error: string; code: string };
      throw new Refusal(error, { status: response.status, code });
    }
  }
  throw new Refusal('The answer broke off before its end. Asking the same again within ten minutes costs nothing more', {
    status: 0,
    code: 'broken',
  });
}

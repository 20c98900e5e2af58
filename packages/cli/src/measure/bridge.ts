import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { newIdempotencyKey } from '@vedette/client';
import type { Profile } from '../profile/profiles.ts';

interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: Record<string, unknown> };
}

interface Answer {
  jsonrpc?: string;
  id: string | number;
  error?: unknown;
  result?: { protocolVersion?: string; isError?: boolean; content?: unknown };
}

export interface BridgePorts {
  profile: Profile;
  /** Headers besides the key: what the client allows itself. */
  headers: Record<string, string>;
  fetch: typeof fetch;
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  input: Readable;
  write: (line: string) => void;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
/** The parameter that a header repeats. */
const NAMES: Readonly<Record<string, 'name' | 'uri'>> = { 'tools/call': 'name', 'resources/read': 'uri' };
/** Pauses before a call is sent again. A gateway may be starting anew, and two seconds later it frees what its predecessor held. */
const LAST = 0;
const WAITS_MS = [500, 1000, 2000, 4000, LAST];
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

/** Serves MCP over lines of JSON by the gateway's `/mcp`. Resolves when the input has ended and every request has its answer. */
export async function bridge({ profile, headers, fetch, sleep, input, write }: BridgePorts): Promise<void> {
  const url = `${profile.url.replace(/\/+$/, '')}/mcp`;
  const underWay = new Map<unknown, AbortController>();
  const answers = new Set<Promise<void>>();
  /** The version of the 2025 handshake, which later requests name. */
  let agreed: string | undefined;

  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    const message = parse(line);
    if (message === undefined) fail(null, PARSE_ERROR, 'This line is not a JSON object');
    else if (message.method === 'notifications/cancelled') underWay.get(message.params?.requestId)?.abort();
    else if (message.id !== undefined && message.method !== undefined) {
      const answer = forward(message.id, message, line).finally(() => answers.delete(answer));
      answers.add(answer);
    }
  }
  await Promise.all(answers);

  function fail(id: string | number | null, code: number, message: string): void {
    write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }

  async function forward(id: string | number, message: Message, body: string): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    underWay.set(id, controller);
    const headersOfAll = {
      ...headers,
      ...headersOf(message, agreed),
      'x-api-key': profile.key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      // A call that is sent again after a break is paid once.
      ...(message.method === 'tools/call' && { 'idempotency-key': newIdempotencyKey() }),
    };
    try {
      for (const waitMs of WAITS_MS) {
        // A cancelled request has no answer.
        const answer = await ask(id, { method: 'POST', redirect: 'error', headers: headersOfAll, body, signal }).catch(() => undefined);
        if (signal.aborted) return;
        if (answer !== undefined && (waitMs === LAST || !stillRuns(answer))) {
          if (message.method === 'initialize') agreed = answer.result?.protocolVersion;
          write(JSON.stringify(answer));
          return;
        }
        if (waitMs !== LAST) await sleep(waitMs, signal).catch(() => undefined);
        if (signal.aborted) return;
      }
      fail(id, SERVER_ERROR, `The gateway cannot be reached: ${new URL(url).origin}`);
    } finally {
      underWay.delete(id);
    }
  }

  /** Asks once, and hands progress on. Resolves to the answer. Throws if there is none. */
  async function ask(id: string | number, request: RequestInit): Promise<Answer> {
    const response = await fetch(url, request);
    for await (const text of messagesIn(response)) {
      const message = parse(text) as (Answer & Message) | undefined;
      if (message?.jsonrpc === undefined) {
        const refusal = message?.error;
        const told = typeof refusal === 'string' ? refusal : `The gateway answered with the status ${response.status}`;
        return { jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message: told } };
      }
      if (message.method === undefined) return message;
      write(JSON.stringify(message));
    }
    throw new Error('the answer broke off');
  }
}

/** The first try of this call, whose answer broke off, has not ended yet. */
const stillRuns = ({ result }: Answer): boolean =>
  result?.isError === true && JSON.stringify(result.content).includes(String.raw`\"code\":\"idempotency_conflict\"`);

function parse(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The headers of the protocol that repeat what the message says. */
function headersOf({ method = '', params }: Message, agreed: string | undefined): Record<string, string> {
  const { _meta: meta } = params ?? {};
  const version = meta?.[VERSION];
  if (typeof version !== 'string') return agreed === undefined ? {} : { 'mcp-protocol-version': agreed };
  const named = NAMES[method];
  const name = named && params?.[named];
  return { 'mcp-protocol-version': version, 'mcp-method': method, ...(typeof name === 'string' && { 'mcp-name': name }) };
}

/** The messages of an answer: one, or an event stream with progress before it. */
async function* messagesIn(response: Response): AsyncGenerator<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    yield await response.text();
    return;
  }
  let parts: string[] = [];
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    parts.push(part);
    if (!part.includes('\n')) continue;
    const lines = parts.join('').split('\n');
    parts = [lines.pop()!];
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice(6);
  }
}

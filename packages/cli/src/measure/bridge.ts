import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Profile } from '../profile/profiles.ts';

interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: Record<string, unknown> };
}

export interface BridgePorts {
  profile: Profile;
  /** Headers besides the key: what the client allows itself. */
  headers: Record<string, string>;
  fetch: typeof fetch;
  input: Readable;
  write: (line: string) => void;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
/** The parameter that a header repeats. */
const NAMES: Readonly<Record<string, 'name' | 'uri'>> = { 'tools/call': 'name', 'resources/read': 'uri' };
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

/** Serves MCP over lines of JSON by the gateway's `/mcp`. Resolves when the input has ended and every request has its answer. */
export async function bridge({ profile, headers, fetch, input, write }: BridgePorts): Promise<void> {
  const url = new URL('/mcp', profile.url);
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
    underWay.set(id, controller);
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        headers: {
          ...headers,
          ...headersOf(message, agreed),
          'x-api-key': profile.key,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body,
        signal: controller.signal,
      });
      const text = messageIn(await response.text());
      const answer = parse(text) as { error?: unknown; result?: { protocolVersion?: string }; jsonrpc?: string } | undefined;
      if (answer?.jsonrpc === undefined) {
        fail(
          id,
          SERVER_ERROR,
          typeof answer?.error === 'string' ? answer.error : `The gateway answered with the status ${response.status}`,
        );
        return;
      }
      if (message.method === 'initialize') agreed = answer.result?.protocolVersion;
      write(text);
    } catch {
      // A cancelled request has no answer.
      if (!controller.signal.aborted) fail(id, SERVER_ERROR, `The gateway cannot be reached: ${url.origin}`);
    } finally {
      underWay.delete(id);
    }
  }
}

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

/** The one message of an answer, which older versions of the protocol send as an event stream. */
const messageIn = (text: string): string => /(?:^|\n)data: ([^\r\n]*)/.exec(text)?.[1] ?? text;

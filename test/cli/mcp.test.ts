import { Readable } from 'node:stream';
import { openDesk } from '@vedette/cli/desk';
import { createProgram } from '@vedette/cli/program';
import { expect, it } from 'vitest';

interface Asked {
  url: string;
  headers: Headers;
}
type Answer = (asked: Asked, turn: number) => Response | Promise<Response>;

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ping-test', arguments: { host: 'a.test' } } };
const RESULT = { jsonrpc: '2.0', id: 1, result: { content: [] } };
const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body, null, 2), { status, headers: { 'content-type': 'application/json' } });
const broken = (): never => {
  throw new TypeError('fetch failed');
};

/** The command, whose client sends these messages: what it wrote, and what the gateway was asked. */
async function mcp(messages: object[], answer: Answer, url = 'https://api.example.org') {
  const asked: Asked[] = [];
  const waited: number[] = [];
  let out = '';
  const program = await createProgram(['mcp'], {
    operator: () => Promise.reject(new Error('no operator here')),
    desk: {
      ...openDesk(),
      profile: () => ({ url, key: 'vdt_test' }),
      input: Readable.from(messages.map((message) => `${JSON.stringify(message)}\n`)),
      out: { write: (text: string) => (out += text) },
      sleep: async (ms) => void waited.push(ms),
      fetch: async (input, init) => {
        asked.push({ url: input as string, headers: new Headers(init?.headers) });
        return answer(asked.at(-1)!, asked.length);
      },
    },
  });
  await program.parseAsync(['mcp', '--max-credits', '9'], { from: 'user' });
  return {
    written: out.split('\n').filter(Boolean),
    messages: out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
    asked,
    waited,
  };
}

it('writes one line for each message, however the gateway prints it, and asks below the path of the profile', async () => {
  const { messages, asked } = await mcp([CALL], () => json(RESULT), 'https://example.org/vedette/');
  expect(messages).toEqual([RESULT]);
  expect(asked.map(({ url, headers }) => [url, headers.get('x-api-key'), headers.get('vedette-max-credits')])).toEqual([
    ['https://example.org/vedette/mcp', 'vdt_test', '9'],
  ]);
});

it('hands progress on before the result', async () => {
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 5 } };
  const text = [progress, RESULT].map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`).join(': keepalive\n\n');
  const { messages } = await mcp([CALL], () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }));
  expect(messages).toEqual([progress, RESULT]);
});

it('sends a call again whose answer broke off, with the same key, and while the first one still runs', async () => {
  const running = { content: [{ type: 'text', text: JSON.stringify({ error: 'x', code: 'idempotency_conflict' }) }], isError: true };
  const cut = () => new Response('event: message\nda', { headers: { 'content-type': 'text/event-stream' } });
  const answers = [broken, cut, () => json({ ...RESULT, result: running }), () => json(RESULT)];
  const { messages, asked, waited } = await mcp([CALL], (_, turn) => answers[turn - 1]!());
  expect(messages).toEqual([RESULT]);
  expect(waited).toEqual([500, 1000, 2000]);
  const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/^[0-9a-f]{32}$/)));
  expect(new Set(keys).size).toBe(1);
});

it('says so when no answer comes, and what the gateway refuses', async () => {
  const gone = await mcp([CALL], broken);
  expect(gone.messages).toEqual([
    { jsonrpc: '2.0', id: 1, error: { code: -32_000, message: expect.stringContaining('https://api.example.org') } },
  ]);
  expect(gone.asked).toHaveLength(5);
  const refused = await mcp([CALL], () => json({ error: 'The API key is unknown', code: 'key_unknown' }, 401));
  expect(refused.messages).toMatchObject([{ error: { message: 'The API key is unknown' } }]);
});

it('sends nothing for a call that its client cancels', async () => {
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const { written, asked } = await mcp([CALL, cancel], broken);
  expect(written).toEqual([]);
  expect(asked).toHaveLength(1);
});

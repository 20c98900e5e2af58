import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { askOverHttp1 } from '../../../packages/probes/src/http/wire/http1.ts';
import type { HttpHead } from '@vedette/probes/http';
import { ANSWERS, reading } from './answers.ts';
import { type Behaviour, BEHAVIOURS } from './behaviours.ts';
import { type Get, getOverLenientNodeHttp, getOverNodeHttp, getOverUndici } from './peers.ts';
import { rawServer } from './raw-server.ts';

const url = new URL('http://a.test/');
const PEERS = { undici: getOverUndici, nodeHttp: getOverNodeHttp };

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {}); // as in the dialler
  await once(socket, 'connect');
  return socket;
}

/** What one reader makes of the pieces, each sent when the one before has been read. */
async function read(get: Get, pieces: readonly string[]) {
  await using server = await rawServer((socket) => {
    socket.setNoDelay(true);
    socket.once('data', () => {
      void (async () => {
        for (const [index, piece] of pieces.entries()) {
          if (index > 0) await new Promise((resolve) => setTimeout(resolve, 30));
          socket.write(piece, 'latin1');
        }
        socket.end();
      })();
    });
  });
  const socket = await open(server.port);
  let head: HttpHead | undefined;
  let body = '';
  let firstByte = false;
  const sink = {
    firstByte() {
      firstByte = true;
    },
    head(received: HttpHead) {
      head = received;
    },
    body(chunk: Uint8Array) {
      body += Buffer.from(chunk).toString('latin1');
      return true;
    },
  };
  const refused = await get(socket, url, sink, 'test').then(
    () => false,
    () => true,
  );
  socket.destroy();
  return { text: refused ? 'refused' : reading(head, body), version: head?.version, firstByte };
}

describe.each(Object.entries(PEERS))('%s beside our reader', (peer, get) => {
  it.each(ANSWERS)('$what', async ({ wire, ours, ...others }) => {
    const { text } = await read(get, [wire]);
    expect(text).toBe(others[peer as keyof typeof PEERS] ?? ours.replace(/^refused.*/, 'refused'));
  });
});

it('names a reason where a peer differs, and only there', () => {
  const differs = ({ ours, undici, nodeHttp }: (typeof ANSWERS)[number]) =>
    [undici, nodeHttp].some((theirs) => theirs !== undefined && theirs !== ours.replace(/^refused.*/, 'refused'));
  expect(ANSWERS.filter((answer) => differs(answer) !== (answer.why !== undefined)).map(({ what }) => what)).toEqual([]);
});

/** How each reader fares with a server that goes on: it refuses by itself, or only the deadline ends it. */
const GOES_ON: [Behaviour, ours: string, undici: string, nodeHttp: string][] = [
  ['never', 'waits', 'waits', 'waits'],
  ['header-drip', 'waits', 'waits', 'waits'],
  ['endless-headers', 'refuses', 'refuses', 'refuses'],
  ['endless-header-lines', 'refuses', 'refuses', 'refuses'],
  ['endless-interim', 'refuses', 'refuses', 'refuses'], // by the count that `peers.ts` adds to both
  ['endless-phrase', 'refuses', 'waits', 'refuses'],
  ['endless-chunk-extension', 'refuses', 'waits', 'refuses'],
  ['endless-small-chunks', 'refuses', 'waits', 'waits'],
];

describe.each(GOES_ON)('a server that goes on: %s', (behaviour, ...outcomes) => {
  it.each([
    ['ours', askOverHttp1, outcomes[0]],
    ['undici', getOverUndici, outcomes[1]],
    ['node:http', getOverNodeHttp, outcomes[2]],
  ])('%s', async (_reader, get, expected) => {
    await using server = await rawServer((socket) => socket.once('data', () => BEHAVIOURS[behaviour](socket)));
    const socket = await open(server.port);
    const sink = { firstByte() {}, head() {}, body: () => true };
    const ended = get(socket, url, sink, 'test').then(
      () => 'reads',
      () => 'refuses',
    );
    const waited = new Promise<string>((resolve) => setTimeout(resolve, expected === 'waits' ? 400 : 20_000, 'waits').unref());
    expect(await Promise.race([ended, waited])).toBe(expected);
    socket.destroy();
  });
});

it.each([
  ['ours', askOverHttp1, 'HTTP/1.0'],
  ['undici', getOverUndici, ''], // geo-request shows the version: `http_version`
  ['node:http', getOverNodeHttp, 'HTTP/1.0'],
])('%s tells the version of the answer and when it began', async (_reader, get, version) => {
  expect(await read(get, ['HTTP/1.0 200 OK\r\n\r\n'])).toEqual({ text: '200 OK [] ', version, firstByte: true });
});

it.each([
  ['ours', askOverHttp1, '404 Not Found [] '],
  ['undici', getOverUndici, '404 Found [] '], // keeps the last piece of a phrase
  ['node:http', getOverNodeHttp, '404 Not Found [] '],
])('%s reads a reason phrase that arrives in two segments', async (_reader, get, text) => {
  expect(await read(get, ['HTTP/1.1 404 Not ', 'Found\r\n\r\n'])).toMatchObject({ text });
});

it.each([
  ['bare LF', 'HTTP/1.1 200 OK\n\nhi', '200 OK [] hi'],
  ['obs-fold', 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n', '200 OK [x: a b] '],
  [
    'Content-Length beside Transfer-Encoding, which we refuse',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
    '200 OK [content-length: 1, transfer-encoding: chunked] a',
  ],
])('the lenient parser of node:http takes %s', async (_form, wire, text) => {
  expect(await read(getOverLenientNodeHttp, [wire])).toMatchObject({ text });
});

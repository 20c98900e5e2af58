import { ProbeFailure } from '@vedette/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Http1Reader } from '../../../packages/probes/src/http/wire/http1-reader.ts';
import type { HttpHead } from '@vedette/probes/http';
import { ANSWERS, reading } from './answers.ts';
import { runs } from '../../runs.ts';

interface Read {
  head?: HttpHead;
  body: string;
  done: boolean;
  /** The connection came to its end before the answer did. */
  closed?: true;
  failure?: string;
}

/** Feeds the pieces one by one, then the end of the connection. */
function read(pieces: readonly string[]): Read {
  const result: Read = { body: '', done: false };
  const reader = new Http1Reader({
    firstByte() {},
    head(head) {
      result.head = head;
    },
    body(chunk) {
      result.body += Buffer.from(chunk).toString('latin1');
      return true;
    },
  });
  try {
    for (const piece of pieces) {
      result.done = reader.push(Buffer.from(piece, 'latin1'));
      if (result.done) return result;
    }
    result.closed = true;
    reader.end();
    result.done = true;
  } catch (error) {
    if (!(error instanceof ProbeFailure)) throw error;
    result.failure = error.code;
  }
  return result;
}

it('reads a whole answer', () => {
  expect(read(['HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 5\r\n\r\nhello and more'])).toEqual({
    head: {
      version: 'HTTP/1.1',
      status: 200,
      statusMessage: 'OK',
      headers: [
        ['server', 'x'],
        ['content-length', '5'],
      ],
    },
    body: 'hello',
    done: true,
  });
});

it.each(ANSWERS)('$what: $ours', ({ wire, ours }) => {
  const { head, body, failure } = read([wire]);
  expect(failure === undefined ? reading(head, body) : `refused: ${failure}`).toBe(ours);
});

it.each([
  ['a reason phrase', 'HTTP/1.1 200 ', 'too_large'],
  ['a header line', 'HTTP/1.1 200 OK\r\nX: ', 'too_large'],
  ['a chunk extension', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'http_protocol'],
  ['a trailer', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ', 'too_large'],
])('gives up on %s while it still runs', (_endless, start, failure) => {
  const { closed, ...result } = read([start, ...Array<string>(8).fill('a'.repeat(10_000))]);
  expect([closed, result.failure]).toEqual([undefined, failure]);
});

const part = fc.constantFrom(
  'HTTP/1.1 200 OK\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'Content-Length: 3\r\n',
  'Transfer-Encoding: chunked\r\n',
  'X: y\r\n',
  ' folded\r\n',
  '\r\n',
  '\n',
  '3\r\nabc\r\n',
  '0\r\n',
  'abc',
  '\0',
  '\r',
  ':',
);
const wire = fc.oneof(
  fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.array(part, { maxLength: 8 }).map((parts) => `HTTP/1.1 200 OK\r\n${parts.join('')}`),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);

describe('in pieces', () => {
  it('reads the same, however the bytes arrive', () => {
    fc.assert(
      fc.property(wire, fc.array(fc.nat(300), { maxLength: 10 }), (text, cuts) => {
        const edges = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
        const pieces = edges.slice(1).map((edge, i) => text.slice(edges[i], edge));
        expect(read(pieces)).toEqual(read([text]));
        expect(read(text.split(''))).toEqual(read([text]));
      }),
      { numRuns: runs(2000) },
    );
  });
});

import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { FileBytes } from '@vedette/operations/kit';
import { describe, expect, it } from 'vitest';
import { type FileAnswer, hasFiles, printFiles } from '../../packages/gateway/src/http/file-answer.ts';
import { PIECE_BYTES } from '../../packages/gateway/src/http/pieces.ts';
import { htmlToPng } from '../../packages/operations/src/html-to-png/index.ts';
import { pingTest } from '../../packages/operations/src/ping-test/index.ts';

const streamed = async (answer: FileAnswer): Promise<string> => (await buffer(answer.stream())).toString();

describe('an answer with a file', () => {
  it.each([0, 1, 2, 3, 49_151, 49_152, 49_153, 200_000])(
    'of %i bytes is JSON with the file in base64, of the length that was said',
    async (length) => {
      const bytes = randomBytes(length);
      const report = { a: 'é', rendered_file: { format: 'PNG', base64_file: new FileBytes(bytes) }, z: [1, { b: null }] };
      const answer = printFiles(report, JSON.stringify);
      const expected = JSON.stringify({ ...report, rendered_file: { format: 'PNG', base64_file: bytes.toString('base64') } });
      expect(await streamed(answer)).toBe(expected);
      expect(answer.toString()).toBe(expected);
      expect(answer.byteLength).toBe(Buffer.byteLength(expected));
    },
  );

  it('with several files has each in its place', async () => {
    const report = {
      b: new FileBytes(Buffer.from('second')),
      a: new FileBytes(Buffer.from('first')),
      none: new FileBytes(new Uint8Array()),
    };
    expect(JSON.parse(await streamed(printFiles(report, ({ b, a, none }) => JSON.stringify({ a, none, b }))))).toEqual({
      a: 'Zmlyc3Q=',
      none: '',
      b: 'c2Vjb25k',
    });
  });

  it('leaves in pieces, whatever its size', async () => {
    const sizes: number[] = [];
    for await (const piece of printFiles(
      { html: 'x'.repeat(300_000), file: new FileBytes(randomBytes(5_000_000)) },
      JSON.stringify,
    ).stream())
      sizes.push((piece as Buffer).length);
    expect(Math.max(...sizes)).toBe(PIECE_BYTES);
  });

  it('a view of a larger buffer is itself alone', () => {
    const view = new Uint8Array(Buffer.from('abcdef').buffer.slice(0), 0, 3);
    const bytes = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
    expect(printFiles({ file: new FileBytes(bytes) }, JSON.stringify).toString()).toBe('{"file":"AgM="}');
    expect(new FileBytes(view).toString()).toHaveLength(4);
  });

  it('is known by the schema of its operation', () => {
    expect([hasFiles(htmlToPng.response), hasFiles(pingTest.response)]).toEqual([true, false]);
  });
});

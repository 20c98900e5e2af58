import { writeSync } from 'node:fs';
import { MessageFacts } from '@vedette/message/report';
import { Create } from 'typebox/value';
import { serve } from '../../../packages/message/src/parser/serve.ts';
import { attempts } from './attempts.ts';

/** What a parser runs in tests: it does what the message says, and answers with `body_text`. */

const BLANK = Create(MessageFacts);

const answer = (body_text: string): MessageFacts => ({ ...BLANK, body: { body_text, html_text: '' } });

let messages = 0;
let spoilt = false;
let kept: Uint8Array[] = [];

const DOES: Record<string, (rest: string) => unknown> = {
  /** How many messages it had before. */
  count: () => answer(String(messages)),
  length: (rest) => answer(String(rest.length)),
  /** Is busy for so many ms. */
  spin: (rest) => {
    for (const until = performance.now() + Number(rest); performance.now() < until;) kept = [];
    return answer('done');
  },
  eat: () => {
    for (;;) kept.push(new Uint8Array(4 * 1024 * 1024).fill(1));
  },
  heap: () => {
    for (const numbers = []; ;) numbers.push(Array.from<number>({ length: 100_000 }).fill(numbers.length + 0.5));
  },
  hang: () => new Promise(() => {}),
  sleep: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  die: () => process.abort(),
  /** Only the first message is read; a later one keeps its parser busy without an end. */
  linger: () => {
    if (messages === 0) return answer('fresh');
    for (;;) kept = [];
  },
  /** Is of no use to the next message. */
  spoil: () => {
    spoilt = true;
    return answer(String(messages));
  },
  /** Only the first message is read. */
  wither: () => (messages > 0 ? process.abort() : answer('fresh')),
  throw: () => {
    throw new Error('a defect');
  },
  misfit: () => ({ ...answer(''), sender_rdns: { noted: 'maybe', hostname: '' } }),
  nothing: () => undefined,
  long: () => answer('x'.repeat(17 * 1024 * 1024)),
  /** Says more than one thing. */
  twice: () => {
    writeSync(4, Buffer.from('\0\0\0\u0002{}'));
    return answer('');
  },
  garbage: () => {
    writeSync(4, Buffer.from('\0\0\0\u0003{]}'));
    return new Promise(() => {});
  },
  /** Writes to stdout and stderr, as a library might. */
  noise: () => {
    process.stdout.write('noise\n');
    process.stderr.write('noise\n');
    return answer('quiet');
  },
  attempts: async (rest) => answer(JSON.stringify(await attempts(JSON.parse(rest)))),
};

await serve(async () => ({
  isSpoilt: () => spoilt,
  /** The first octet tells the kind. */
  async read(frame) {
    const [word = '', ...rest] = Buffer.from(frame.subarray(1)).toString('latin1').split(' ');
    const reading = await DOES[word]!(rest.join(' '));
    messages += 1;
    return reading;
  },
}));

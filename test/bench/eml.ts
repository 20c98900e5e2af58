/**
 * CPU of the full report of a message, without the DNS, beside others that only take it apart: Python's email package with its parts decoded, postal-mime, and
 * mailparser with as little as it does and as it comes. All of them in alternating rounds on one machine, each median beside Python's.
 * `ROUNDS=7 SIZES=100000,1000000,5000000 node test/bench/eml.ts`
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import PostalMime from 'postal-mime';
import { readMessage } from '@vedette/message/message';
import { typicalMessage } from '../message/message/typical.ts';
import { median, quantile } from './figures.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 7);
const SIZES = (process.env['SIZES'] ?? '100000,1000000,5000000').split(',').map(Number);
/** Rounds until everything is compiled. */
const WARM_UP = 10;
/** mailparser as it comes takes seconds for 5 MB: it looks for links and makes HTML of text. */
const SLOW_ROUNDS = 2;

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Times itself, so that what Python takes to start does not count; the median of five. */
const PYTHON = `
import email, sys, time
octets = open(sys.argv[1], 'rb').read()
times = []
for _ in range(5):
    started = time.process_time()
    message = email.message_from_bytes(octets)
    parts = [part.get_payload(decode=True) for part in message.walk() if not part.is_multipart()]
    times.append(time.process_time() - started)
assert len(parts) == 5
print(sorted(times)[2] * 1000)`;

/** CPU in ms, of all threads of this process. */
const cpuOf = async (work: () => Promise<{ readonly files: number }>): Promise<number> => {
  const started = process.cpuUsage();
  const { files } = await work();
  const { user, system } = process.cpuUsage(started);
  if (files !== 3) throw new Error(`${files} attachments`);
  return (user + system) / 1000;
};

const folder = mkdtempSync(join(tmpdir(), 'vedette-bench-eml-'));
try {
  for (const size of SIZES) {
    const message = typicalMessage(size);
    const path = join(folder, 'message.eml');
    writeFileSync(path, message);
    const lean = { skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true };
    const makers: Record<string, () => Promise<number>> = {
      'the full report': () => cpuOf(async () => ({ files: (await readMessage(message)).attachments.files.length })),
      'Python email': async () => Number(spawnSync('python3', ['-c', PYTHON, path], { encoding: 'utf8' }).stdout),
      'postal-mime': () => cpuOf(async () => ({ files: (await PostalMime.parse(message)).attachments.length })),
      'mailparser, lean': () => cpuOf(async () => ({ files: (await simpleParser(message, lean)).attachments.length })),
      'mailparser as it comes': () => cpuOf(async () => ({ files: (await simpleParser(message)).attachments.length })),
    };
    const times = new Map<string, number[]>(Object.keys(makers).map((name) => [name, []]));
    for (let round = -WARM_UP; round < ROUNDS; round++)
      for (const [name, make] of Object.entries(makers)) {
        if (name === 'mailparser as it comes' && (round < 0 || round >= SLOW_ROUNDS)) continue;
        const took = await make();
        if (round >= 0) times.get(name)!.push(took);
      }
    const yardstick = median(times.get('Python email') ?? []);
    print(`\n${(message.length / 1e6).toFixed(2)} MB`);
    for (const [name, list] of times) {
      const beside = (q: number): string => (quantile(list, q) / yardstick).toFixed(2);
      print(
        `${name.padEnd(24)} ${median(list).toFixed(1).padStart(7)} ms of CPU, ${beside(0.5)} of Python's (${beside(0)}–${beside(0.99)})`,
      );
    }
  }
  print('\ngoal: the full report of 5 MB at most 1.0 of Python’s');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

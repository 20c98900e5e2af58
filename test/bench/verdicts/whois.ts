import { createHash } from 'node:crypto';
import { readWhoisDomain } from '@vedette/intel/registration';
import { type Corpus, wilson } from './corpus.ts';

/** What readings are of an answer with that label. Answers of servers that refuse say nothing of the name. */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
  registered: ['data'],
  free: ['unregistered'],
  refused: ['limited', 'unreadable'],
};
/** Readings that state the opposite. */
const UNTRUE: Readonly<Record<string, readonly string[]>> = {
  registered: ['unregistered', 'reserved'],
  free: ['data', 'reserved'],
  refused: ['data', 'unregistered', 'reserved'],
};

/** Which half an answer is in: by its words, so that copies of one are in the same. */
const halfOf = (text: string): 'calibrate' | 'report' =>
  (createHash('sha256').update(text.replace(/\s+/g, ' ').trim()).digest()[0]! & 1) === 0 ? 'calibrate' : 'report';

/** How published WHOIS answers are read: `whois/<label>/<name that was asked about>__<anything>.txt`. */
export function judgedAnswers(corpus: Corpus, half: 'calibrate' | 'report'): void {
  for (const [label, right] of Object.entries(RIGHT)) {
    const wrong: string[] = [];
    let [all, seen, untrue] = [0, 0, 0];
    for (const { name, read } of corpus.files(`whois/${label}`)) {
      const text = read();
      if (halfOf(text) !== half) continue;
      const { kind } = readWhoisDomain(text, name.split('__', 1)[0]!, new Date());
      all++;
      if (right.includes(kind)) seen++;
      else wrong.push(`${name}: ${kind}`);
      if (UNTRUE[label]!.includes(kind)) untrue++;
    }
    if (all === 0) continue;
    const [low] = wilson(seen, all);
    const share = (part: number): string => `${(100 * part).toFixed(1)} %`;
    process.stdout.write(`whois ${label.padEnd(10)} ${seen} of ${all} (${share(seen / all)}, ${share(low)} at least), ${untrue} untrue\n`);
    if (half === 'calibrate') for (const line of wrong) process.stdout.write(`  ${line}\n`);
  }
}

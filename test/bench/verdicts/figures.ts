import { wilson } from './corpus.ts';

export const THRESHOLDS = [25, 35, 50, 75];
/** Shares of bad subjects among those that are asked about. */
const PRIORS = [0.1, 0.01, 0.001];

export const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

export function curve(what: string, recall: number, falsePositives: number): void {
  const precision = PRIORS.map((prior) => {
    const [right, wrong] = [prior * recall, (1 - prior) * falsePositives];
    return `${right + wrong === 0 ? '–' : percent(right / (right + wrong))} at ${prior}`;
  });
  process.stdout.write(`${what}: recall ${percent(recall)}, false ${percent(falsePositives)}, precision ${precision.join(', ')}\n`);
}

export function print(what: string, risks: readonly number[], more: string): void {
  const shares = THRESHOLDS.map((threshold) => {
    const found = risks.filter((risk) => risk >= threshold).length;
    const [low, high] = wilson(found, risks.length);
    return `≥ ${threshold}: ${found} (${percent(found / Math.max(1, risks.length))}; ${percent(low)}–${percent(high)})`;
  });
  process.stdout.write(`${what}: ${risks.length} subjects, ${shares.join(', ')}${more === '' ? '' : `, ${more}`}\n`);
}

/** A judged subject. */
export interface Judged {
  subject: string;
  risk: number;
  /** A list of ours has it. */
  listed: boolean;
}

/** Prints each list of subjects, then the curve of all beside a plain "is it listed". SHOW=<list> shows those of a list from AT on. */
export function report(what: string, judged: Readonly<Record<'honest' | 'bad', ReadonlyMap<string, readonly Judged[]>>>): void {
  for (const label of ['honest', 'bad'] as const)
    for (const [name, list] of judged[label]) {
      const risks = list.map(({ risk }) => risk);
      print(`${label} ${name}`, risks, `listed ${list.filter(({ listed }) => listed).length}`);
      if (process.env['SHOW'] !== name) continue;
      const at = Number(process.env['AT'] ?? 25);
      for (const { subject, risk } of list) if (risk >= at) process.stdout.write(`  ${risk} ${subject}\n`);
    }
  const share = (label: 'honest' | 'bad', holds: (one: Judged) => boolean): number => {
    const all = new Map([...judged[label].values()].flat().map((one) => [one.subject, one]));
    return [...all.values()].filter(holds).length / Math.max(1, all.size);
  };
  for (const threshold of THRESHOLDS) {
    const reached = ({ risk }: Judged): boolean => risk >= threshold;
    curve(`${what} ≥ ${threshold}`, share('bad', reached), share('honest', reached));
  }
  const isListed = ({ listed }: Judged): boolean => listed;
  curve(`${what}: a plain "is it listed"`, share('bad', isListed), share('honest', isListed));
}

import type { Engine } from '../engine.ts';

/** The defaults of an engine's entry. */
export const DEFAULTS = {
  enabled: true,
  families: [4],
  reference: '',
  weight: 0.2,
  group: '',
  confidence: 'high',
  rate: { per_s: 5, burst: 100 },
} as const satisfies Partial<Engine>;

/** The rate of zones that allow 100,000 questions a day. */
export const SPARING = { per_s: 1, burst: 50 };

/** The answer of nearly all simple zones. */
export const SPAM = { '127.0.0.2': 'spam' };

/** An entry of a catalogue: what differs from the defaults. */
export type Entry = Partial<Engine> & Pick<Engine, 'name' | 'lists' | 'terms'>;

export const enginesOf = (subject: Engine['subject'], entries: Readonly<Record<string, Entry>>): readonly Engine[] =>
  Object.entries(entries).map(([id, entry]) => ({ ...DEFAULTS, subject, ...entry, id }));

import { isObject, type Members } from '../report/shape.ts';

/** A part of a request's time, in ms since its start. */
export interface Phase {
  name: PhaseName;
  from: number;
  ms: number;
}

export const PHASES = ['DNS', 'Connect', 'TLS', 'First byte', 'Transfer', 'No answer'] as const;
export type PhaseName = (typeof PHASES)[number];

const positive = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

/** The phases of a request one after another. The first three are durations; first byte and total count from the start. */
export function phasesOf(output: Members): Phase[] {
  const timings = isObject(output['timings']) ? output['timings'] : {};
  const phases: Phase[] = [];
  let at = 0;
  const upTo = (name: PhaseName, end: number): void => {
    if (end <= at) return;
    phases.push({ name, from: at, ms: end - at });
    at = end;
  };
  upTo('DNS', at + positive(timings['dns_ms']));
  upTo('Connect', at + positive(timings['connect_ms']));
  upTo('TLS', at + positive(timings['tls_ms']));
  const firstByte = positive(timings['ttfb_ms']);
  upTo('First byte', firstByte);
  upTo(firstByte > 0 ? 'Transfer' : 'No answer', positive(timings['total_ms']));
  return phases;
}

export const endOf = (phases: readonly Phase[]): number => phases.reduce((end, { from, ms }) => Math.max(end, from + ms), 0);

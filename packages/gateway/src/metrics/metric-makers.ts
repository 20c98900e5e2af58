import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Buckets for whatever takes as long as a request or a part of it. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

export type MakeCounter = <L extends string>(name: string, help: string, labelNames: L[]) => Counter<L>;
export type MakeGauge = <L extends string>(name: string, help: string, labelNames: L[]) => Gauge<L>;
export type MakeHistogram = <L extends string>(name: string, help: string, labelNames: L[], buckets?: number[]) => Histogram<L>;

/** Makes a gateway's metrics, each with its name after `vedette_gateway_`. */
export function metricMakers(registry: Registry): { counter: MakeCounter; gauge: MakeGauge; histogram: MakeHistogram } {
  const registers = [registry];
  const named = (name: string) => `vedette_gateway_${name}`;
  return {
    counter: (name, help, labelNames) => new Counter({ name: named(name), help, labelNames, registers }),
    gauge: (name, help, labelNames) => new Gauge({ name: named(name), help, labelNames, registers }),
    histogram: (name, help, labelNames, buckets = SECONDS) => new Histogram({ name: named(name), help, labelNames, buckets, registers }),
  };
}

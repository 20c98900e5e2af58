import { operations } from '@vedette/operations';
import type { Operation, ScrapeForm } from '@vedette/operations/kit';
import { Exposition, FAMILIES, type Family, LOCATION_LABEL, type Sample, seconds } from './exposition.ts';

/** A module that the gateway runs itself, as an operation of the API: one answer, without a location. */
export interface CentralModule {
  operation: Operation;
  /** The parameters that a target stands for. */
  paramsOf: ScrapeForm['paramsOf'];
  /** The series of a report. */
  expose(report: Record<string, unknown>): string;
}

/** Built-in modules of the gateway, by name. A module of the operator's file with the same name replaces one. */
export const centralModules = (now: () => Date): ReadonlyMap<string, CentralModule> =>
  new Map(
    operations.flatMap((operation) => {
      const form = operation.kind === 'central' ? operation.scrape : undefined;
      if (!form) return [];
      const expose: CentralModule['expose'] = (report) => exposed(form, report, now());
      return [[form.module, { operation, paramsOf: form.paramsOf, expose }] as const];
    }),
  );

const isFamily = (name: string): name is Family => Object.hasOwn(FAMILIES, name);

function exposed(form: ScrapeForm, report: Record<string, unknown>, now: Date): string {
  const { failed, series } = form.read(report, now);
  const exposition = new Exposition(LOCATION_LABEL);
  const samples: Sample[] = [
    ['probe_success', failed.reason === '' ? 1 : 0],
    ['probe_duration_seconds', seconds(Number(report['elapsed_ms']))],
    ...(failed.reason === '' ? [] : [['probe_failure_info', 1, { reason: failed.reason }] satisfies Sample]),
    ...Object.entries(series).flatMap(([family, value]): Sample[] => (isFamily(family) ? [[family, value]] : [])),
  ];
  if (failed.error !== '') exposition.comment(failed.error);
  for (const sample of samples) exposition.add(undefined, sample);
  return exposition.toString();
}

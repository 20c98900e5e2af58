import { type CentralOperation, type Filled, parseTargets, type TargetForms, type Targets } from '@vedette/operations/kit';
import { budgeted } from '@vedette/probes/dns';
import type { Static, TObject } from 'typebox';
import { elseShut, type Opened } from './shut.ts';
import { parameterCheck } from '../../packages/gateway/src/request/validate.ts';

export type { Opened };

/** Reads a request as the gateway does: it is checked and its defaults are filled in, its targets are parsed, then the operation makes its query. */
export const read = <Q extends TObject, T extends TargetForms, V>(
  operation: { targets?: T; read(request: Filled<Q>, targets: Targets<T>): V; request: Q },
  request: Static<Q>,
): V => {
  const params = parameterCheck(operation.request)({ ...request }) as Filled<Q>;
  return operation.read(params, parseTargets(operation.targets, params));
};

/** Answers a request as the gateway does, within the operation's budget of the DNS. */
export async function answer<Q extends TObject, S extends TObject, T extends TargetForms, V>(
  operation: CentralOperation<Q, S, T, V>,
  request: Static<Q>,
  opened: Opened,
): Promise<Static<S>> {
  using resolver = budgeted(opened.resolver, operation.dns ?? { questions: 0 }, opened.clock);
  return await operation.run(read(operation, request), elseShut({ ...opened, resolver }));
}

import { type AddressPolicy, ApiError, isAtOrUnder, isProtectedHost, type ParsedHost, type ParsedUrl } from '@vedette/contract';
import { isBadPort } from '@vedette/probes/host';
import type { Operation } from '@vedette/operations/kit';
import type { GateRow } from './gate.ts';

export interface TargetRules {
  policy: AddressPolicy;
  /** Whether a name is inner (docs/glossary.md), or of special use: asking for it would tell a resolver what is inside. */
  isInnerName(name: string): boolean;
  /** The operator's deny-list. */
  isDenied(host: string): boolean;
}

/** A host that a request names, with the port where the request names one. */
export type Target = ParsedHost | ParsedUrl | (ParsedHost & { port: number });

/**
 * Stops what we will not contact before anything is sent or charged. The agents and the dialler judge again what a name
 * resolves to. Throws `ApiError` invalid_parameter, denied_target, private_address, special_use_name or blocked_target.
 */
export function judgeTargets(
  { contactsTarget = true, reachesOnions = false }: Operation,
  targets: Readonly<Record<string, Target>>,
  rules: TargetRules,
): void {
  for (const [field, target] of Object.entries(targets)) {
    const { kind, host } = target;
    const port = 'port' in target ? target.port : undefined;
    if (rules.isDenied(host)) throw new ApiError('denied_target', host, { param: field });
    if (kind !== 'name') {
      if (!rules.policy.judge(host, port).allowed) throw new ApiError('private_address', host, { param: field });
      continue;
    }
    const isOnion = reachesOnions && isAtOrUnder(host, 'onion');
    if (!isOnion && rules.isInnerName(host)) throw new ApiError('special_use_name', host, { param: field });
    if (contactsTarget) {
      if (isProtectedHost(host)) throw new ApiError('blocked_target', host, { param: field });
      // A name without a dot is an inner name (or a top-level domain, which is never measured).
      if (!host.includes('.')) throw new ApiError('special_use_name', host, { param: field });
    }
    if (port !== undefined && isBadPort(port))
      throw new ApiError('invalid_parameter', `${field} has a port that is not for the web`, { param: field });
  }
}

/** The targets with the port that is measured for its own sake. Throws `ApiError` private_address for a literal address with a port of ours. */
export const withPort = (targets: Readonly<Record<string, Target>>, port: number, policy: AddressPolicy): Target[] =>
  Object.entries(targets).map(([field, target]) => {
    if (target.kind !== 'name' && !policy.judge(target.host, port, 'port').allowed)
      throw new ApiError('private_address', `${target.host} port ${port}`, { param: field });
    return { ...target, port };
  });

export const TARGETS_GATE: GateRow = {
  name: 'Targets',
  limits: 'addresses and names that a request may be about',
  limit: 'public ones that are not denied; no government and education where the target is contacted',
  codes: ['denied_target', 'private_address', 'special_use_name', 'blocked_target', 'invalid_parameter'],
  cause: 'client',
};

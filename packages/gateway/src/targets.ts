import {
  type AddressPolicy,
  ApiError,
  isBadPort,
  isProtectedHost,
  isSpecialUseName,
  type Operation,
  type ParsedHost,
  parseHost,
  parseHttpUrl,
} from '@vedette/contract';

export interface TargetRules {
  policy: AddressPolicy;
  /** Of the host's resolver configuration: inner names must not leak. */
  searchDomains: readonly string[];
  /** The operator's deny-list. */
  isDenied(host: string): boolean;
}

/** A host that a request names, with the port where a URL names one. */
export type NamedTarget = ParsedHost & { field: string; port: number | undefined };

/** The hosts that a request names. Throws `ApiError` invalid_parameter where a field holds none. */
export function namedTargets(operation: Operation, request: Record<string, unknown>): NamedTarget[] {
  return ((operation.targets ?? []) as readonly { field: string; form: 'host' | 'url' }[]).map(({ field, form }) => {
    const text = request[field] as string;
    if (form === 'url') {
      const url = parseHttpUrl(text);
      if (!url) throw new ApiError('invalid_parameter', `${field} is not an http or https URL without credentials`);
      return { kind: url.kind, host: url.host, field, port: url.port };
    }
    const host = parseHost(text);
    if (!host) throw new ApiError('invalid_parameter', `${field} is not a host name or an IP address`);
    return { ...host, field, port: undefined };
  });
}

/**
 * Stops what we will not contact before anything is sent or charged. The agents and the dialler judge again what a name
 * resolves to. Throws `ApiError` invalid_parameter, denied_target, private_address, special_use_name or blocked_target.
 */
export function checkTargets(operation: Operation, request: Record<string, unknown>, rules: TargetRules): void {
  for (const { kind, host, field, port } of namedTargets(operation, request)) {
    if (rules.isDenied(host)) throw new ApiError('denied_target', field);
    if (kind !== 'name') {
      if (!rules.policy.judge(host, port).allowed) throw new ApiError('private_address', field);
      continue;
    }
    if (isSpecialUseName(host, rules.searchDomains)) throw new ApiError('special_use_name', field);
    if (operation.protectedTargets !== false) {
      if (isProtectedHost(host)) throw new ApiError('blocked_target', field);
      // Without a dot it is a name of the house (or a top-level domain, which nobody measures).
      if (!host.includes('.')) throw new ApiError('special_use_name', field);
    }
    if (port !== undefined && isBadPort(port)) throw new ApiError('invalid_parameter', `${field} names a port that is not for the web`);
  }
}

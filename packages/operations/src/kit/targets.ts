import { ApiError, type ParsedHost, type ParsedUrl, parseHost, parseWebUrl } from '@vedette/contract';
import { parseAddress, parseOwner } from './owner.ts';

/** A name of the DNS, in lower-case A-labels. */
export type ParsedName = ParsedHost & { kind: 'name' };

/** How a field of a request names a target. */
interface Forms {
  /** A name or an address. */
  host: ParsedHost;
  /** A name, since an address has no records of its own. */
  name: ParsedName;
  /** A name of the DNS, also one that no host can have, or the address that a reverse name is made of. */
  owner: ParsedHost;
  /** An address, written whole: no name, and nothing that a URL would read as an address. */
  address: ParsedHost;
  /** An absolute http or https URL. */
  url: ParsedUrl;
}
export type TargetForms = Readonly<Record<string, keyof Forms>>;

/** Leaves no other field than those that every request has, as text: from an optional one no target could be parsed. */
export type NamedIn<Request, T extends TargetForms> = T & {
  readonly [F in Exclude<keyof T, { [R in keyof Request]-?: Request[R] extends string ? R : never }[keyof Request]>]: never;
};

/** The targets of a request, by field. */
export type Targets<T extends TargetForms> = { readonly [F in keyof T]: Forms[T[F]] };

const READERS: { [F in keyof Forms]: (text: string) => Forms[F] | undefined } = {
  host: parseHost,
  name(text) {
    const parsed = parseHost(text);
    return parsed?.kind === 'name' ? { ...parsed, kind: 'name' } : undefined;
  },
  owner: parseOwner,
  address: parseAddress,
  url: parseWebUrl,
};
const WANTED: { [F in keyof Forms]: string | ((text: string) => string) } = {
  host: 'is not a host name or an IP address',
  name: 'must be a domain name',
  owner: 'is not a name of the DNS (octets as in zone files: \\DDD) or a whole IP address',
  address: 'must be an IPv4 or IPv6 address, written whole and without a zone',
  url: wrongUrl,
};

/** Explains an invalid URL: most often the scheme is missing. */
function wrongUrl(text: string): string {
  const trimmed = text.trim();
  if (/^https?:\/\//i.test(trimmed)) return 'is not a valid URL';
  // A host with a port looks like a scheme, too.
  if (/^[a-z][a-z\d+.-]*:(?!\d)/i.test(trimmed) && !/^https?:/i.test(trimmed)) return 'must be an http or https URL';
  return 'must begin with http:// or https://';
}

/** Parses one target. Throws `ApiError` invalid_parameter where the text holds none. */
export function parseTarget<F extends keyof Forms>(form: F, text: string, param: string): Forms[F] {
  const parsed = READERS[form](text);
  if (parsed) return parsed;
  const wanted = WANTED[form];
  throw new ApiError('invalid_parameter', `${param} ${typeof wanted === 'string' ? wanted : wanted(text)}`, { param });
}

/** Parses the targets that a request names. Throws `ApiError` invalid_parameter where a field holds none. */
export function parseTargets<T extends TargetForms>(forms: T | undefined, request: Readonly<Record<string, unknown>>): Targets<T> {
  const targets: Record<string, ParsedHost> = {};
  for (const [field, form] of Object.entries(forms ?? {})) targets[field] = parseTarget(form, String(request[field]), field);
  return targets as Targets<T>;
}

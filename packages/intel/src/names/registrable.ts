import { parseHost } from '@vedette/contract';
import { parse } from 'tldts';
import { privateRegistryOf } from './private-registries.ts';

/** Names of the DNS are not only hosts: underscores are welcome. They come parsed, and are never addresses. */
const AS_GIVEN = { extractHostname: false, validateHostname: false, detectIp: false };

/** The name as lists have it, where one can look for it: no top-level domain, no address, nothing that a registry gives names under. */
export function registrable(name: string): string | undefined {
  const host = parseHost(name)?.host ?? '';
  return parse(host, { allowPrivateDomains: true, validateHostname: false }).domain ? host : undefined;
}

/**
 * Returns the domain of one tenant: the label below a public suffix, including suffixes of companies that give names to the public
 * (`github.io`). Undefined for a suffix.
 */
export const tenantOf = (host: string): string | undefined => parse(host, { ...AS_GIVEN, allowPrivateDomains: true }).domain ?? undefined;

/** The parts of a host name, as a registry sees them. */
export interface DomainParts {
  /** The registrable domain; empty for a public suffix. */
  root_domain: string;
  /** Labels before it; empty where there are none. */
  subdomain: string;
  /** The public suffix, such as `co.uk`. */
  tld: string;
}

export function domainParts(host: string): DomainParts {
  const { domain, subdomain, publicSuffix } = parse(host, AS_GIVEN);
  return { root_domain: domain ?? '', subdomain: subdomain ?? '', tld: publicSuffix ?? '' };
}

/** Under which name a registry knows a host. */
export interface RegisteredName {
  /** The name that was registered; empty for a public suffix. */
  domain: string;
  /** The domain's owner gives names below it to others (`github.io`): registries do not know when this name was given. */
  isLandlords: boolean;
}

export function registeredName(host: string): RegisteredName {
  const { root_domain } = domainParts(host);
  const tenant = tenantOf(host);
  if (tenant === undefined || tenant === root_domain) return { domain: root_domain, isLandlords: false };
  return privateRegistryOf(tenant) ? { domain: tenant, isLandlords: false } : { domain: root_domain, isLandlords: true };
}

/** Returns whether names can be registered under the suffix of a host; false for `printer.corp`. */
export function hasPublicSuffix(host: string): boolean {
  const { isIcann, isPrivate } = parse(host, AS_GIVEN);
  return isIcann === true || isPrivate === true;
}

/** The parts of a host that may be an address, which has none. */
export const hostParts = (host: string): DomainParts =>
  parseHost(host)?.kind === 'name' ? domainParts(host) : { root_domain: '', subdomain: '', tld: '' };

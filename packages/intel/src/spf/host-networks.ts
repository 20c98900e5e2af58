import { type Cidr, cidrOf, parseIp } from '@vedette/contract';
import { type DnsPorts, lookUp } from '../lookup.ts';
import { LOOKUPS_MAX, NAMES_MAX } from './evaluation.ts';
import { literalName, usesMacro } from './macro.ts';
import { type Directive, effectiveDirectives, type Mechanism, type SpfRecord } from './record.ts';

/** What a record's own terms authorise, and what was odd about the hosts they name. */
export interface HostNetworks {
  networks: Cidr[];
  voidTerms: string[];
  crowdedTerms: string[];
  errors: string[];
}

/** Twice what an evaluation may ask (RFC 7208 §4.6.4); a record of 64 KB could have 30,000 such terms. */
const HOST_TERMS_MAX = 2 * LOOKUPS_MAX;

/** Resolves a record's `a` and `mx` terms to networks, beside its `ip4` and `ip6`. Only `+` terms authorise (RFC 7208 §4.6.2). */
export async function hostNetworks(record: SpfRecord, origin: string, ports: DnsPorts): Promise<HostNetworks> {
  const directives = effectiveDirectives(record);
  const hostTerms = directives.filter(namesHosts);
  const asked = hostTerms.slice(0, HOST_TERMS_MAX);
  const parts = await Promise.all(asked.map((term) => networksOf(term, origin, ports)));
  const left =
    hostTerms.length > asked.length ? [`${origin} names hosts in more than ${HOST_TERMS_MAX} terms; the rest was not asked`] : [];
  return {
    networks: [...directives.flatMap(ownNetwork), ...parts.flatMap(({ networks }, i) => (asked[i]!.qualifier === '+' ? networks : []))],
    voidTerms: parts.flatMap(({ voidTerms }) => voidTerms),
    crowdedTerms: parts.flatMap(({ crowdedTerms }) => crowdedTerms),
    errors: [...parts.flatMap(({ errors }) => errors), ...left],
  };
}

const ownNetwork = ({ qualifier, mechanism }: Directive): Cidr[] =>
  qualifier === '+' && (mechanism.name === 'ip4' || mechanism.name === 'ip6') ? [mechanism.network] : [];

type HostTerm = Directive & { mechanism: Extract<Mechanism, { name: 'a' | 'mx' }> };

const namesHosts = (directive: Directive): directive is HostTerm => {
  const { mechanism } = directive;
  return (mechanism.name === 'a' || mechanism.name === 'mx') && !(mechanism.domain && usesMacro(mechanism.domain));
};

async function networksOf({ mechanism, text }: HostTerm, origin: string, ports: DnsPorts): Promise<HostNetworks> {
  const nothing: HostNetworks = { networks: [], voidTerms: [], crowdedTerms: [], errors: [] };
  const name = mechanism.domain ? literalName(mechanism.domain) : origin;
  if (mechanism.name === 'a') {
    const { networks, found, errors } = await addressNetworks([name], mechanism, ports);
    return { ...nothing, networks, errors, voidTerms: found || errors.length > 0 ? [] : [text] };
  }
  const { records, state, error } = await lookUp(ports, name, 'MX');
  const exchanges = records.map(({ data }) => data.exchange).filter((exchange) => exchange !== '.');
  const { networks, errors } = await addressNetworks(exchanges.slice(0, NAMES_MAX), mechanism, ports);
  return {
    networks,
    errors: state === 'failed' ? [error] : errors,
    voidTerms: state === 'nodata' || state === 'nxdomain' ? [text] : [],
    crowdedTerms: exchanges.length > NAMES_MAX ? [text] : [],
  };
}

async function addressNetworks(names: readonly string[], { bits4, bits6 }: { bits4: number; bits6: number }, ports: DnsPorts) {
  const lookups = await Promise.all(
    names.flatMap((name) => [
      lookUp(ports, name, 'A').then(({ records, error }) => ({ records, error, bits: bits4 })),
      lookUp(ports, name, 'AAAA').then(({ records, error }) => ({ records, error, bits: bits6 })),
    ]),
  );
  const networks = lookups.flatMap(({ records, bits }) => records.flatMap(({ data }) => networkOf(data, bits) ?? []));
  return { networks, found: networks.length > 0, errors: lookups.flatMap(({ error }) => (error === '' ? [] : [error])) };
}

function networkOf(address: string, bits: number): Cidr | undefined {
  const ip = parseIp(address);
  return ip && cidrOf(ip, bits);
}

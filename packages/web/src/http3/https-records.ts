import { type DnsRecordOf, failure, type ParsedHost, type DnsPorts, lookUp } from '@vedette/contract';

/** An endpoint that an HTTPS record names, RFC 9460. */
export interface ServiceBinding {
  /** Identifiers in the record's order; `http/1.1`, which goes without saying, is not added. */
  alpn: readonly string[];
  host: string;
  port: number;
  /** It has a key for Encrypted Client Hello (RFC 9848). */
  ech: boolean;
}

export interface HttpsRecords {
  /** The preferred ones first. */
  bindings: readonly ServiceBinding[];
  /** Why nothing, or not all, is known; empty where it is. */
  problem: string;
}

/** RFC 9460 §2.4.2: loops and long chains are given up. */
const ALIASES_MAX = 4;
const HTTPS_PORT = 443;
/** Keys that clients who open a connection as usual make sense of. */
const UNDERSTOOD = new Set(['alpn', 'no-default-alpn', 'port', 'ipv4hint', 'ipv6hint']);

/** Reads the HTTPS records of an origin and follows aliases (RFC 9460 §2.4, §9). Rejects as `lookUp` does. */
export async function readHttpsRecords({ kind, host }: ParsedHost, port: number, ports: DnsPorts): Promise<HttpsRecords> {
  if (kind !== 'name') return { bindings: [], problem: '' };
  let name = port === HTTPS_PORT ? host : `_${port}._https.${host}`;
  for (let aliases = 0; aliases <= ALIASES_MAX; aliases++) {
    const { state, records, error } = await lookUp(ports, name, 'HTTPS');
    if (state === 'failed') return { bindings: [], problem: error };
    // One alias makes clients ignore what stands beside it (§2.4.1).
    const alias = records.find(({ data }) => data.priority === 0);
    if (!alias) return { bindings: records.toSorted(byPriority).flatMap((record) => bindingOf(record, port)), problem: '' };
    if (alias.data.target === '.') return { bindings: [], problem: `${name} HTTPS: the service does not exist (alias to the root)` };
    name = alias.data.target.toLowerCase();
  }
  return { bindings: [], problem: failure('dns_servfail', `${host} HTTPS: more than ${ALIASES_MAX} aliases`).error };
}

const byPriority = (a: DnsRecordOf<'HTTPS'>, b: DnsRecordOf<'HTTPS'>): number => a.data.priority - b.data.priority;

function bindingOf({ name, data }: DnsRecordOf<'HTTPS'>, defaultPort: number): ServiceBinding[] {
  const params = readParams(data.params);
  const mandatory = params.get('mandatory')?.split(',') ?? [];
  // A record that cannot be used as it wants to be is not used (§8).
  if (mandatory.some((key) => !UNDERSTOOD.has(key))) return [];
  const target = data.target === '.' ? name : data.target;
  return [
    {
      alpn: alpnOf(params.get('alpn') ?? ''),
      host: target.toLowerCase(),
      port: Number(params.get('port') ?? defaultPort),
      ech: params.has('ech'),
    },
  ];
}

/** Keys and values of the presentation form (§2.1), the outer escaping undone. */
function readParams(text: string): Map<string, string> {
  const params = new Map<string, string>();
  for (const [, key, quoted, bare] of text.matchAll(/([a-z0-9-]+)(?:=(?:"((?:[^"\\]|\\.)*)"|(\S*)))?(?:\s+|$)/g))
    params.set(
      key!,
      (quoted ?? bare ?? '').replaceAll(/\\(\d{3}|.)/g, (_, escaped: string) =>
        escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped,
      ),
    );
  return params;
}

/** Identifiers between commas; a comma of its own has a backslash (appendix A.1). */
const alpnOf = (text: string): string[] =>
  (text.match(/(?:[^\\,]|\\.)+/g) ?? []).map((identifier) => identifier.replaceAll(/\\(.)/g, '$1'));

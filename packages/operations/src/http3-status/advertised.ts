import { type HttpHead, headerValues } from '@vedette/probes/http';
import { type HttpsRecords, readAltSvc } from '@vedette/web/http3';

/** Where a server says that it speaks what. */
export interface Advertised {
  source: 'alt_svc' | 'https_record';
  alpn: string;
  host: string;
  port: number;
  /** Seconds; 0 for what the DNS says. */
  max_age: number;
  persist: boolean;
}

export interface Advertisements {
  list: readonly Advertised[];
  /** Alt-Svc: clear. */
  cleared: boolean;
  problems: readonly string[];
}

const LIST_MAX = 64;

/** All that the answer over TCP and the DNS advertise, in their order. */
export function advertisementsOf(origin: URL, host: string, head: HttpHead | undefined, records: HttpsRecords): Advertisements {
  const { clear, services, malformed } = readAltSvc(head ? headerValues(head, 'alt-svc') : []);
  const altSvc = services.map(({ alpn, host: other, port, maxAge, persist }): Advertised => ({
    source: 'alt_svc',
    alpn,
    host: other.replace(/^\[(.*)\]$/, '$1') || host,
    port,
    max_age: maxAge,
    persist,
  }));
  const inDns = records.bindings.flatMap(({ alpn, host: target, port }) =>
    alpn.map((identifier): Advertised => ({ source: 'https_record', alpn: identifier, host: target, port, max_age: 0, persist: false })),
  );
  return {
    list: distinct([...altSvc, ...inDns]).slice(0, LIST_MAX),
    cleared: clear,
    problems: [
      ...(clear ? [`${origin.host} withdraws all its alternative services (Alt-Svc: clear)`] : []),
      ...(malformed === '' ? [] : [`the Alt-Svc field cannot be read from here on: ${malformed.slice(0, 100)}`]),
      ...(records.problem === '' ? [] : [records.problem]),
    ],
  };
}

/** Servers with several listeners say the same for each. */
const distinct = (list: readonly Advertised[]): Advertised[] => [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];

/** An endpoint for HTTP/3. */
export interface Endpoint3 {
  host: string;
  port: number;
}

const ENDPOINTS_MAX = 4;

/** Where HTTP/3 is to be tried: everywhere it is advertised, each endpoint once; at the origin itself where it is not. */
export function endpointsOf({ list }: Advertisements, origin: Endpoint3): Endpoint3[] {
  const wanted = list.filter(({ alpn, source, max_age }) => alpn === 'h3' && (source === 'https_record' || max_age > 0));
  const endpoints = new Map(wanted.map(({ host, port }) => [`${host} ${port}`, { host, port }]));
  return endpoints.size === 0 ? [origin] : [...endpoints.values()].slice(0, ENDPOINTS_MAX);
}

import { type BudgetedResolver, type DnsAnswer, isAnswer, ProbeFailure, type DnsPorts, lookUp } from '@vedette/contract';
import { type CentralContext, labelsOf } from '../kit/index.ts';
import type { Networks } from '@vedette/intel/ports';
import { validate } from '@vedette/mail/dnssec';
import { isSpoofable, type MailDns, readMailDns } from '@vedette/mail/email';
import type { SiteDns } from '@vedette/web/site';
import { apexOf } from '../shared/names/zone-apex.ts';
import { askSigned, NO_ZONE, recordsOfType, zoneRecords } from '../shared/names/zone-records.ts';

/** The limit of questions about a site's mail and its DNSSEC; the rest is a few for each name and server. */
export const SITE_DNS = { mail: 40, dnssec: 60, all: 300 } as const;

/** Name servers and mail servers whose addresses are asked for. */
const SERVERS_MAX = 12;

export interface NamedServer {
  target: string;
  ip: string;
  country_code: string;
  country_name: string;
  isp: string;
}

export interface SiteZone extends SiteDns {
  cname: string;
  ns: readonly NamedServer[];
  mx: readonly NamedServer[];
  /** Addresses of the host, IPv4 first. */
  addresses: readonly string[];
  /** Whether any question was answered at all. */
  answered: boolean;
  problems: readonly string[];
}

type Ports = Pick<CentralContext, 'resolver' | 'signal' | 'networks' | 'dialler' | 'trustAnchors' | 'today'>;

/** Asks all that the report tells of the DNS. Unanswered parts are undefined or missing, and named in `problems`. */
export async function readSiteDns(
  { host, opened, domain }: { host: string; opened: string; domain: string },
  ports: Ports,
): Promise<SiteZone> {
  const [v4, v6, servers, mail, caa, dnssec] = await Promise.all([
    lookUp(ports, opened, 'A'),
    lookUp(ports, opened, 'AAAA'),
    nameServers(host, ports),
    readMail(domain, ports),
    findCaa(host, ports),
    readDnssec(opened, ports),
  ]);
  const [ns, mx] = await Promise.all([locate(servers ?? [], ports), locate(mail?.exchangers ?? [], ports)]);
  const ipv4 = v4.state === 'failed' ? undefined : v4.records.map(({ data }) => data);
  const ipv6 = v6.state === 'failed' ? undefined : v6.records.map(({ data }) => data);
  return {
    ipv4,
    ipv6,
    nameServers: servers,
    mail,
    spoofable: mail && !['spf', 'dmarc'].some((topic) => mail.unknown.has(topic as 'spf')) ? isSpoofable(mail) : undefined,
    caa,
    ...dnssec,
    cname: v4.cname || v6.cname,
    ns,
    mx,
    addresses: [...(ipv4 ?? []), ...(ipv6 ?? [])],
    answered: dnssec.rootAnswered || servers !== undefined || [v4, v6].some(({ state }) => state !== 'failed') || caa !== undefined,
    problems: [v4.error, v6.error, ...(mail?.errors ?? []), ...(servers ? [] : [`the name servers of ${host} are not known`])].filter(
      (error) => error !== '',
    ),
  };
}

/**
 * The name that a browser opens, and its first address, IPv4 before IPv6 (empty where it is not known): the host, or `www.` before it where that
 * alone has addresses. Clients leave it out, and a few sites have no address without.
 */
export async function openedName(host: string, ports: DnsPorts): Promise<{ opened: string; address: string }> {
  for (const opened of [host, `www.${host}`]) {
    const found = await Promise.all([lookUp(ports, opened, 'A'), lookUp(ports, opened, 'AAAA')]);
    const [first] = found.flatMap(({ records }) => records.map(({ data }) => data));
    if (first !== undefined) return { opened, address: first };
    if (found.some(({ state }) => state === 'failed')) break;
  }
  return { opened: host, address: '' };
}

/** Name servers of the zone that holds the host. Undefined without an answer. */
export async function nameServers(host: string, ports: DnsPorts): Promise<string[] | undefined> {
  const { resolver, signal } = ports;
  const apex = await apexOf(host, async (name, type) => {
    const response = await resolver.ask(name, type, { signal });
    return isAnswer(response) ? response : undefined;
  });
  if (apex === undefined) return undefined;
  const { state, records } = await lookUp(ports, apex, 'NS');
  return state === 'failed' ? undefined : records.map(({ data }) => data.toLowerCase()).toSorted();
}

async function readMail(domain: string, { resolver, signal, dialler }: Ports): Promise<MailDns> {
  using asking = resolver.share({ questions: SITE_DNS.mail });
  return await readMailDns(domain, { resolver: asking, signal, policy: dialler.policy });
}

/** Whether there is a CAA record set on the way up from the host (RFC 8659 §3). Undefined where a question on the way has no answer. */
async function findCaa(host: string, ports: Ports): Promise<boolean | undefined> {
  const labels = labelsOf(host);
  const answers = await Promise.all(labels.map((_, i) => lookUp(ports, labels.slice(i).join('.'), 'CAA')));
  for (const { state } of answers) {
    if (state === 'found') return true;
    if (state === 'failed') return undefined;
  }
  return false;
}

/** The verdict of dnssec-status on the host's A records. */
async function readDnssec(host: string, { resolver: whole, trustAnchors, today, signal }: Ports) {
  using resolver = whole.share({ questions: SITE_DNS.dnssec });
  const now = Math.floor(today().getTime() / 1000);
  const ask = (name: string, type: string): Promise<DnsAnswer | undefined> => askSigned(resolver, name, type, signal);
  const [{ verdict }, answer, apex, root] = await Promise.all([
    validate(host, 'A', { resolver, anchors: trustAnchors, now, signal }),
    ask(host, 'A'),
    apexOf(host, ask),
    ask('.', 'DNSKEY'),
  ]);
  const zone = apex === undefined ? NO_ZONE : await zoneRecords(resolver, apex, signal);
  const isUnknown = verdict.status === 'indeterminate';
  return {
    rootAnswered: root !== undefined,
    dnssecEnabled: apex === undefined ? undefined : zone.delegated && zone.dnskeys.length > 0,
    dnssecSigned: isUnknown ? undefined : verdict.status === 'secure' && recordsOfType(answer, 'A').length > 0,
  };
}

/** Where servers are, by the first IPv4 address of each. */
const locate = (targets: readonly string[], ports: Ports): Promise<NamedServer[]> =>
  Promise.all(
    targets
      .slice(0, SERVERS_MAX)
      .map(async (target) => placed(target, await firstAddress(target, ports.resolver, ports.signal), ports.networks)),
  );

async function firstAddress(host: string, resolver: BudgetedResolver, signal: AbortSignal): Promise<string> {
  try {
    const [first = ''] = await resolver.addresses(host, 4, { signal });
    return first;
  } catch (error) {
    if (!(error instanceof ProbeFailure)) throw error;
    signal.throwIfAborted();
    return '';
  }
}

function placed(target: string, ip: string, networks: Networks): NamedServer {
  const { country_code, country_name } = ip === '' ? { country_code: '', country_name: '' } : networks.place(ip);
  return { target, ip, country_code, country_name, isp: (ip === '' ? undefined : networks.origin(ip))?.org ?? '' };
}

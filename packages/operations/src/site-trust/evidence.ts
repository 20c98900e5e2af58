import type { BlacklistCheck, Names } from '@vedette/intel/ports';
import type { CentralContext } from '../kit/index.ts';
import type { Hop } from '@vedette/probes/http';
import { issuedChain } from '@vedette/mail/certificates';
import { isFront, networkSigns } from '@vedette/intel/addresses';
import type { Brand, Brands } from '@vedette/intel/identity';
import { FREE_PROVIDERS } from '@vedette/intel/mailboxes';
import { type HostTraits, judgeHostName } from '@vedette/intel/names';
import { type ageOf, isRecent, isVeryRecent } from '@vedette/intel/registration';
import { elsewhere, readSiteCertificate, type SiteCertificate, type SiteEvidence } from '@vedette/web/site';
import { awaitedNetworks, unheardShare } from '../shared/names/coverage.ts';
import { checkRevocation } from '../shared/pages/revocation.ts';
import type { Crawl } from './crawl.ts';
import type { SiteZone } from './site-dns.ts';

/** The raw answers, before they are judged. */
export interface Findings {
  host: string;
  domain: string;
  name: HostTraits;
  zone: SiteZone;
  crawled: Crawl;
  blacklists: BlacklistCheck;
  age: ReturnType<typeof ageOf>;
}

/** abuse.ch's list of certificates, whose entries are `<SHA-1 in lower-case hex>.sslbl.abuse.ch`: a list of names can keep it as it is. */
export const CERTIFICATE_LIST = 'sslbl';
/** Sinkholes, by their addresses and by their name servers. */
export const SINKHOLE_LISTS = ['sinkholes', 'sinkhole-ns'] as const;

/** Makes of what was found what checks are made of. Asks for a revocation list where the certificate names one. */
export async function evidenceOf(findings: Findings, context: CentralContext): Promise<SiteEvidence> {
  const { host, domain, name, zone, crawled, blacklists, age } = findings;
  const { names } = context;
  const isOn =
    (list: string) =>
    (candidate: string): boolean =>
      names.listings(candidate).some((listing) => listing.list === list);
  const detected = blacklists.results.filter((result) => result.detected);
  const countries = countriesOf(zone.addresses, context);
  const certificate = await checkedCertificate(crawled, domain, context);
  return {
    host,
    domain,
    https: crawled.https,
    http: crawled.http,
    absent: crawled.absent,
    certificate,
    dns: zone,
    has: { abusedTlds: names.hasList('abused-tlds'), ranks: names.rank('google.com') !== undefined },
    detections:
      blacklists.results.length === 0
        ? undefined
        : { high: detected.filter(({ confidence }) => confidence === 'high').length, all: detected.length },
    networks: networkSigns(zone.addresses, context.networks),
    unheard: unheardShare(blacklists, awaitedNetworks(context.lists).length > 0),
    age: datedAge(age),
    countries: countries.length === 0 ? undefined : countries,
    lists: {
      sinkhole: surroundings(zone, context, ...SINKHOLE_LISTS),
      parked: surroundings(zone, context, 'parking', 'parking-ns'),
    },
    isShortener: isOn('url-shorteners'),
    isParkedName: isOn('parking-ns'),
    isWellKnown: (candidate) =>
      judgeHostName(candidate, names).popularity === 'high' && judgeHostName(candidate, names).tenant === candidate,
    isFreeMail: (candidate) => FREE_PROVIDERS.has(candidate),
    isFreeHost: name.isTenant,
    isRented: (candidate) => judgeHostName(candidate, names).isTenant,
    icon: undefined,
    ...ownedBy(certificate?.signs.owner, domain, name, names.brands()),
  };
}

/** A brand's domain that our table lacks, and its certificate tells: it does not imitate this brand. */
function ownedBy(owner: Brand | undefined, domain: string, name: HostTraits, brands: Brands): Pick<SiteEvidence, 'name' | 'brands'> {
  if (!owner) return { name, brands };
  const imitated = [name.identity?.brand, brands.token(name.homoglyph)?.brand];
  return {
    name: imitated.includes(owner) ? { ...name, homoglyph: '', typosquat: '' } : name,
    brands: {
      token: (text) => brands.token(text),
      ownerOf: (asked) => (asked === domain ? owner : brands.ownerOf(asked)),
      ofIcon: (hash) => brands.ofIcon(hash),
      tokens: [],
      base: brands,
    },
  };
}

/**
 * Whether an address of the site or a name server of it is on a list. Undefined where there is neither list. An address of a content delivery network says nothing: a sinkhole, or a
 * parking place, was one of the thousands behind it.
 */
function surroundings(zone: SiteZone, context: CentralContext, addresses: string, servers: string): boolean | undefined {
  if (!context.networks.hasList(addresses) && !context.names.hasList(servers)) return undefined;
  const found = listedOf(zone, context, addresses, servers);
  return found.addresses.length > 0 || found.servers.length > 0;
}

/** The addresses of a site and its name servers that are on a list of each. */
export const listedOf = (
  zone: Pick<SiteZone, 'addresses' | 'nameServers'>,
  { networks, names }: Pick<CentralContext, 'networks' | 'names'>,
  addresses: string,
  servers: string,
): { addresses: string[]; servers: string[] } => ({
  addresses: zone.addresses.filter(
    (address) => networks.marks(address).some(({ list }) => list === addresses) && !isFront(address, networks),
  ),
  servers: (zone.nameServers ?? []).filter((server) => listed(server, servers, names)),
});

const listed = (name: string, list: string, names: Names): boolean => names.listings(name).some((listing) => listing.list === list);

/** Countries of the addresses, each once. */
const countriesOf = (addresses: readonly string[], { networks }: Pick<CentralContext, 'networks'>): string[] => [
  ...new Set(addresses.map((address) => networks.place(address).country_code).filter((code) => code !== '')),
];

/** What a certificate itself says, where it is of the domain. */
function certificateOf(certified: Hop | undefined, domain: string, { names, today }: CentralContext): SiteCertificate | undefined {
  if (!certified?.tls?.leaf || elsewhere(certified.url, domain) !== '') return undefined;
  const { valid } = certified.tls.certificate;
  const details = readSiteCertificate(certified.tls.leaf.raw, { host: certified.location.hostname, valid, now: today() }, names);
  return details && { ...details, valid, revoked: undefined, blacklisted: undefined };
}

/** The same, with what lists say of it. */
async function checkedCertificate(
  { certified, https }: Crawl,
  domain: string,
  context: CentralContext,
): Promise<SiteCertificate | undefined> {
  const found = certificateOf(certified, domain, context);
  if (!found || !certified?.tls) return undefined;
  const { names } = context;
  // Lists are fetched from URLs in the certificate, so only for one with a trusted chain. The certificates above it are not checked here.
  const pair = found.valid ? issuedChain(certified.tls.chain.slice(0, 2)) : [];
  const { state } = await checkRevocation(pair, context, { stapled: certified.tls.stapled });
  return {
    ...found,
    valid: found.valid && https.hops[0]?.secure === true,
    revoked: state === 'revoked' ? true : state === 'good' ? false : undefined,
    blacklisted: names.hasList(CERTIFICATE_LIST) ? listed(`${found.sha1}.sslbl.abuse.ch`, CERTIFICATE_LIST, names) : undefined,
  };
}

/** Evidence about the host where a visit ended, made of that about the host where it began: as far as it can be told without asking. */
export function evidenceThere(
  evidence: SiteEvidence,
  { host, domain, name, age, certified }: Pick<Findings, 'host' | 'domain' | 'name' | 'age'> & Pick<Crawl, 'certified'>,
  context: CentralContext,
): SiteEvidence {
  const certificate = certificateOf(certified, domain, context);
  return {
    ...evidence,
    host,
    domain,
    certificate,
    isFreeHost: name.isTenant,
    age: datedAge(age),
    ...ownedBy(certificate?.signs.owner, domain, name, context.names.brands()),
  };
}

const datedAge = (age: Findings['age']): SiteEvidence['age'] =>
  age && { days: age.days, recent: isRecent(age), veryRecent: isVeryRecent(age) };

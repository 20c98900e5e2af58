import { parseHost, shown } from '@vedette/contract';
import type { Brand, Brands, IdentityRule, Token } from '../identity/index.ts';
import type { Names } from '../ports/index.ts';
import { judgeHostName } from './host-traits.ts';
import { HARMFUL_LISTS, MANY_TENANTS } from './tables/catalogue.ts';

/** A certificate as a server showed it. */
export interface ShownCertificate {
  /** DNS names, in lower case; a stranger may have written anything. */
  names: readonly string[];
  /** Organization of the subject; empty without. */
  organization: string;
  /** Browsers trust the issuer, which says that it has checked the organization: OV or EV. */
  isChecked: boolean;
  isSelfIssued: boolean;
}

/** What a certificate tells of its host. Empty where it tells nothing. */
export interface CertificateSigns {
  /** Names of brands that only forgers choose, in the certificate of another host. */
  forgeries: string;
  /** Odd names of at least three others, which are half of all domains in the certificate. */
  oddNames: string;
  /** Names of other domains that lists call phishing or malware, each with its list, and their share of the other domains. Empty and 0 without. */
  listed: { names: string; share: number };
  /** A brand's name as the organization, which nobody but the server itself vouches for. */
  claim: string;
  /** The brand that has the host, by an organization that was checked. */
  owner: Brand | undefined;
}

/** Public issuers put at most 100 names into nearly all certificates. */
const NAMES_MAX = 100;
const ODD_DOMAINS_MIN = 3;
const TOLD_MAX = 3;
const ORGANIZATION_MAX_CHARS = 100;

/** Ways of naming a brand that only forgers choose. */
const SURE: ReadonlySet<IdentityRule> = new Set(['own_domain_in_front', 'brand_and_lure', 'slip_and_lure']);

/** Makers of programs that sign their own certificates until an owner brings others, and carriers whose routers do. */
const MAKERS: ReadonlySet<string> = new Set(
  'Apple,Bell Canada,Bouygues Telecom,cPanel,Duo Security,GlobalProtect,Google,Microsoft,Movistar,Roundcube,Swisscom,T-Mobile,TalkTalk,Verizon,Virgin Media,WordPress,Xfinity,Zimbra,Ziggo,Zoho'.split(
    ',',
  ),
);

/** Firms in whose name certificates of their customers are. */
const LANDLORDS: ReadonlySet<string> = new Set(['GitHub', 'GoDaddy', 'Imperva', 'Shopify', 'Squarespace', 'Zendesk']);

/** Names of hosts in a certificate, each once, without the star of a wildcard and `www.` in front. */
export function certificateHosts(names: readonly string[]): string[] {
  const hosts = names.slice(0, NAMES_MAX).flatMap((name) => {
    const host = parseHost(name.replace(/^\*\./, ''));
    return host?.kind === 'name' && host.host.includes('.') ? [host.host.replace(/^www\.(?=[^.]+\.)/, '')] : [];
  });
  return [...new Set(hosts)];
}

/** Judges the other names in a host's certificate, and its organization. */
export function judgeCertificate(host: string, certificate: ShownCertificate, names: Names): CertificateSigns {
  const brands = names.brands();
  const { tenant, isTenant, identity, popularity } = judgeHostName(host, names);
  const named = brandNamed(certificate.organization, brands);
  const isClaim = named?.isOften === true && certificate.isSelfIssued && !MAKERS.has(named.brand.name);
  const isOwn = brands.ownerOf(tenant) !== undefined;
  const isFor = certificate.names.some((name) => name === host || name === `www.${host}`);
  const owner =
    named && !LANDLORDS.has(named.brand.name) && certificate.isChecked && isFor && !isTenant && !isOwn ? named.brand : undefined;
  const isJudged = !isOwn && !owner && !isTenant && tenant !== '' && popularity === 'low';
  const others = isJudged ? othersBeside(host, tenant, certificate.names, names) : [];
  const isAccusedItself = identity !== undefined && SURE.has(identity.rule);
  const organization = shown(certificate.organization, ORGANIZATION_MAX_CHARS);
  return {
    forgeries: isAccusedItself ? '' : told(others, tenant, ({ isForgery }) => isForgery, 1),
    oddNames: told(others, tenant, ({ isOdd }) => isOdd, ODD_DOMAINS_MIN),
    listed: listedOf(others, tenant),
    claim: isClaim && isJudged ? organization : '',
    owner,
  };
}

interface Other {
  host: string;
  tenant: string;
  isForgery: boolean;
  isOdd: boolean;
  /** The list that calls it phishing or malware; empty without. */
  list: string;
}

/** The other names, judged. None where a brand is among them: it has names of its own that look like a forger's. */
function othersBeside(host: string, tenant: string, written: readonly string[], names: Names): Other[] {
  const others: Other[] = [];
  for (const other of certificateHosts(written)) {
    if (other === host) continue;
    const traits = judgeHostName(other, names);
    if (names.brands().ownerOf(traits.tenant)) return [];
    others.push({
      host: other,
      tenant: traits.tenant,
      isForgery: (traits.identity !== undefined && SURE.has(traits.identity.rule)) || isLookAlike(traits.homoglyph),
      isOdd: (traits.making.machine !== '' || traits.typosquat !== '') && traits.tenant !== tenant,
      list: traits.popularity === 'low' && traits.tenant !== '' ? listOf(other, traits.tenant, names) : '',
    });
  }
  return others;
}

/** Names of hosts where anyone has a page or a name: a listing of one is a mistake, or means another. */
const SHARED: ReadonlySet<string> = new Set(MANY_TENANTS);

/** The list of phishing or malware that has a name, or one above it that its tenant has. */
function listOf(host: string, tenant: string, names: Names): string {
  const listings = names.listings(host);
  if (listings.some(({ list, entry }) => SHARED.has(list) && entry.length >= tenant.length)) return '';
  return listings.find(({ list, entry }) => HARMFUL_LISTS.has(list) && entry.length >= tenant.length)?.list ?? '';
}

/** The other domains that are listed. The more strangers a certificate has, the less one of them says: the share is of all domains but the host's own. */
function listedOf(others: readonly Other[], tenant: string): CertificateSigns['listed'] {
  const foreign = others.filter((other) => other.tenant !== tenant);
  const found = [...new Map(foreign.filter(({ list }) => list !== '').map((other) => [other.tenant, other])).values()];
  const share = found.length === 0 ? 0 : found.length / new Set(foreign.map((other) => other.tenant)).size;
  return { names: enumerated(found.map(({ host, list }) => `${host} (${list}: ${HARMFUL_LISTS.get(list)})`)), share };
}

const isLookAlike = (homoglyph: string): boolean => homoglyph !== '' && homoglyph !== 'mixed scripts';

/**
 * The names with a sign. Those below the host's own domain are its owner's; those of others count where they are half of all domains in the
 * certificate: one customer of a landlord says nothing about the next.
 */
function told(others: readonly Other[], tenant: string, isSign: (other: Other) => boolean, least: number): string {
  const found = others.filter(isSign);
  const own = found.filter((other) => other.tenant === tenant);
  const domains = new Set([tenant, ...others.map((other) => other.tenant)]);
  const bad = new Set(found.filter((other) => other.tenant !== tenant).map((other) => other.tenant));
  const counted = bad.size >= least && bad.size * 2 >= domains.size ? found : least === 1 ? own : [];
  return enumerated(counted.map((other) => other.host));
}

function enumerated(texts: readonly string[]): string {
  const rest = texts.length - TOLD_MAX;
  return [...texts.slice(0, TOLD_MAX), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

/** Words of firms behind their names. */
const LEGAL_FORM =
  /(?:[\s,.]+(?:inc|incorporated|corp|corporation|co|company|llc|ltd|limited|plc|gmbh|ag|sa|se|spa|nv|bv|ab|as|oy|kk|holdings?|group|international|global))+[\s,.]*$/i;

/** The brand whose name an organization is, but for its legal form. A name that is a word, or a family's, is another firm's too. */
function brandNamed(organization: string, brands: Brands): Token | undefined {
  const name = organization.slice(0, ORGANIZATION_MAX_CHARS).normalize('NFKD').replace(/\p{M}/gu, '');
  for (const text of [name, name.replace(LEGAL_FORM, '')]) {
    const token = brands.token(text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
    if (token && !token.isWord) return token;
  }
  return undefined;
}

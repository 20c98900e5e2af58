import { isEducationalHost, isGovernmentHost } from '@vedette/contract';
import type { Names } from '../ports/index.ts';
import { domainToUnicode } from 'node:url';
import { type Brands, homographOf, type Identity, judgeIdentity, judgeMaking, type Making, POPULAR_DOMAINS } from '../identity/index.ts';
import { restrictionLevel } from '../confusables/index.ts';
import { type NameList, SHARED_HOSTS } from './tables/catalogue.ts';
import { type DomainParts, domainParts, registeredName, tenantOf } from './registrable.ts';

/** Places by rank of what is visited much, and what is visited at all. */
const HIGH_RANK = 50_000;
const MEDIUM_RANK = 1_000_000;
/** Up to this rank a domain is so well known that a similarity of names is a coincidence. */
const BEST_KNOWN_RANK = 10_000;

/** Letters of the registered label, as people read it: `freiwillige-feuerwehr-bad-neuenahr-ahrweiler` has 44 in five words. */
const LABEL_LETTERS = 45;
const WORD_LETTERS = 30;
const HOST_LETTERS = 60;
/** Top-level domains whose names cost next to nothing and are abused often, beside `abused-tlds`. By themselves they say nothing: shops are honest. */
const CHEAP: ReadonlySet<string> = new Set('shop cc help lat life support casa'.split(' '));
/** Hyphens of the registered label: `the-old-bakery-tea-room` has four. */
const DASHES = 5;
/** Dots before the public suffix: `a.b.c.d.example.org` has four. */
const DOTS = 4;

export type Popularity = 'low' | 'medium' | 'high';

/** Traits of a host's name. */
export interface HostTraits {
  parts: DomainParts;
  /** The domain of one tenant: the registrable domain, or the label below a host that gives names to the public. Empty for a public suffix. */
  tenant: string;
  /** The host is a tenant below a shared name: fame and age of the registrable domain are the landlord's. */
  isTenant: boolean;
  /** The name that a registry knows the age of; empty for a public suffix, and where it would be the landlord's. */
  registered: string;
  abusedTld: boolean;
  uncommonLength: boolean;
  uncommonDashes: boolean;
  uncommonDots: boolean;
  /** The name reads like that of a file, so that a program makes a link of it or a person opens it. */
  clickable: boolean;
  /** The brand that it imitates in other letters; `mixed scripts` if it only mixes scripts that no language mixes. Empty without. */
  homoglyph: string;
  /** The brand that its name means, and how; undefined where it means none, or is the brand's own. */
  identity: Identity | undefined;
  /** The brand of which its name is a slip or an extension, and how: `identity` where that is a forger's. Empty without. */
  typosquat: string;
  making: Making;
  popularity: Popularity;
}

/** How well a host is known. A tenant of a shared host is not, however famous its landlord. It costs a small part of a whole judgement. */
export function hostPopularity(host: string, names: Names): Popularity {
  const root = domainParts(host).root_domain;
  const tenant = tenantOf(host) ?? '';
  return isTenantHost(tenant, root, givenBelow(host, names)) ? 'low' : popularityOf(root, names);
}

const isTenantHost = (tenant: string, root: string, given: string | undefined): boolean =>
  tenant !== '' && (tenant !== root || given !== undefined);

/** Judges the name of a host, in lower-case A-labels, by itself and by the lists. */
export function judgeHostName(host: string, names: Names): HostTraits {
  const parts = domainParts(host);
  const tenant = tenantOf(host) ?? '';
  const label = domainToUnicode(tenant.slice(0, tenant.indexOf('.')));
  const given = givenBelow(host, names);
  const isTenant = isTenantHost(tenant, parts.root_domain, given);
  const { domain, isLandlords } = registeredName(host);
  const abusedTld = names.listings(host).some(({ list }) => list === ('abused-tlds' satisfies NameList));
  const own = longer(tenant, given);
  const looks =
    tenant === '' || isKnown(own, names)
      ? NOTHING
      : looksLike(host, own, { isTenant, isAbused: abusedTld, isCheap: abusedTld || CHEAP.has(parts.tld), brands: names.brands() });
  return {
    parts,
    tenant,
    isTenant,
    registered: isLandlords || given !== undefined ? '' : domain,
    abusedTld,
    uncommonLength: isLong(label) || lengthOf(domainToUnicode(host)) > HOST_LETTERS,
    uncommonDashes: countOf('-', label) >= DASHES,
    uncommonDots: countOf('.', host) - countOf('.', parts.tld) - 1 >= DOTS,
    clickable: isClickable(host, tenant, label),
    ...looks,
    popularity: isTenant ? 'low' : popularityOf(parts.root_domain, names),
  };
}

/** Public suffixes and our lists of shared hosts know different ones. */
const longer = (tenant: string, given: string | undefined): string =>
  given !== undefined && given.length > tenant.length ? given : tenant;

const NOTHING: Looks = {
  homoglyph: '',
  identity: undefined,
  typosquat: '',
  making: { lures: '', offices: '', campaign: '', bare: false, machine: '' },
};

/** Returns whether the domain is so well known that it imitates no brand. */
const isKnown = (tenant: string, names: Names): boolean =>
  POPULAR_DOMAINS.has(tenant) ||
  OWN_SUFFIXES.has(tenant.slice(tenant.indexOf('.') + 1)) ||
  names.brands().ownerOf(tenant) !== undefined ||
  isGovernmentHost(tenant) ||
  isEducationalHost(tenant) ||
  (names.rank(tenant) ?? Number.POSITIVE_INFINITY) <= BEST_KNOWN_RANK;

/** Public suffixes below which all names are their owner's. */
const OWN_SUFFIXES: ReadonlySet<string> = new Set(['googleapis.com']);

type Looks = Pick<HostTraits, 'homoglyph' | 'identity' | 'typosquat' | 'making'>;

/** Kinds of names that only forgers have. */
const FORGED: ReadonlySet<string> = new Set<Identity['rule']>([
  'own_domain_in_front',
  'brand_and_lure',
  'slip_and_lure',
  'brand_of_tenant',
  'brand_in_front',
  'slip',
]);

function looksLike(
  host: string,
  tenant: string,
  { isTenant, isAbused, isCheap, brands }: { isTenant: boolean; isAbused: boolean; isCheap: boolean; brands: Brands },
): Looks {
  const label = domainToUnicode(tenant.slice(0, tenant.indexOf('.')));
  const subdomain = domainToUnicode(host.slice(0, Math.max(0, host.length - tenant.length - 1))).replace(/^www(?:\.|$)/, '');
  const tld = domainToUnicode(tenant.slice(tenant.indexOf('.') + 1));
  const labels = [label, ...subdomain.split('.')].filter((part) => part !== '');
  const words = labels.flatMap((part) => part.split('-')).filter((part) => part !== '');
  const homograph = words.map((word) => homographOf(word, tld, brands)).find((found) => found !== undefined);
  const isMixed = labels.some((part) => ['minimally_restrictive', 'unrestricted'].includes(restrictionLevel(part)));
  const found = judgeIdentity({ tenant, label, subdomain, isTenant, registered: domainParts(host).root_domain, isCheap }, brands);
  // Most brands have their own name under more top-level domains than anyone knows of.
  const identity = found?.rule === 'other_tld' && !isTenant && !isAbused ? undefined : found;
  return {
    homoglyph: homograph ?? (isMixed ? 'mixed scripts' : ''),
    identity,
    typosquat: identity && FORGED.has(identity.rule) ? identity.detail : '',
    making: judgeMaking({ label, subdomain, suffix: tld, isTenant, isAbused, isCheap }),
  };
}

/** The name that a shared host gave away; undefined elsewhere. The host's own `www` does not count. */
function givenBelow(host: string, names: Names): string | undefined {
  const landlord = names.listings(host).find(({ list, entry }) => GIVES_AWAY.has(list) && entry !== host && `www.${entry}` !== host)?.entry;
  const labels = landlord === undefined ? [] : host.slice(0, -landlord.length - 1).split('.');
  return landlord && `${labels.at(-1)}.${landlord}`;
}
const GIVES_AWAY: ReadonlySet<string> = new Set(SHARED_HOSTS);

function popularityOf(domain: string, names: Names): Popularity {
  if (POPULAR_DOMAINS.has(domain)) return 'high';
  const rank = names.rank(domain);
  if (rank === undefined || rank > MEDIUM_RANK) return 'low';
  return rank <= HIGH_RANK ? 'high' : 'medium';
}

/** Endings of files that people open or that run, and that do not abbreviate anything else. */
const FILE_ENDING = 'pdf|html?|docx?|xlsx?|pptx?|exe|msi|apk|dmg|iso|rar|7z|jar|scr|bat|vbs|hta|lnk';
const NAMED_LIKE_A_FILE = new RegExp(`[-_.](?:${FILE_ENDING})$`);
/** Top-level domains that are endings of files, and mean nothing else: `.com`, `.sh` and `.app` are used for what they say. */
const FILE_TLD = /\.(?:zip|mov)$/;

/** `invoice.zip`, `invoice-pdf.example.org`, `statement.pdf.example.org`; `www.html.com` is not a file. */
function isClickable(host: string, tenant: string, label: string): boolean {
  const inFront = host.slice(0, Math.max(0, host.length - tenant.length - 1)).split('.');
  return (
    FILE_TLD.test(host) ||
    NAMED_LIKE_A_FILE.test(label) ||
    inFront.some((_, at) => NAMED_LIKE_A_FILE.test(inFront.slice(0, at + 1).join('.')))
  );
}

const isLong = (label: string): boolean =>
  lengthOf(label) > LABEL_LETTERS || label.split('-').some((word) => lengthOf(word) > WORD_LETTERS);
const lengthOf = (text: string): number => Array.from(text).length;
const countOf = (character: string, text: string): number => text.split(character).length - 1;

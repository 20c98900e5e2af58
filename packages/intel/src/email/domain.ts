import type { EmailAddress } from './address.ts';
import { hasLongConsonantRun, looksRandom } from './gibberish.ts';
import { DISPOSABLE_DOMAINS, DISPOSABLE_EXCHANGERS } from './lists/disposable.ts';
import {
  EDUCATION_DOMAINS,
  EDUCATION_LABELS,
  EDUCATION_NAME,
  GOVERNMENT_DOMAINS,
  GOVERNMENT_LABELS,
  IMITATED_BRANDS,
  POLICE_NAME,
  POPULAR_DOMAINS,
  RISKY_TLDS,
  STUDENT_LABELS,
} from './lists/domains.ts';
import { CHINESE_FREE, FORWARDERS, FREE_PROVIDERS, PAID_PUBLIC, RUSSIAN_FREE } from './lists/providers.ts';
import { hasDirtyWords } from './username.ts';

/** What a domain is, as far as its name and its mail exchangers tell. */
export interface DomainTraits {
  /** Anyone can get a mailbox there: free, paid, forwarded or disposable. */
  public: boolean;
  disposable: boolean;
  forwarder: boolean;
  free: boolean;
  russianFree: boolean;
  chineseFree: boolean;
  suspicious: boolean;
  dirtyWords: boolean;
  popular: boolean;
  riskyTld: boolean;
  police: boolean;
  government: boolean;
  educational: boolean;
  student: boolean;
}

/** `exchangers`: host names of the MX records, empty when unknown. */
export function judgeDomain({ domain, rootDomain, subdomain, tld }: EmailAddress, exchangers: readonly string[]): DomainTraits {
  const disposable = isOrIsBelow(domain, DISPOSABLE_DOMAINS) || exchangers.some((host) => isOrIsBelow(host, DISPOSABLE_EXCHANGERS));
  const forwarder = isOrIsBelow(domain, FORWARDERS);
  const free = FREE_PROVIDERS.has(domain);
  const popular = free || POPULAR_DOMAINS.has(rootDomain);
  const educational = !free && isEducational(domain, rootDomain, tld);
  const government = isGovernmental(domain, tld);
  const name = rootDomain.slice(0, rootDomain.indexOf('.'));
  const official = government || educational;
  return {
    public: free || disposable || forwarder || isOrIsBelow(domain, PAID_PUBLIC),
    disposable,
    forwarder,
    free,
    russianFree: RUSSIAN_FREE.has(domain),
    chineseFree: CHINESE_FREE.has(domain),
    suspicious: !popular && !official && isSuspiciousName(name, subdomain),
    dirtyWords: !popular && hasDirtyWords(name.split('-')),
    popular,
    riskyTld: RISKY_TLDS.has(tld.slice(tld.lastIndexOf('.') + 1)) && !popular,
    police: POLICE_NAME.test(domain),
    government,
    educational,
    student: educational && subdomain.split('.').some((label) => STUDENT_LABELS.has(label)),
  };
}

/** Whether the list has the domain or one of its ancestors. */
function isOrIsBelow(domain: string, list: ReadonlySet<string>): boolean {
  const labels = domain.toLowerCase().split('.');
  return labels.some((_, i) => list.has(labels.slice(i).join('.')));
}

const SPONSORED_TLDS: Record<'government' | 'education', readonly string[]> = { government: ['gov', 'mil'], education: ['edu'] };

/** Whether the public suffix is such a domain (`gov`) or a country's level for them (`gov.uk`, `ac.jp`, `k12.ca.us`). */
const hasSuffix = (tld: string, kind: keyof typeof SPONSORED_TLDS, labels: ReadonlySet<string>): boolean =>
  SPONSORED_TLDS[kind].includes(tld) ||
  tld
    .split('.')
    .slice(0, -1)
    .some((label) => labels.has(label));

const isGovernmental = (domain: string, tld: string): boolean =>
  hasSuffix(tld, 'government', GOVERNMENT_LABELS) || isOrIsBelow(domain, GOVERNMENT_DOMAINS);

const isEducational = (domain: string, rootDomain: string, tld: string): boolean =>
  hasSuffix(tld, 'education', EDUCATION_LABELS) || isOrIsBelow(domain, EDUCATION_DOMAINS) || EDUCATION_NAME.test(rootDomain);

const MAX_NAME_LENGTH = 30;

function isSuspiciousName(name: string, subdomain: string): boolean {
  const words = [...name.split('-'), ...subdomain.split(/[.-]/)];
  const imitates = words.length > 1 && words.some((word) => IMITATED_BRANDS.has(word));
  const joined = name.replaceAll('-', '');
  return (
    imitates ||
    name.length > MAX_NAME_LENGTH ||
    name.split('-').length > 4 ||
    /\d{5}/.test(name) ||
    (!name.startsWith('xn--') && (hasLongConsonantRun(joined) || looksRandom(joined)))
  );
}

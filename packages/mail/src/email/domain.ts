import type { Disposability, Mailboxes, Names } from '@vedette/intel/ports';
import { isEducationalHost, isGovernmentHost } from '@vedette/contract';
import { domainToUnicode } from 'node:url';
import type { EmailAddress } from './address.ts';
import { hasLongConsonantRun, looksRandom } from './gibberish.ts';
import { type Imitation, judgeImitation, POPULAR_DOMAINS } from '@vedette/intel/identity';
import { isListed, isOrIsBelow, type NameList } from '@vedette/intel/names';
import {
  DISPOSABLE_EXCHANGERS,
  POLICE_NAME,
  RISKY_TLDS,
  EDUCATION_DOMAINS,
  STUDENT_LABELS,
  CHINESE_FREE,
  FREE_PROVIDERS,
  RUSSIAN_FREE,
} from '@vedette/intel/mailboxes';
import { dirtyWords, type DirtyWords } from './username.ts';

/** The kind of a domain, by its name and its mail exchangers. */
export interface DomainTraits {
  /** Anyone can get a mailbox there: free, paid, forwarded or disposable. */
  public: boolean;
  disposable: Disposability;
  forwarder: boolean;
  free: boolean;
  russianFree: boolean;
  chineseFree: boolean;
  /** The name is one that people rarely choose. A weak sign. */
  oddName: boolean;
  imitation: Imitation;
  dirtyWords: DirtyWords;
  popular: boolean;
  riskyTld: boolean;
  police: boolean;
  government: boolean;
  educational: boolean;
  student: boolean;
}

const NOBODY: Imitation = { homograph: '', lure: '', mention: '', mixedScripts: false };

/** The lists of providers. */
interface Lists {
  names: Pick<Names, 'listings' | 'brands'>;
  mailboxes: Mailboxes;
}

/** `exchangers`: host names of the MX records, empty when unknown. */
export function judgeDomain(
  { domain, rootDomain, subdomain, tld }: EmailAddress,
  exchangers: readonly string[],
  { names, mailboxes }: Lists,
): DomainTraits {
  const listings = new Set(names.listings(domain).map(({ list }) => list));
  const disposability = judgeDisposability(domain, exchangers, mailboxes);
  const forwarder = listings.has('mail-forwarders' satisfies NameList);
  const wellKnown = FREE_PROVIDERS.has(domain);
  const free = wellKnown || (disposability === 'none' && isListed(domain, 'free-mail', names));
  const popular = wellKnown || POPULAR_DOMAINS.has(rootDomain);
  const educational = !wellKnown && (isEducationalHost(domain) || isOrIsBelow(domain, EDUCATION_DOMAINS));
  const government = isGovernmentHost(domain);
  const known = popular || government || educational || names.brands().ownerOf(rootDomain) !== undefined;
  // The U-label is judged: an A-label has hyphens and digits that its owner did not choose.
  const name = domainToUnicode(rootDomain.slice(0, rootDomain.indexOf('.')));
  return {
    public: free || disposability !== 'none' || forwarder || listings.has('paid-mail' satisfies NameList),
    disposable: disposability,
    forwarder,
    free,
    russianFree: RUSSIAN_FREE.has(domain),
    chineseFree: CHINESE_FREE.has(domain),
    oddName: !known && isOddName(name),
    imitation: known ? NOBODY : judgeImitation({ name, subdomain: domainToUnicode(subdomain), tld: domainToUnicode(tld) }, names.brands()),
    dirtyWords: popular ? 'none' : dirtyWords(name.split('-')),
    popular,
    riskyTld: RISKY_TLDS.has(tld.slice(tld.lastIndexOf('.') + 1)) && !known,
    police: POLICE_NAME.test(domain),
    government,
    educational,
    student: educational && subdomain.split('.').some((label) => STUDENT_LABELS.has(label)),
  };
}

/** Whether the domain offers free mailboxes, permanent or disposable, judged by its name. `domain`: in lower-case A-labels. */
export const isFreeMailbox = (domain: string, { names, mailboxes }: Lists): boolean =>
  FREE_PROVIDERS.has(domain) || isListed(domain, 'free-mail', names) || mailboxes.disposability(domain) === 'known';

/** Whether anything about the name speaks against the domain. */
export const isSuspicious = ({ oddName, imitation: { homograph, lure, mention, mixedScripts } }: DomainTraits): boolean =>
  oddName || mixedScripts || homograph !== '' || lure !== '' || mention !== '';

/** Hosting for other people's domains, which no service for throw-away mailboxes uses: too few mailboxes, too dear. */
const BUSINESS_HOSTS: ReadonlySet<string> = new Set(['google.com', 'googlemail.com', 'protection.outlook.com', 'mx.microsoft']);

/**
 * Judges by name and by mail exchanger. Such services leave their domains after a year, and others register them: one whose mail is with a host
 * for businesses by now has changed hands.
 */
function judgeDisposability(domain: string, exchangers: readonly string[], mailboxes: Mailboxes): Disposability {
  if (exchangers.some((host) => isOrIsBelow(host, DISPOSABLE_EXCHANGERS))) return 'known';
  return exchangers.some((host) => isOrIsBelow(host, BUSINESS_HOSTS)) ? 'none' : mailboxes.disposability(domain);
}

const MAX_WORD_LENGTH = 30;
/** `freiwillige-feuerwehr-bad-neuenahr-ahrweiler` has 44, and five words. */
const MAX_NAME_LENGTH = 45;
const MAX_WORDS = 6;
/** `e-t-a-hoffmann-gymnasium` has three. */
const MAX_SINGLE_LETTERS = 3;

/** A name of figures alone is not: it is how many are called where people read them as words. */
function isOddName(name: string): boolean {
  const words = name.split('-');
  return (
    name.length > MAX_NAME_LENGTH ||
    words.length > MAX_WORDS ||
    words.some((word) => word.length > MAX_WORD_LENGTH) ||
    words.filter((word) => word.length === 1).length > MAX_SINGLE_LETTERS ||
    (/\d{5}/.test(name) && /\D/.test(name)) ||
    hasLongConsonantRun(name) ||
    looksRandom(name)
  );
}

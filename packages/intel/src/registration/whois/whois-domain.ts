import { countryOf } from '../facts/country.ts';
import { comingDayOf, dayOf } from '../facts/dates.ts';
import { type DomainReading, NAMESERVERS_MAX, noDomainReading, ownerOf } from '../domain-reading.ts';
import { textOf } from '../rdap/json.ts';
import { emailDomain } from '../facts/privacy.ts';
import {
  CREATED,
  UPDATED,
  EXPIRES,
  PAGES,
  REGISTRAR,
  NAMESERVERS,
  OWNER_ORGANIZATION,
  OWN_ORGANIZATION,
  ORGANIZATION,
  NOBODY,
  OWNER_SECTIONS,
  CONTACT_SECTIONS,
  CONTACT_KEYS,
  REFERRALS,
  NAMES,
  QUESTIONS,
  STATUSES,
} from './whois-keys.ts';
import { entriesOf, type Entry } from './whois-lines.ts';
import { isFreeStatus, isRegisteredStatus, isReservedStatus, type WhoisVerdict, verdictOf } from './whois-verdict.ts';

/** Where a WHOIS server is. */
export interface WhoisServer {
  host: string;
  port: number;
}

/** The reading of an answer: data about the domain, or a verdict of a few words. `referral`: who is said to know more. */
export type WhoisReading =
  | { kind: 'data'; reading: DomainReading; referral: WhoisServer | undefined }
  | { kind: Exclude<WhoisVerdict, 'data'> | 'referral'; referral: WhoisServer | undefined };

/** Reads an answer to a question about `name`, in lower-case A-labels. `port`: where a referral leads that names none. */
export function readWhoisDomain(text: string, name: string, now: Date, port: number = WHOIS_PORT): WhoisReading {
  const entries = entriesOf(text);
  const referral = referralOf(entries, port);
  const own = ownEntry(entries, name);
  if (!own) {
    const verdict = isKnownNowhere(text, name) ? 'unregistered' : verdictOf(text);
    return { kind: verdict === 'unreadable' && referral ? 'referral' : verdict, referral };
  }
  const contacts = new Set(entries.filter(({ key }) => CONTACT_KEYS.has(key)).map(({ block }) => block));
  const about = new About(
    entries,
    entries.filter(({ section, block }) => !CONTACT_SECTIONS.test(section) && (block === own.block || !contacts.has(block))),
    own.block,
  );
  const reading = readingOf(about, now);
  const status = about.value(STATUSES);
  if (isFreeStatus(status)) return { kind: 'unregistered', referral: undefined };
  const isBare =
    reading.created === '' &&
    reading.expires === '' &&
    reading.updated === '' &&
    reading.registrar === '' &&
    reading.nameservers.length === 0;
  if (!isBare) return { kind: 'data', reading, referral };
  if (isReservedStatus(status)) return { kind: 'reserved', referral };
  const verdict = verdictOf(text);
  if (verdict !== 'unreadable') return { kind: verdict, referral };
  return isRegisteredStatus(status) ? { kind: 'data', reading, referral } : { kind: referral ? 'referral' : 'unreadable', referral };
}

/** The entries of an answer, and those among them that are about the domain and not about a contact. */
class About {
  readonly #all: readonly Entry[];
  readonly #domain: readonly Entry[];
  /** The part that names the domain. */
  readonly #own: readonly Entry[];

  constructor(all: readonly Entry[], domain: readonly Entry[], own: number) {
    this.#all = all;
    this.#domain = domain;
    this.#own = domain.filter(({ block }) => block === own);
  }

  /** The value of the first of these keys that is there, of the domain itself; where it is named before elsewhere. */
  value(keys: readonly string[]): string {
    return firstOf(this.#own, keys) || firstOf(this.#domain, keys);
  }

  own(keys: readonly string[]): string {
    return firstOf(this.#own, keys);
  }

  /** Values of keys that say by themselves what they are about, wherever they stand. */
  anywhere(keys: readonly string[]): string {
    return firstOf(this.#all, keys);
  }

  values(keys: readonly string[]): string[] {
    return this.#domain.filter(({ key }) => keys.includes(key)).map(({ value }) => value);
  }

  below(section: RegExp, keys: readonly string[]): string {
    return firstOf(
      this.#all.filter((entry) => section.test(entry.section)),
      keys,
    );
  }

  /** A value of the part that begins with a registrar of this name. */
  registrar(name: string, keys: readonly string[]): string {
    const found = this.#all.find(
      ({ key, value, block }, i) => key === 'registrar' && value === name && i > 0 && this.#all[i - 1]!.block !== block,
    );
    return name === '' || !found
      ? ''
      : firstOf(
          this.#all.filter(({ block }) => block === found.block),
          keys,
        );
  }

  /** A value of the contact that has this handle. */
  contact(handle: string, keys: readonly string[]): string {
    const found = handle === '' ? undefined : this.#all.find(({ key, value }) => CONTACT_KEYS.has(key) && value === handle);
    return found
      ? firstOf(
          this.#all.filter(({ block }) => block === found.block),
          keys,
        )
      : '';
  }
}

function firstOf(entries: readonly Entry[], keys: readonly string[]): string {
  for (const key of keys) {
    const found = entries.find((entry) => entry.key === key && entry.value !== '');
    if (found) return textOf(found.value);
  }
  return '';
}

function readingOf(about: About, now: Date): DomainReading {
  const named = about.value(REGISTRAR) || about.below(/^registrar$/, [...ORGANIZATION, 'name', 'registrar']);
  const abuse = [
    ...about.values(['registrar abuse contact email', 'abuse contact']),
    about.registrar(named, ['abuse-email']),
    about.below(/^registrar$/, ['abuse-email']),
  ];
  return {
    ...noDomainReading,
    created: dayOf(about.value(CREATED) || about.anywhere(['domain name commencement date']), now),
    updated: dayOf(about.value(UPDATED).replace(WRITER, ''), now),
    expires: comingDayOf(about.value(EXPIRES) || about.anywhere(['expiry date']), now),
    registrar: NOBODY.test(named) ? '' : (about.registrar(named, ORGANIZATION) || named).replace(ASIDE, ''),
    registrar_url: urlOf(
      about.value(['registrar url', 'registrar info', 'registration service url']) ||
        about.below(/^registrar$/, PAGES) ||
        about.registrar(named, PAGES),
    ),
    registrar_abuse_email: abuse.find((text) => emailDomain(text) !== '') ?? '',
    registrar_iana_id: /^\d{1,6}$/.exec(about.value(['registrar iana id']))?.[0] ?? '',
    ...ownershipOf(about),
    dnssec: dnssecOf(about),
    nameservers: nameserversOf(about),
  };
}

function ownershipOf(about: About): Partial<DomainReading> {
  const handle = about.value(['holder-c', 'owner-c', 'registrant']);
  const owned = (keys: readonly string[]): string => about.below(OWNER_SECTIONS, keys) || about.contact(handle, keys);
  const registrant = about.value(['registrant', 'holder']);
  const isHandle = about.contact(handle, [...CONTACT_KEYS]) !== '';
  const type = about.value(['registrant type', 'type']) || owned(['type']);
  const person = about.value(['registrant name', 'person']) || owned(['name', 'personname', 'person']);
  const individual = /\b(?:person|individual)\b/i.test(type) || /^private person$/i.test(person);
  const inText = isHandle || individual ? '' : registrant;
  const owner = ownerOf({
    organization:
      about.value(OWNER_ORGANIZATION) ||
      about.own(OWN_ORGANIZATION) ||
      owned(ORGANIZATION) ||
      (individual ? '' : owned(['contact'])) ||
      (owned(['register number']) === '' ? '' : owned(['name'])) || // .fi: only organizations have one
      inText,
    name: person,
    email: about.value(['registrant email', 'registrant contact email', 'registrant e-mail']) || owned(['email', 'e-mail']),
    country: countryOf(
      about.value(['registrant country', 'registrant country/economy']) || about.own(['country']) || owned(['country', 'country-loc']),
    ),
    region: about.value(['registrant state/province', 'registrant state', 'registrant province']) || owned(['state', 'province']),
    individual,
  });
  return {
    ...owner,
    describesOwner: registrant !== '' || person !== '' || owner.hidden || owner.owner_organization !== '' || owner.owner_email_hash !== '',
  };
}

function dnssecOf(about: About): DomainReading['dnssec'] {
  const said = about.value(['dnssec', 'signed']).toLowerCase();
  if (/^(?:unsigned|no\b|inactive|none)/.test(said)) return 'unsigned';
  if (/^(?:signed|yes\b|active)/.test(said)) return 'signed';
  const keys =
    about.value(['signing key', 'dnskey', 'ds-rdata', 'dsrecord', 'ds record', 'key1-tag']) || about.below(/^keys$/, ['keytag', 'flags']);
  return keys === '' ? 'unknown' : 'signed';
}

/** Additions of registries behind the registrar's name: its tag (.uk), its page (.at, .kr). */
const ASIDE = / ?(?:\[tag = [^\]]*\]|\( ?https?:[^)]*\))$/i;

/** RPSL tells who has written a change, and then when (.priv.at). */
const WRITER = /^\S{1,64}@\S{1,255} /;

const HOST = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/;

function nameserversOf(about: About): string[] {
  const hosts = about.values(NAMESERVERS).flatMap((value) => {
    const host = value
      .split(/[\s,;]/, 1)[0]!
      .toLowerCase()
      .replace(/\.$/, '');
    return HOST.test(host) ? host : [];
  });
  return [...new Set(hosts)].slice(0, NAMESERVERS_MAX);
}

const urlOf = (text: string): string => (/^https?:\/\/\S+$/i.test(text) ? text : /^www\.\S+$/i.test(text) ? `https://${text}` : '');

const namesDomain = ({ key, section }: Entry): boolean => NAMES.includes(key) || (key === 'name' && section === 'domain');

function isName({ value }: Entry, name: string): boolean {
  const url = `http://${value.split(/\s/, 1)[0]!.replace(/\.$/, '')}/`;
  return URL.canParse(url) && new URL(url).hostname === name;
}

/** The entry that begins what is said of `name`. Where an answer names no domain at all (.cl) it is about the one that was asked for: what tells its day. */
function ownEntry(entries: readonly Entry[], name: string): Entry | undefined {
  const named = entries.filter((entry) => namesDomain(entry));
  const questions = entries.filter(({ key }) => QUESTIONS.includes(key));
  const own = named.find((entry) => isName(entry, name)) ?? questions.find((entry) => isName(entry, name));
  if (own || named.length > 0 || questions.length > 0) return own;
  const tells = (keys: readonly string[]) => entries.find(({ key, section }) => keys.includes(key) && !CONTACT_SECTIONS.test(section));
  return tells(NAMESERVERS) && tells(CREATED);
}

/** IANA keeps .int and .arpa itself, and has no other word for an unregistered name. */
const isKnownNowhere = (text: string, name: string): boolean =>
  /\.(?:int|arpa)$/.test(name) && text.includes(`this server does not have\n% any data for ${name}.`);

const WHOIS_PORT = 43;

function referralOf(entries: readonly Entry[], port: number): WhoisServer | undefined {
  for (const wanted of REFERRALS) {
    const found = entries.find(({ key, value }) => key === wanted && value !== '');
    const server = found && readWhoisServer(found.value.replace(/^r?whois:\/\//i, '').replace(/\/.*$/, ''), port);
    if (server) return server;
  }
  return undefined;
}

/** `host`, `host:port` or `[address]:port`; undefined where it is neither. */
export function readWhoisServer(text: string, defaultPort: number = WHOIS_PORT): WhoisServer | undefined {
  const match = /^(\[[\da-f:.]+\]|[^\s:/@[\]]{1,255})(?::(\d{1,5}))?$/i.exec(text.trim());
  if (!match) return undefined;
  const port = match[2] === undefined ? defaultPort : Number(match[2]);
  const host = match[1]!.replace(/^\[|\]$/g, '').toLowerCase();
  return port > 0 && port < 65_536 && /[.:]|^localhost$/.test(host) ? { host, port } : undefined;
}

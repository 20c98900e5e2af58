import { type Brand, type Brands, shortSpeakerOf, speakerOf, STRONG_LURES } from '@vedette/intel/identity';
import { hostParts, hostPopularity, type HostTraits, judgeHostName, tenantOf } from '@vedette/intel/names';
import type { Impersonation, MessageFacts } from '@vedette/message/report';
import type { Names } from '@vedette/intel/ports';
import { parseHost } from '@vedette/contract';
import { posingUserName } from '@vedette/intel/urls';

/** The most hosts of a message that are judged: each takes a fifth of a millisecond in the process that all requests share. */
export const HOSTS_MAX = 100;
const URLS_MAX = 1_000;
const FOUND_MAX = 100;
const TEXT_MAX_CHARS = 200;

export interface Impersonations {
  /** Hosts that look like a brand's. */
  hosts: string[];
  found: Impersonation[];
  /** There were more hosts than are judged. */
  isCut: boolean;
}

/** What of a message is judged, and the data. */
interface Judged {
  facts: MessageFacts;
  names: Names;
  brands: Brands;
  /** The traits of the sender's domain. */
  sender: HostTraits;
}

/**
 * Finds where a message speaks in the name of a brand that it is not from. Subjects, hosts that only its links have, and links that stay with the
 * sender are weak: people write about brands, and newsletters count clicks. They count beside another sign of the same brand.
 */
export function impersonationsOf(facts: MessageFacts, names: Names): Impersonations {
  const judged = { facts, names, brands: names.brands(), sender: judgeHostName(facts.sender_details.domain, names) };
  const all = hostsOf(facts);
  const hosts = all.slice(0, HOSTS_MAX).flatMap((host) => lookalike(host, judged));
  const signs = [...ofName(judged), ...hosts, ...ofUserNames(judged), ...ofLinks(judged), ...ofSubject(judged)];
  const sure = new Set(signs.flatMap(({ found, isWeak }) => (isWeak ? [] : [found.brand])));
  // A subject that offers the brand's log-in, and a link to a host that is named like it.
  for (const { found, isLure } of signs) if (isLure && hosts.some((host) => host.found.brand === found.brand)) sure.add(found.brand);
  const found = signs.flatMap((sign) => (!sign.isWeak || sure.has(sign.found.brand) ? [sign.found] : []));
  return { hosts: hosts.map((sign) => sign.found.text), found: found.slice(0, FOUND_MAX), isCut: all.length > HOSTS_MAX };
}

/** The host name that a text is; empty for an address, and for what is not a host. */
function nameIn(text: string): string {
  const host = parseHost(text);
  return host?.kind === 'name' ? host.host : '';
}

interface Sign {
  found: Impersonation;
  isWeak: boolean;
  /** A subject that offers the brand's log-in or the like. */
  isLure?: boolean;
}

/** Hosts in the order in which they are judged, each once. */
function hostsOf({ sender_details, headers, ioc }: MessageFacts): string[] {
  const answered = nameIn(headers.reply_to.slice(headers.reply_to.lastIndexOf('@') + 1));
  const mailboxes = [sender_details.domain, answered].filter((host) => host !== '');
  return [...new Set([...mailboxes, ...ioc.urls.domains])];
}

/** A host that is written to be taken for a brand's: in other letters, a slip away from it, or its name with words of forgers. */
function lookalike(host: string, { facts, names, brands }: Judged): Sign[] {
  const { homoglyph, typosquat, identity } = judgeHostName(host, names);
  if (homoglyph === '' && typosquat === '') return [];
  const brand = identity?.brand.name ?? brands.token(homoglyph)?.brand.name ?? homoglyph;
  const isMailbox = host === facts.sender_details.domain || facts.headers.reply_to.toLowerCase().endsWith(`@${host}`);
  return [{ found: { brand, found_in: 'host', text: host, host }, isWeak: !isMailbox && homoglyph === '' }];
}

const ownerOf = (host: string, brands: Brands): Brand | undefined => brands.ownerOf(tenantOf(host) ?? host) ?? brands.ownerOf(rootOf(host));
const rootOf = (host: string): string => hostParts(host).root_domain || host;

/** Whether the sender is the brand, or one who speaks of it by right: another brand's own domain, as those of one group do. */
function isSenders(brand: Brand, { facts: { sender_details, security_details }, names, brands, sender }: Judged): boolean {
  const { domain } = sender_details;
  const owner = ownerOf(domain, brands);
  if (owner === brand) return true;
  if (domain === '' || security_details.dmarc_status === 'fail') return false;
  return (
    isNamedSo(brand, sender, domain) ||
    hasInitials(brand, sender) ||
    (owner !== undefined && sender.parts.subdomain === '' && !isOpen(domain, names))
  );
}

/** A domain that has the brand's name, and not as forgers do: brands have more domains than are known. */
const isNamedSo = (brand: Brand, { homoglyph, typosquat, tenant }: HostTraits, host: string): boolean =>
  tenant !== '' &&
  homoglyph === '' &&
  typosquat === '' &&
  brand.tokens.some(
    ({ text }) => host.split('.').includes(text) || (text.length > 3 && tenant.split('.', 1)[0]!.replaceAll('-', '').includes(text)),
  );

/** A domain of words with the brand's initials: `union-pharma-syndicat.example` is a UPS. */
const hasInitials = (brand: Brand, { tenant }: HostTraits): boolean => {
  const words = tenant.split('.', 1)[0]!.split('-');
  return words.every(({ length }) => length > 1) && brand.tokens.some(({ text }) => text === words.map(([first]) => first).join(''));
};

/** Everyone can have a mailbox there. */
const isOpen = (domain: string, names: Names): boolean =>
  names.listings(domain).some(({ list, entry }) => entry === domain && /^(?:free|paid)-mail$/.test(list));

function ofName(judged: Judged): Sign[] {
  const { facts, brands } = judged;
  const { from_name, subject } = facts.headers;
  const said = speakerOf(from_name, brands) ?? shortSpeakerOf(from_name, subject, brands);
  if (!said || isSenders(said.brand, judged) || isHandedOn(facts)) return [];
  const found = { brand: said.brand.name, found_in: 'from_name', text: shown(from_name), host: facts.sender_details.domain } as const;
  return [{ found, isWeak: isForwarded(judged) || isHidden(said.brand, facts) }];
}

/** A service such as Hide My Email hands the message on: it keeps the author's name, and puts an address of its own beside it. */
const isForwarded = ({ facts: { sender_details, security_details }, names }: Judged): boolean =>
  security_details.dmarc_status !== 'fail' && names.listings(sender_details.domain).some(({ list }) => list === 'mail-forwarders');

/** An address of Hide My Email that has the author's own in it: `service_at_intl_paypal_com_k2x8@icloud.com`. */
function isHidden({ domains }: Brand, { headers, sender_details, security_details }: MessageFacts): boolean {
  if (sender_details.domain !== 'icloud.com' || security_details.dmarc_status === 'fail') return false;
  const author = HIDDEN_AUTHOR.exec(headers.from_email.toLowerCase())?.[1];
  return domains.some((domain) => author?.endsWith(`_${domain.replaceAll('.', '_')}`));
}
/** The end of the author's address, before letters by chance. */
const HIDDEN_AUTHOR = /_at(_.{1,253})_[a-z0-9]{4,}@icloud\.com$/;

/** A list that puts its own address into From names the author before it: `PayPal via Buyers <buyers@lists.example.org>`. */
const isHandedOn = ({ from_list, headers }: MessageFacts): boolean => from_list && /\bvia\b/i.test(headers.from_name);

function ofSubject(judged: Judged): Sign[] {
  const { headers, sender_details } = judged.facts;
  const said = speakerOf(headers.subject, judged.brands);
  if (!said || isSenders(said.brand, judged)) return [];
  const found = { brand: said.brand.name, found_in: 'subject', text: shown(headers.subject), host: sender_details.domain } as const;
  return [{ found, isWeak: true, isLure: said.isLure }];
}

/** Host and path of a link's text that is a URL. */
const WRITTEN_URL = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24})(?::\d+)?([/?#]\S*)?$/iu;

/** Links whose text is the brand's, and that open a host of others. */
function ofLinks(judged: Judged): Sign[] {
  const { facts, names, brands } = judged;
  const senders = new Set([facts.sender_details.domain, ...facts.ioc.dkim_domains.domains].map(rootOf));
  return facts.links.flatMap(({ text, hosts }) => {
    const brand = brandOfLink(text, brands);
    const last = hosts.at(-1) ?? '';
    if (!brand || hosts.some((host) => ownerOf(host, brands) === brand) || isSenders(brand, judged)) return [];
    const isWeak = hosts.some((host) => senders.has(rootOf(host)) || hostPopularity(host, names) !== 'low');
    return [{ found: { brand: brand.name, found_in: 'link_text', text: shown(text), host: last }, isWeak }];
  });
}

/** The brand whose log-in, payment or the like the text of a link offers; undefined for those that only name it, as links to a page at Facebook do. */
function brandOfLink(text: string, brands: Brands): Brand | undefined {
  const [, written = '', path = ''] = WRITTEN_URL.exec(text.slice(0, TEXT_MAX_CHARS).trim()) ?? [];
  const host = nameIn(written.toLowerCase());
  if (host === '') {
    const said = speakerOf(text, brands);
    return said?.isLure ? said.brand : undefined;
  }
  const words = `${host}${path}`.toLowerCase().split(/[^a-z]+/);
  return words.some((word) => STRONG_LURES.has(word)) ? ownerOf(host, brands) : undefined;
}

/** User names that read like a brand's site: `https://paypal.com@evil.example/`. */
function ofUserNames({ facts, names, brands }: Judged): Sign[] {
  return facts.ioc.urls.urls.slice(0, URLS_MAX).flatMap((written) => {
    const { name, host } = posingUserName(written, names) ?? {};
    if (name === undefined || host === undefined) return [];
    const brand = brands.token(name)?.brand ?? ownerOf(name, brands);
    return [{ found: { brand: brand?.name ?? name, found_in: 'url_user_name', text: shown(name), host }, isWeak: false }];
  });
}

const shown = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
    .slice(0, TEXT_MAX_CHARS)
    .toWellFormed();

import { type AddressClass, cidrContains, cidrOf, classifyIp, parseCidrs, parseIp } from '@vedette/contract';
import { hasPublicSuffix, hostParts } from '@vedette/intel/registrable';
import type { Hop } from './hop.ts';

/** Where the message came into the hands of the receiver. */
export interface Border {
  /** How many of the Received fields, from the top, servers of the receiver wrote. */
  trusted: number;
  /** The last of those, where it took the message from outside. */
  crossing: Hop | undefined;
}

/**
 * Walks the Received fields from the top, where the receiver wrote, down to the first that took the message from outside: what is below
 * the sender may have written. A hop counts as one of the receiver while its server has to do with the servers above it: what a client without a name
 * calls itself proves nothing.
 */
export function findBorder(hops: readonly Hop[]): Border {
  const known = new Set<string>();
  for (const [i, hop] of hops.entries()) {
    if (known.size > 0 && publicOrg(hop.by) !== '' && !known.has(org(hop.by))) return { trusted: i, crossing: undefined };
    if (isFromUnknown(hop)) return { trusted: i + 1, crossing: hop };
    if (takesFromOutside(hop) && !isWithinMicrosoft(hop, hops[i + 1])) {
      let at = i;
      while (at + 1 < hops.length && isRelayOfTheirs(hops[at]!, hops[at + 1]!)) at++;
      return { trusted: at + 1, crossing: hops[at] };
    }
    if (saysNothing(hop)) known.clear();
    else for (const host of [hop.by, hop.name, hop.rdns === 'none' ? '' : hop.helo]) if (publicOrg(host) !== '') known.add(org(host));
  }
  return { trusted: hops.length, crossing: undefined };
}

/** Domains under which one organization has its servers, and writes its results. */
const ONE_ORGANIZATION: ReadonlyMap<string, string> = new Map(
  [
    ['outlook.com', 'office365.com', 'exchangelabs.com', 'microsoft.com'],
    ['google.com', 'googlemail.com', 'gmail.com'],
    ['amazonaws.com', 'amazonses.com'],
    ['icloud.com', 'apple.com', 'me.com'],
    ['proton.me', 'protonmail.ch', 'protonmail.com'],
    ['yahoo.com', 'aol.com', 'yahoodns.net'],
    ['gmx.net', 'web.de', 'kundenserver.de'],
  ].flatMap(([first = '', ...others]) => others.map((other) => [other, first])),
);

/** Servers of iCloud that take messages call themselves by no more. */
const ICLOUD_SERVER = /^p\d+-icloudmta-/;

/** The organization of a host, by its registrable domain; empty without one. */
export function org(host: string): string {
  if (ICLOUD_SERVER.test(host)) return 'icloud.com';
  const domain = hostParts(host).root_domain;
  return ONE_ORGANIZATION.get(domain) ?? domain;
}

/**
 * The organization of a host under a public suffix. Unregistered names (`mx-03.internal`, `store.cluster.local`) tell neither their owner
 * nor which of them belong together.
 */
function publicOrg(host: string): string {
  const owner = org(host);
  return hasPublicSuffix(owner) ? owner : '';
}

/** Not over the wire between servers: from the queue into the mailbox, out of a mailbox that was fetched, by a program. */
const NO_TRANSFER = /^(?:utf8)?(?:lmtps?a?|local|https?|mapi|pop3s?|imaps?|uucp|bsmtp)\b/;
const FETCHED = /^(?:pop3s?|imaps?)\b/;

const takesFromOutside = (hop: Hop): boolean => hop.address !== '' && isOuter(hop.address) && !NO_TRANSFER.test(hop.protocol);

/** The client came over SMTP, with a name of another domain and without an address. */
const isFromUnknown = ({ address, protocol, helo, by }: Hop): boolean =>
  address === '' &&
  protocol.includes('smtp') &&
  org(helo) !== '' &&
  org(by) !== '' &&
  org(helo) !== org(by) &&
  publicOrg(helo) + publicOrg(by) !== '';

/** The hop does not name the previous host: the message was fetched from a mailbox elsewhere, or the field names no client. */
const saysNothing = (hop: Hop): boolean => FETCHED.test(hop.protocol) || (hop.address === '' && hop.helo === '' && hop.name === '');

const INNER: readonly AddressClass[] = ['loopback', 'private', 'link_local'];

/** Addresses by which servers of Microsoft hand messages on to each other; outside they have others. */
const MICROSOFT_INSIDE = parseCidrs(['2603:1080::/25', '2a01:111:e400::/48']);
const UNSPECIFIED = parseCidrs(['0.0.0.0/8']);

/** Whether an address is not one that only an organization's own network knows. */
export function isOuter(address: string): boolean {
  const ip = parseIp(address);
  if (ip === undefined || INNER.includes(classifyIp(ip))) return false;
  return ![...MICROSOFT_INSIDE, ...UNSPECIFIED].some((net) => cidrContains(net, ip));
}

/**
 * Public addresses that servers of Microsoft 365 alone have: Exchange Online of Microsoft's list of endpoints, and those of its front end
 * (https://learn.microsoft.com/microsoft-365/enterprise/urls-and-ip-address-ranges). No customer's machine is in them.
 */
const MICROSOFT_SERVERS = parseCidrs([
  '2a01:111:f400::/48',
  '2a01:111:f403::/48',
  '2603:1006::/40',
  '2603:1016::/36',
  '2603:1026::/36',
  '2603:1036::/36',
  '2603:1046::/36',
  '2603:1056::/36',
]);
/** Not those of `outbound.protection`, by which mail of every customer leaves. */
const MICROSOFT_FRONT = /^([^.]+)\.(?:[^.]+\.)?prod(?:\.protection)?\.outlook\.com$/;

/**
 * Whether a hop from a public address is one within Microsoft 365, whose front end hands messages on so: by the address, and by what is below, which that very
 * server wrote. It calls itself `AB1.eop-eur04.prod.protection.outlook.com` in one and `AB1.mail.protection.outlook.com` in the other.
 */
function isWithinMicrosoft(hop: Hop, below: Hop | undefined): boolean {
  const label = MICROSOFT_FRONT.exec(hop.helo)?.[1];
  const ip = parseIp(hop.address);
  if (label === undefined || ip === undefined || org(hop.by) !== 'outlook.com' || org(below?.by ?? '') !== 'outlook.com') return false;
  return below?.by.split('.', 1)[0] === label && MICROSOFT_SERVERS.some((net) => cidrContains(net, ip));
}

/** Networks are given to an organization by these many bits, or more. */
const NETWORK_BITS = { 4: 24, 6: 48 };

/**
 * Whether a hop from a public address is one between two servers of the receiver: the server looked up a name of its own domain for that
 * address, or it stands in its own network, and what is below was written by that very server, which took it from elsewhere.
 */
function isRelayOfTheirs(hop: Hop, below: Hop): boolean {
  if (hop.authenticated || below.authenticated || !takesFromOutside(below) || org(hop.by) === '') return false;
  if (hop.rdns === 'named' && below.by === hop.name) return org(hop.name) === org(hop.by);
  return below.by === hop.helo && org(below.by) === org(hop.by) && inOneNetwork(hop.address, hop.byAddress);
}

function inOneNetwork(address: string, other: string): boolean {
  const [ip, otherIp] = [parseIp(address), parseIp(other)];
  const net = ip && cidrOf(ip, NETWORK_BITS[ip.version]);
  return net !== undefined && otherIp !== undefined && isOuter(other) && cidrContains(net, otherIp);
}

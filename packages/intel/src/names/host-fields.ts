import { type Field, field, flag } from '@vedette/contract';
import type { HostTraits } from './host-traits.ts';
import type { Ipv4Traits } from './ipv4-traits.ts';

/** The facts by which the fields of a host name are judged. */
interface HostFacts {
  traits: HostTraits;
  ipv4: Ipv4Traits;
  /** Whether an engine lists the host. */
  listed: boolean;
  /** The risky kind of place that the host is; empty for none. */
  category: string;
}

interface HostField extends Field {
  judge(facts: HostFacts): boolean;
}
const trait = (description: string, note: string, judge: HostField['judge']): HostField => ({ ...field(flag(description), note), judge });

/** Checks of a host name; site-trust has some of them too. */
export const HOST_FIELDS = {
  is_most_abused_tld: trait(
    'The top-level domain is one that abuse reports name far more often than its size explains',
    'It is on the list `abused-tlds`. `example.zip`; not `zip.example`',
    ({ traits }) => traits.abusedTld,
  ),
  is_domain_ipv4_assigned: trait(
    'The host has an IPv4 address',
    'An alias counts. `192.0.2.1`; not AAAA alone',
    ({ ipv4 }) => ipv4.assigned,
  ),
  is_domain_ipv4_private: trait(
    'An IPv4 address of the host is private (RFC 1918, RFC 6598)',
    '`10.0.0.1`, `172.31.255.255`; not `172.32.0.0`',
    ({ ipv4 }) => ipv4.private,
  ),
  is_domain_ipv4_loopback: trait(
    'An IPv4 address of the host is in 127.0.0.0/8',
    '`127.255.255.255`; not `128.0.0.1`',
    ({ ipv4 }) => ipv4.loopback,
  ),
  is_domain_ipv4_reserved: trait(
    'An IPv4 address of the host is reserved: link-local, documentation, multicast or otherwise special',
    "By IANA's registry. `240.0.0.1`, `169.254.0.1`; not `10.0.0.1`, which is private",
    ({ ipv4 }) => ipv4.reserved,
  ),
  is_domain_ipv4_valid: trait(
    'At least one IPv4 address of the host is public',
    '`9.9.9.9` beside `10.0.0.1`; not `10.0.0.1` alone',
    ({ ipv4 }) => ipv4.valid,
  ),
  is_domain_blacklisted: trait(
    'At least one blacklist engine lists the host',
    'A listing of the host, or of a name above it up to its tenant; not the listing of its landlord',
    ({ listed }) => listed,
  ),
  is_uncommon_host_length: trait(
    'The host name is unusually long',
    'The registered label, as people read it, has more than 45 characters, or more than 30 in a row without a hyphen; or the host has more than 60. `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example`; not `landkreis-schmalkalden-meiningen.de`',
    ({ traits }) => traits.uncommonLength,
  ),
  is_uncommon_dash_char_count: trait(
    'The registered label has five hyphens or more',
    'As people read it: the hyphens of an A-label do not count. `all-of-my-own-little-things.org`; not `the-old-bakery-tea-room.co.uk`',
    ({ traits }) => traits.uncommonDashes,
  ),
  is_uncommon_dot_char_count: trait(
    'The host name has four dots or more before the public suffix',
    '`a.b.c.d.example.co.uk`; not `b.c.d.example.co.uk`',
    ({ traits }) => traits.uncommonDots,
  ),
  is_suspicious_homoglyph: trait(
    'The host name is written in letters that look like those of a brand, or mixes scripts',
    'A word of the name has the skeleton (UTS 39 §4) of a brand without being it, or a label mixes scripts that are not written together (§5.2). `pаypal.com` with a Cyrillic `а`; not `àpple.com`',
    ({ traits }) => traits.homoglyph !== '',
  ),
  is_possible_typosquatting: trait(
    'The host name is a slip of a brand, or has a brand beside words that forgers use',
    '[Below](#slips-of-a-brand). `netfliix.com`; not `apples.com`',
    ({ traits }) => traits.typosquat !== '',
  ),
  is_uncommon_clickable_domain: trait(
    'The host name reads like a file name, so that programs make a link of it',
    'Under `.zip` and `.mov`, or with a label that ends like a file (`-pdf`, `.docx.`, `_exe`). `invoice-pdf.org`; not `pdfinvoice.org`',
    ({ traits }) => traits.clickable,
  ),
  is_risky_category: trait(
    'The host is free hosting, dynamic DNS or a URL shortener',
    '`someone.duckdns.org`; not `pastebin.com`',
    ({ category }) => category !== '',
  ),
};

import { field, flag } from '@vedette/contract';

/** Fields that every report on a host name has, with the rules of `judgeHostName` and `judgeIpv4`. */
export const HOST_FIELDS = {
  is_most_abused_tld: field(
    flag('The top-level domain is one that abuse reports name far more often than its size explains'),
    'It is on the list `abused-tlds`. `example.zip`; not `zip.example`',
  ),
  is_domain_ipv4_assigned: field(flag('The host has an IPv4 address'), 'An alias counts. `192.0.2.1`; not AAAA alone'),
  is_domain_ipv4_private: field(
    flag('An IPv4 address of the host is private (RFC 1918, RFC 6598)'),
    '`10.0.0.1`, `172.31.255.255`; not `172.32.0.0`',
  ),
  is_domain_ipv4_loopback: field(flag('An IPv4 address of the host is in 127.0.0.0/8'), '`127.255.255.255`; not `128.0.0.1`'),
  is_domain_ipv4_reserved: field(
    flag('An IPv4 address of the host is reserved: link-local, documentation, multicast or otherwise special'),
    "By IANA's registry. `240.0.0.1`, `169.254.0.1`; not `10.0.0.1`, which is private",
  ),
  is_domain_ipv4_valid: field(flag('At least one IPv4 address of the host is public'), '`9.9.9.9` beside `10.0.0.1`; not `10.0.0.1` alone'),
  is_domain_blacklisted: field(
    flag('At least one blacklist engine lists the host'),
    'A listing of the host, or of a name above it up to its tenant; not the listing of its landlord',
  ),
  is_uncommon_host_length: field(
    flag('The host name is unusually long'),
    'The registered label, as people read it, has more than 45 characters, or more than 30 in a row without a hyphen; or the host has more than 60. `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example`; not `landkreis-schmalkalden-meiningen.de`',
  ),
  is_uncommon_dash_char_count: field(
    flag('The registered label has five hyphens or more'),
    'As people read it: the hyphens of an A-label do not count. `all-of-my-own-little-things.org`; not `the-old-bakery-tea-room.co.uk`',
  ),
  is_uncommon_dot_char_count: field(
    flag('The host name has four dots or more before the public suffix'),
    '`a.b.c.d.example.co.uk`; not `b.c.d.example.co.uk`',
  ),
};

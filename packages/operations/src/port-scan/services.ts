/** Words that servers begin with, as their protocols have them; the banner is escaped. */
const BANNERS: readonly (readonly [service: string, pattern: RegExp])[] = [
  ['ssh', /^SSH-\d/], // RFC 4253 §4.2
  ['vnc', /^RFB \d{3}\.\d{3}/], // RFC 6143 §7.1.1
  ['imap', /^\* (OK|PREAUTH|BYE)\b/], // RFC 9051 §7.1
  ['pop3', /^\+OK\b/], // RFC 1939 §4
  ['nntp', /^20[01] .*\b(NNTP|INN|news)/i], // RFC 3977 §5.1
  ['smtp', /^220[ -].*\b(E?SMTP|LMTP|Postfix|Exim|Sendmail)/i], // RFC 5321 §4.2
  ['ftp', /^220[ -].*(FTP|FileZilla)/i], // RFC 959 §5.4
  ['mysql', /^.{0,16}\\x00\\x00(\\x00|\\n)\d+\.\d+\.\d+[^\\]*\\x00/], // a packet of protocol 10, with the version as text
  ['telnet', /^\\xff\\xf[b-e]/], // RFC 854: IAC WILL, WONT, DO or DONT
  ['rsync', /^@RSYNCD: \d/],
  ['irc', /^:\S+ (NOTICE|020) /], // RFC 2812 §2.3
];

/** Names of ports, as IANA's registry of services has them or their software is called. */
const USUAL: Readonly<Record<number, string>> = {
  21: 'ftp',
  22: 'ssh',
  23: 'telnet',
  25: 'smtp',
  43: 'whois',
  53: 'dns',
  79: 'finger',
  80: 'http',
  88: 'kerberos',
  110: 'pop3',
  111: 'rpcbind',
  119: 'nntp',
  135: 'msrpc',
  139: 'netbios-ssn',
  143: 'imap',
  179: 'bgp',
  389: 'ldap',
  443: 'https',
  445: 'smb',
  465: 'smtps',
  514: 'shell',
  515: 'printer',
  548: 'afp',
  554: 'rtsp',
  587: 'submission',
  631: 'ipp',
  636: 'ldaps',
  853: 'dns-over-tls',
  873: 'rsync',
  989: 'ftps-data',
  990: 'ftps',
  993: 'imaps',
  995: 'pop3s',
  1080: 'socks',
  1194: 'openvpn',
  1433: 'mssql',
  1521: 'oracle',
  1723: 'pptp',
  1883: 'mqtt',
  2049: 'nfs',
  2181: 'zookeeper',
  2375: 'docker',
  2376: 'docker-tls',
  2379: 'etcd',
  3128: 'http-proxy',
  3268: 'ldap-gc',
  3306: 'mysql',
  3389: 'rdp',
  4369: 'epmd',
  5060: 'sip',
  5222: 'xmpp-client',
  5269: 'xmpp-server',
  5432: 'postgres',
  5672: 'amqp',
  5900: 'vnc',
  5985: 'winrm',
  5986: 'winrm-tls',
  6379: 'redis',
  6443: 'kubernetes',
  6667: 'irc',
  8080: 'http-alt',
  8443: 'https-alt',
  8883: 'mqtt-tls',
  9000: 'http-alt',
  9042: 'cassandra',
  9092: 'kafka',
  9100: 'printer',
  9200: 'elasticsearch',
  11211: 'memcached',
  27017: 'mongodb',
};

/** The service of a port: what its banner says, else what usually has that port. */
export function serviceOf(port: number, banner: string): { service: string; service_from: '' | 'banner' | 'port' } {
  const [said] = BANNERS.find(([, pattern]) => pattern.test(banner)) ?? [];
  if (said !== undefined) return { service: said, service_from: 'banner' };
  const usual = USUAL[port];
  return usual === undefined ? { service: '', service_from: '' } : { service: usual, service_from: 'port' };
}

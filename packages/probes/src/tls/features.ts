import { type Asker, CODES, isRefusal } from './asker.ts';
import { EXTENSION, FALLBACK_SCSV, ssl2Hello } from './client-hello.ts';
import { VERSIONS, type Version } from './found.ts';
import { SUITES_OLD } from './suites.ts';

/** Protocols that servers choose by ALPN (IANA's registry). */
const PROTOCOLS = [
  'h2',
  'http/1.1',
  'http/1.0',
  'spdy/3.1',
  'dot',
  'imap',
  'pop3',
  'ftp',
  'managesieve',
  'xmpp-client',
  'xmpp-server',
  'postgresql',
  'mqtt',
  'ntske/1',
];
const ALPN_MOST = 5;
const INAPPROPRIATE_FALLBACK = 86;

/** Versions with a clear hello that can have extensions, which the server has: the newest first. */
export const clearVersions = (asker: Asker): ('tls1_0' | 'tls1_1' | 'tls1_2')[] =>
  (['tls1_2', 'tls1_1', 'tls1_0'] as const).filter((version) => asker.found.versions[version] === 'yes');

/** Whether SSL 2.0 is spoken. A connection that is reset says so only where the server answers others afterwards. */
export async function findSsl2(asker: Asker): Promise<void> {
  const { found, line } = asker;
  const answer = await line.saySsl2(ssl2Hello());
  if (answer === 'ssl2') found.versions.sslv2 = 'yes';
  else if (answer.kind === 'unconnected') await asker.prove();
  else {
    if (answer.kind !== 'alert' && answer.kind !== 'garbage') await asker.prove();
    found.versions.sslv2 = 'no';
  }
}

/** Whether compression and heartbeats are accepted. */
export async function findOldFeatures(asker: Asker): Promise<void> {
  const { found } = asker;
  const [version] = clearVersions(asker);
  if (version === undefined) return;
  const suites = found.suites[version]?.suites ?? SUITES_OLD;
  const answer = await asker.ask({ versions: [CODES[version]], suites, oldFeatures: true });
  if (isRefusal(answer)) return;
  found.compression = answer.compression === 0 ? 'no' : 'yes';
  found.heartbeat = answer.extensions.has(EXTENSION.heartbeat) ? 'yes' : 'no';
}

/** Whether a client that was talked down to an older version than both have is told so (RFC 7507). */
export async function findFallback(asker: Asker): Promise<void> {
  const { found } = asker;
  const spoken = VERSIONS.filter((version) => version !== 'sslv2' && found.versions[version] === 'yes') as Exclude<Version, 'sslv2'>[];
  const older = spoken.at(-2);
  if (older === undefined) {
    found.fallbackScsv = 'not_applicable';
    return;
  }
  const suites = found.suites[older]?.suites ?? SUITES_OLD;
  const answer = await asker.ask({ versions: [CODES[older]], suites: [...suites, FALLBACK_SCSV] });
  if (!isRefusal(answer)) found.fallbackScsv = 'no';
  else if (answer.alert === INAPPROPRIATE_FALLBACK) found.fallbackScsv = 'yes';
}

/** The protocols that the server chooses from ours, as it prefers them. */
export async function findAlpn(asker: Asker): Promise<void> {
  const { found } = asker;
  const [version] = clearVersions(asker);
  if (version === undefined) return;
  const suites = found.suites[version]?.suites ?? SUITES_OLD;
  let left = PROTOCOLS;
  for (let asked = 0; asked < ALPN_MOST; asked++) {
    const answer = await asker.ask({ versions: [CODES[version]], suites, alpn: left });
    if (isRefusal(answer) || !left.includes(answer.alpn)) {
      found.alpnKnown = true;
      return;
    }
    found.alpn.push(answer.alpn);
    left = left.filter((protocol) => protocol !== answer.alpn);
  }
}

/** Facts about what only older versions have, where the server has none of those. */
export function settle(asker: Asker): void {
  const { found } = asker;
  const { versions } = found;
  const hasNo = (...list: Version[]) => list.every((version) => versions[version] === 'no');
  if (versions.tls1_3 === 'yes' && hasNo('tls1_2', 'tls1_1', 'tls1_0', 'sslv3')) {
    for (const fact of ['secureRenegotiation', 'compression', 'heartbeat', 'extendedMasterSecret', 'encryptThenMac'] as const)
      found[fact] = 'not_applicable';
    for (const fact of ['tickets', 'resumesByTicket', 'resumesById'] as const) found[fact] = 'not_applicable';
  }
  if (versions.tls1_3 === 'no') {
    found.tickets13 = 'not_applicable';
    found.resumes13 = 'not_applicable';
  }
  const old = clearVersions(asker);
  const isKnown = old.every((version) => found.suites[version]?.complete);
  const hasCbc = old.some((version) => found.suites[version]?.suites.some(({ name }) => name.includes('_CBC_')));
  if (old.length > 0 && isKnown && !hasCbc) found.encryptThenMac = 'not_applicable';
}

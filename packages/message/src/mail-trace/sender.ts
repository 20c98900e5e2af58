import type { MessageFacts } from '../report/index.ts';
import { shown } from '@vedette/contract';
import { isOuter } from './border.ts';
import { addressIn, type Hop, hostName } from './hop.ts';
import { cloudField, forefrontReport, type Written } from './microsoft.ts';

const TEXT_MAX_CHARS = 255;

/**
 * The host that handed the message over: at the border, by its Received field; with Microsoft 365 behind a filter of the receiver, the host
 * that handed it to that filter. Without such a field, the host that other fields of the receiver name.
 */
export function senderOf(written: Written & { crossing: Hop | undefined }): SenderHop {
  const { crossing } = written;
  const taken = beforeFilter(written) ?? (crossing && fromHop(crossing));
  const hop = taken !== undefined && taken.ip_address !== '' ? taken : { ...noted(written), ...(taken && { helo: taken.helo }) };
  const named = hop.rdns === 'unsaid' ? { ...hop, ...namedByForefront(written, hop.ip_address) } : hop;
  return { ...named, helo: shown(named.helo, TEXT_MAX_CHARS), hostname: shown(named.hostname, TEXT_MAX_CHARS) };
}

const fromHop = ({ address, helo, rdns, name }: Hop): SenderHop => ({ ip_address: address, helo, rdns, hostname: name });

const unnamed = (address: string, helo: string): SenderHop => ({ ip_address: address, helo: hostName(helo), rdns: 'unsaid', hostname: '' });

/** `ip=[192.0.2.1];domain=mail.example.org`: by enhanced filtering for connectors, which knows the receiver's own servers and services. */
function beforeFilter(written: Written): SenderHop | undefined {
  for (const name of ['x-ms-exchange-externaloriginalinternetsender', 'x-ms-exchange-skiplistedinternetsender']) {
    const [, address = '', helo = ''] = /ip=\[([^\]]{2,45})\];\s{0,8}domain=(\S{0,255})/.exec(cloudField(written, name) ?? '') ?? [];
    const found = addressIn(address);
    if (found !== '' && isOuter(found)) return unnamed(found, helo);
  }
  return undefined;
}

/** The words of Exchange Online for an address without a name. */
const NO_NAME = /^info(?:domainnonexistent|norecords)$/i;

/** `PTR:` of the report, which is about the address that is its `CIP:`. */
function namedByForefront(written: Written, address: string): Partial<SenderHop> {
  const report = forefrontReport(written);
  const name = report.get('PTR') ?? '';
  if (name === '' || addressIn(report.get('CIP') ?? '') !== address) return {};
  return NO_NAME.test(name) ? { rdns: 'none' } : { rdns: 'named', hostname: hostName(name) };
}

/**
 * The sender by other fields of the receiver: Received-SPF (RFC 7208 §9.1), Authentication-Results, and the X-Originating-IP of Yahoo and
 * of webmail.
 */
function noted({ fields, evidence }: Written): SenderHop {
  const spf = evidence.receivedSpf?.properties;
  const results = evidence.results.flatMap(({ properties, comment }) => [
    properties.get('smtp.remote-ip') ?? properties.get('smtp.client-ip') ?? properties.get('policy.iprev') ?? '',
    /sender IP is (\S{2,45})/i.exec(comment)?.[1] ?? '',
  ]);
  const originating = fields.slice(0, evidence.fields).find(({ key }) => key === 'x-originating-ip')?.raw ?? '';
  const address = [spf?.get('client-ip') ?? '', ...results, originating.trim()]
    .map(addressIn)
    .find((found) => found !== '' && isOuter(found));
  const helo = address !== undefined && address === addressIn(spf?.get('client-ip') ?? '') ? (spf?.get('helo') ?? '') : '';
  return unnamed(address ?? '', helo);
}

/** The host that handed the message to the receiver's server. Unknown texts are empty. */
export interface SenderHop {
  ip_address: string;
  /** The name that it gave in HELO. */
  helo: string;
  /** Whether the receiver found a name for its address. */
  rdns: MessageFacts['sender_rdns']['noted'];
  /** That name. */
  hostname: string;
}

import { cidrContains, parseCidr, parseIp } from '@vedette/contract';
import type { Mark, Networks } from '../ports/index.ts';

/** A provider of machines, or of an edge in front of others' machines. */
export interface Provider {
  name: string;
  domain: string;
}

interface ProviderRow extends Provider {
  /** The list of ranges that it publishes; its word alone counts where it is loaded. */
  list?: string;
  /** Autonomous systems used for this alone; they count if no list is loaded. */
  asns: readonly number[];
}

/**
 * Providers that rent out machines by the hour. Microsoft's AS8075 and Google's AS15169 carry their own services too, so there the lists
 * alone tell.
 */
const CLOUDS: readonly ProviderRow[] = [
  { name: 'Amazon Web Services', domain: 'aws.amazon.com', list: 'aws', asns: [14618, 16509, 8987] },
  { name: 'Google Cloud', domain: 'cloud.google.com', list: 'gcp', asns: [396982] },
  { name: 'Microsoft Azure', domain: 'azure.microsoft.com', list: 'azure', asns: [] },
  { name: 'Oracle Cloud', domain: 'oracle.com', list: 'oracle-cloud', asns: [31898] },
  { name: 'DigitalOcean', domain: 'digitalocean.com', list: 'digitalocean', asns: [14061] },
  { name: 'Akamai Cloud (Linode)', domain: 'linode.com', list: 'linode', asns: [63949] },
  { name: 'Vultr', domain: 'vultr.com', list: 'vultr', asns: [20473] },
  { name: 'Hetzner', domain: 'hetzner.com', asns: [24940, 212317, 213230] },
  { name: 'OVHcloud', domain: 'ovhcloud.com', asns: [16276] },
  { name: 'Scaleway', domain: 'scaleway.com', asns: [12876] },
  { name: 'Alibaba Cloud', domain: 'alibabacloud.com', asns: [37963, 45102] },
  { name: 'Tencent Cloud', domain: 'tencentcloud.com', asns: [45090, 132203] },
  { name: 'IBM Cloud', domain: 'ibm.com', asns: [36351] },
  { name: 'UpCloud', domain: 'upcloud.com', asns: [202053] },
  { name: 'Contabo', domain: 'contabo.com', asns: [51167] },
  { name: 'LeaseWeb', domain: 'leaseweb.com', asns: [60781] },
];

/** Providers in front of other operators' servers. */
const EDGES: readonly ProviderRow[] = [
  { name: 'Cloudflare', domain: 'cloudflare.com', list: 'cloudflare', asns: [13335, 209242] },
  { name: 'Fastly', domain: 'fastly.com', list: 'fastly', asns: [54113] },
  { name: 'bunny.net', domain: 'bunny.net', list: 'bunny', asns: [] },
  { name: 'Akamai', domain: 'akamai.com', asns: [16625, 20940] },
  { name: 'Imperva', domain: 'imperva.com', asns: [19551] },
  { name: 'Sucuri', domain: 'sucuri.net', asns: [30148] },
  { name: 'Gcore', domain: 'gcore.com', asns: [199524] },
];

/** Parts of clouds that are edges, by the first word of a mark's label. */
const EDGE_SERVICES: Readonly<Record<string, Readonly<Record<string, Provider>>>> = {
  aws: {
    CLOUDFRONT: { name: 'Amazon CloudFront', domain: 'aws.amazon.com' },
    CLOUDFRONT_ORIGIN_FACING: { name: 'Amazon CloudFront', domain: 'aws.amazon.com' },
    GLOBALACCELERATOR: { name: 'AWS Global Accelerator', domain: 'aws.amazon.com' },
  },
  azure: {
    'AzureFrontDoor.Frontend': { name: 'Azure Front Door', domain: 'azure.microsoft.com' },
    'AzureFrontDoor.FirstParty': { name: 'Azure Front Door', domain: 'azure.microsoft.com' },
  },
};

export const CLOUD_LISTS = CLOUDS.flatMap(({ list }) => list ?? []);
export const EDGE_LISTS = EDGES.flatMap(({ list }) => list ?? []);

/** `EC2` of `EC2/us-east-1`. */
const serviceOf = (label: string): string => label.split('/', 1)[0]!;

/**
 * Returns the provider whose published list has the address; without a loaded list, the provider whose autonomous system has nothing else
 * in it.
 */
function providerOf(
  rows: readonly ProviderRow[],
  marks: readonly Mark[],
  asn: number,
  hasList: (list: string) => boolean,
): Provider | undefined {
  return (
    rows.find(({ list }) => list !== undefined && marks.some((mark) => mark.list === list)) ??
    rows.find(({ list, asns }) => asns.includes(asn) && (list === undefined || !hasList(list)))
  );
}

export const cloudOf = (marks: readonly Mark[], asn: number, hasList: (list: string) => boolean): Provider | undefined =>
  providerOf(CLOUDS, marks, asn, hasList);

export function edgeOf(marks: readonly Mark[], asn: number, hasList: (list: string) => boolean): Provider | undefined {
  for (const { list, label } of marks) {
    const part = EDGE_SERVICES[list]?.[serviceOf(label)];
    if (part) return part;
  }
  return providerOf(EDGES, marks, asn, hasList);
}

/** Front Door, Office and Bing. AS8075 has their customers' machines too, so without the list only these are known to be fronts. */
const MICROSOFT_FRONTS = parseCidr('13.107.0.0/16')!;

/** Whether it stands in front of the sites of many, so that nothing that is said of the address is said of one of them. */
export function isFront(address: string, networks: Pick<Networks, 'marks' | 'origin' | 'hasList'>): boolean {
  const ip = parseIp(address);
  if (ip && cidrContains(MICROSOFT_FRONTS, ip)) return true;
  return edgeOf(networks.marks(address), networks.origin(address)?.asn ?? 0, (list) => networks.hasList(list)) !== undefined;
}

/**
 * The service of Amazon's that an address is of. `AMAZON` is all that is theirs, and much of what has a service of its own is in `EC2` as well: the
 * most specific word counts, which is the longest of what is left (`ROUTE53_HEALTHCHECKS` before `ROUTE53`).
 */
export function amazonService(marks: readonly Mark[]): string {
  const services = marks.flatMap(({ list, label }) => (list === 'aws' && label !== '' ? [serviceOf(label)] : []));
  const rank = (service: string): number => (service === 'AMAZON' ? 0 : service === 'EC2' ? 1 : 1 + service.length);
  return services.reduce(
    (best, one) => (best === '' || rank(one) > rank(best) || (rank(one) === rank(best) && one < best) ? one : best),
    '',
  );
}

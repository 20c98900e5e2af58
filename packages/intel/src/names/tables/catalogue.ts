/**
 * Lists of names by what they say. `tenant`: that somebody does harm, so that what stands above a name tells of it no further than up to what one
 * tenant has. `host`: what kind of place it is, so that whoever is below is in it too.
 */
export const NAME_LISTS = {
  'phishing-database': 'tenant',
  'cert-polska': 'tenant',
  'eth-phishing': 'tenant',
  stevenblack: 'tenant',
  'hagezi-tif': 'tenant',
  maltrail: 'tenant',
  'url-shorteners': 'host',
  'dynamic-dns': 'host',
  'free-hosting': 'host',
  pastebins: 'host',
  'file-sharing': 'host',
  'form-builders': 'host',
  'code-sandboxes': 'host',
  'qrcode-services': 'host',
  anonymizers: 'host',
  'parking-ns': 'host',
  'sinkhole-ns': 'host',
  'abused-tlds': 'host',
  'url-gateways': 'host',
  'mail-gateways': 'host',
  'free-mail': 'host',
  'paid-mail': 'host',
  'mail-forwarders': 'host',
  'role-names': 'host',
  'system-names': 'host',
} as const satisfies Record<string, 'tenant' | 'host'>;
export type NameList = keyof typeof NAME_LISTS;

const REACH: ReadonlyMap<string, 'tenant' | 'host'> = new Map(Object.entries(NAME_LISTS));

/** A list that is not in the catalogue is an operator's own, and says of names that they do harm. */
export const reachOf = (list: string): 'tenant' | 'host' => REACH.get(list) ?? 'tenant';

/** Whoever likes has a host below the names of these. */
export const SHARED_HOSTS = ['free-hosting', 'dynamic-dns'] as const satisfies NameList[];

/** What stands beside a name on one of these is a stranger's too, be it below the host or a page of it: what is listed says nothing of the others. */
export const MANY_TENANTS = [
  ...SHARED_HOSTS,
  'url-shorteners',
  'pastebins',
  'file-sharing',
  'form-builders',
  'code-sandboxes',
  'qrcode-services',
] as const satisfies NameList[];

/**
 * Lists of names by what they say. `tenant`: one tenant does harm, so a name takes on the listings of its parents only up to the tenant's
 * domain. `host`: the kind of place, which includes all hosts below it.
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
  'hsts-preload': 'host',
} as const satisfies Record<string, 'tenant' | 'host'>;
export type NameList = keyof typeof NAME_LISTS;

const REACH: ReadonlyMap<string, 'tenant' | 'host'> = new Map(Object.entries(NAME_LISTS));

/** A list that is not in the catalogue is an operator's own, and says of names that they do harm. */
export const reachOf = (list: string): 'tenant' | 'host' => REACH.get(list) ?? 'tenant';

/** Lists that say of names that they are for phishing or malware, each from its own findings; engines of the same lists have the same meaning. */
export const HARMFUL_LISTS: ReadonlyMap<string, 'phishing' | 'malware'> = new Map([
  ['phishing-database', 'phishing'],
  ['cert-polska', 'phishing'],
  ['eth-phishing', 'phishing'],
  ['openphish', 'phishing'],
  ['phishtank', 'phishing'],
  ['maltrail', 'malware'],
  ['threatfox-domains', 'malware'],
]);

/** Anyone can have a host below the names of these. */
export const SHARED_HOSTS = ['free-hosting', 'dynamic-dns'] as const satisfies NameList[];

/** The neighbours of a name on one of these belong to strangers, as hosts below it or as pages of it: a listing says nothing of the others. */
export const MANY_TENANTS = [
  ...SHARED_HOSTS,
  'url-shorteners',
  'pastebins',
  'file-sharing',
  'form-builders',
  'code-sandboxes',
  'qrcode-services',
] as const satisfies NameList[];

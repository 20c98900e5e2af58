/** Where a registrar is, and where abuse of its customers is reported. Empty where we are not sure. */
export interface Registrar {
  url: string;
  abuse_email: string;
  abuse_form: string;
  /** Its page at a social network. */
  social: string;
}

type Row = [ianaIds: readonly number[], url: string, abuse_email: string, abuse_form: string, social: string];

/** The largest registrars by IANA's numbers (registrar-ids). An answer's own data counts for more. */
const ROWS: readonly Row[] = [
  [[2, 9], 'https://www.networksolutions.com', 'domain.operations@web.com', '', 'https://x.com/netsolcares'],
  [[48], 'https://www.enom.com', 'abuse@enom.com', '', ''],
  [[49], 'https://www.onamae.com', 'abuse@gmo.jp', '', ''],
  [[69], 'https://www.tucows.com', 'domainabuse@tucows.com', 'https://tucowsdomains.com/report-abuse/', 'https://x.com/tucows'],
  [[81], 'https://www.gandi.net', 'abuse@support.gandi.net', '', 'https://x.com/gandi_net'],
  [[83], 'https://www.ionos.com', 'abuse@ionos.com', '', 'https://x.com/ionos_com'],
  [[146, 440], 'https://www.godaddy.com', 'abuse@godaddy.com', 'https://supportcenter.godaddy.com/AbuseReport', 'https://x.com/GoDaddy'],
  [[269], 'https://www.key-systems.net', 'abuse@key-systems.net', '', ''],
  [[292], 'https://www.markmonitor.com', 'abusecomplaints@markmonitor.com', '', 'https://x.com/markmonitor'],
  [[299], 'https://www.cscdbs.com', 'domainabuse@cscglobal.com', '', ''],
  [[303], 'https://publicdomainregistry.com', 'abuse-contact@publicdomainregistry.com', '', ''],
  [[420], 'https://wanwang.aliyun.com', 'domainabuse@service.aliyun.com', '', ''],
  [[431], 'https://www.dreamhost.com', 'domain-abuse@dreamhost.com', '', 'https://x.com/dreamhost'],
  [[433], 'https://www.ovhcloud.com', 'abuse@ovh.net', 'https://www.ovhcloud.com/en/abuse/', 'https://x.com/ovhcloud'],
  [[447], 'https://www.safenames.net', 'abuse@safenames.net', '', ''],
  [[468], 'https://registrar.amazon.com', 'trustandsafety@support.aws.com', '', 'https://x.com/awscloud'],
  [[470], 'https://comlaude.com', 'abuse@comlaude.com', '', ''],
  [[472], 'https://www.dynadot.com', 'abuse@dynadot.com', 'https://www.dynadot.com/report-abuse', 'https://x.com/Dynadot'],
  [[625], 'https://www.name.com', 'abuse@name.com', '', 'https://x.com/namedotcom'],
  [[895], 'https://domains.squarespace.com', 'abuse-complaints@squarespace.com', '', 'https://x.com/squarespace'],
  [[1052], 'https://www.eurodns.com', 'legalservices@eurodns.com', '', ''],
  [[1068], 'https://www.namecheap.com', 'abuse@namecheap.com', '', 'https://x.com/Namecheap'],
  [[1251], 'https://www.infomaniak.com', '', '', 'https://x.com/infomaniak'],
  [[1479], 'https://www.namesilo.com', 'abuse@namesilo.com', 'https://www.namesilo.com/report_abuse.php', 'https://x.com/NameSilo'],
  [[1531], 'https://automattic.com', 'domainabuse@automattic.com', '', 'https://x.com/automattic'],
  [[1606], 'https://www.reg.ru', 'abuse@reg.ru', '', ''],
  [[1636], 'https://www.hostinger.com', 'abuse@hostinger.com', 'https://www.hostinger.com/report-abuse', 'https://x.com/Hostinger'],
  [[1861], 'https://porkbun.com', 'abuse@porkbun.com', 'https://porkbun.com/abuse', 'https://x.com/porkbun'],
  [[1910], 'https://www.cloudflare.com', 'registrar-abuse@cloudflare.com', 'https://abuse.cloudflare.com', 'https://x.com/Cloudflare'],
];

const BY_ID: ReadonlyMap<string, Registrar> = new Map(
  ROWS.flatMap(([ids, url, abuse_email, abuse_form, social]) =>
    ids.map((id): [string, Registrar] => [String(id), { url, abuse_email, abuse_form, social }]),
  ),
);
const NOBODY: Registrar = { url: '', abuse_email: '', abuse_form: '', social: '' };

/** Returns the registrar of an IANA number. */
export const registrarOf = (ianaId: string): Registrar => BY_ID.get(ianaId) ?? NOBODY;

import type { Mark } from '../ports/index.ts';
import { collectedName, type Crawler, plain } from './crawlers.ts';
import { MAIL_SENDERS_LIST, type MailSender, mailSenderOf } from './mail-senders.ts';

export const SERVICE_TYPES = ['Crawler', 'Search Engine Bot', 'SaaS', 'Payments', 'Monitoring', 'Identity', 'Marketing'] as const;
export type ServiceType = (typeof SERVICE_TYPES)[number];

/** A service that is known to use an address. */
export interface Service {
  name: string;
  domain: string;
  type: ServiceType;
}

const NONE: Omit<Service, 'type'> & { type: '' } = { name: '', domain: '', type: '' };

/** Lists of one service each, in the order of precedence. */
const OWN_LISTS: readonly (Service & { list: string })[] = [
  { list: 'datadog', name: 'Datadog', domain: 'datadoghq.com', type: 'Monitoring' },
  { list: 'stripe', name: 'Stripe', domain: 'stripe.com', type: 'Payments' },
  { list: 'okta', name: 'Okta', domain: 'okta.com', type: 'Identity' },
  { list: 'github', name: 'GitHub', domain: 'github.com', type: 'SaaS' },
  { list: 'atlassian', name: 'Atlassian', domain: 'atlassian.com', type: 'SaaS' },
];

/** Domains of what the `monitoring` list has, by its label in lower case without anything but letters and digits. */
const MONITORS: Readonly<Record<string, string>> = {
  betterstack: 'betterstack.com',
  betteruptime: 'betterstack.com',
  checkly: 'checklyhq.com',
  cloudflarehealthchecks: 'cloudflare.com',
  datadog: 'datadoghq.com',
  grafana: 'grafana.com',
  grafanacloud: 'grafana.com',
  hetrixtools: 'hetrixtools.com',
  newrelic: 'newrelic.com',
  nodeping: 'nodeping.com',
  ohdear: 'ohdear.app',
  pingdom: 'pingdom.com',
  site24x7: 'site24x7.com',
  statuscake: 'statuscake.com',
  updown: 'updown.io',
  updownio: 'updown.io',
  uptimecom: 'uptime.com',
  uptimerobot: 'uptimerobot.com',
};

/** The service of Amazon that calls other operators' servers. */
const ROUTE53: Service = { name: 'Amazon Route 53 health checks', domain: 'aws.amazon.com', type: 'Monitoring' };

/**
 * The service that uses an address: robots first, by what their owners publish or by a confirmed name, then monitoring, payments, identity,
 * marketing, and what else is rented as software.
 */
export function serviceOf(marks: readonly Mark[], crawler: Crawler | undefined): Service | typeof NONE {
  if (crawler) return { name: crawler.name, domain: crawler.domain, type: crawler.search ? 'Search Engine Bot' : 'Crawler' };
  const own = OWN_LISTS.filter(({ list }) => marks.some((mark) => mark.list === list));
  const monitor = monitorOf(marks);
  const senders = sendersOf(marks).map(({ name, domain, type }): Service => ({ name, domain, type }));
  const found: readonly Service[] = [...(monitor ? [monitor] : []), ...own, ...senders];
  for (const type of ['Monitoring', 'Payments', 'Identity', 'Marketing', 'SaaS'] as const) {
    const service = found.find((one) => one.type === type);
    if (service) return { name: service.name, domain: service.domain, type };
  }
  return NONE;
}

function monitorOf(marks: readonly Mark[]): Service | undefined {
  const name = collectedName(marks, 'monitoring');
  if (name !== undefined) return { name: name === '' ? 'Monitoring' : name, domain: MONITORS[plain(name)] ?? '', type: 'Monitoring' };
  return marks.some(({ list, label }) => list === 'aws' && label.startsWith('ROUTE53_HEALTHCHECKS')) ? ROUTE53 : undefined;
}

/** Returns the senders whose published SPF record has the address. */
export const sendersOf = (marks: readonly Mark[]): MailSender[] =>
  marks.flatMap(({ list, label }) => (list === MAIL_SENDERS_LIST ? (mailSenderOf(label) ?? []) : []));

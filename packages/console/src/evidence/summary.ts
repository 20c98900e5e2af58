import type { Tone } from '../look/tone.ts';
import { isObject, type Members, plainText } from '../report/shape.ts';
import { sizeOf } from '../text/index.ts';

/** A sentence for a report without a verdict. */
export interface Summary {
  tone: Tone;
  word: string;
}

const object = (value: unknown): Members => (isObject(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const plural = (count: number, noun: string): string => `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`;

/** The first one that knows the report's fields speaks. */
export const summaryOf = (report: Members): Summary | undefined =>
  [mail, requests, records, codes, seen, account].map((summary) => summary(report)).find((summary) => summary !== undefined);

/** The proven sender of a message, and what speaks against it. */
function mail({ security_details, sender_details, impersonations }: Members): Summary | undefined {
  const security = object(security_details);
  if (typeof security['dmarc_status'] !== 'string') return undefined;
  const isProven = security['dmarc_status'] === 'pass';
  const [impersonation] = list(impersonations).map(object);
  const against = [
    impersonation && `speaks in the name of ${plainText(impersonation['brand'])}, and is not from it`,
    security['dmarc_status'] === 'fail' && 'DMARC failed',
    security['has_risky_file_extensions'] === true && 'has a file that can run something',
    security['has_encrypted_archive_files'] === true && 'has a file with a password',
  ].filter((text) => typeof text === 'string');
  const proof = isProven ? `From ${plainText(object(sender_details)['domain'])}, proven by DMARC` : 'The sender is not proven';
  return { tone: impersonation ? 'bad' : against.length > 0 ? 'warn' : 'none', word: [proof, ...against].join('; ') };
}

function requests({ stats, http_requests }: Members): Summary | undefined {
  const { total_requests: total, unique_hosts: hosts, transferred_bytes: bytes } = object(stats);
  if (typeof total !== 'number' || typeof hosts !== 'number' || typeof bytes !== 'number' || !Array.isArray(http_requests))
    return undefined;
  const lost = list(http_requests).filter((request) => object(request)['status_code'] === 0).length;
  const word = `${plural(total, 'request')} to ${plural(hosts, 'host')}, ${sizeOf(bytes)}${lost > 0 ? `; ${lost} without an answer` : ''}`;
  return { tone: 'none', word };
}

function records({ records: byType, statuses }: Members): Summary | undefined {
  if (!isObject(byType) || !isObject(statuses)) return undefined;
  const said = Object.values(statuses);
  if (said.length > 0 && said.every((status) => status === 'nxdomain')) return { tone: 'warn', word: 'The name does not exist' };
  return {
    tone: 'none',
    word: plural(
      Object.values(byType).reduce<number>((sum, some) => sum + list(some).length, 0),
      'record',
    ),
  };
}

function codes({ codes_found: count, codes: found }: Members): Summary | undefined {
  if (typeof count !== 'number') return undefined;
  if (count === 0) return { tone: 'none', word: 'No code found' };
  const contents = list(found).map((code) => plainText(object(code)['content']));
  return { tone: 'none', word: `${plural(count, 'code')}: ${contents[0] ?? ''}${count > 1 ? ' …' : ''}` };
}

const seen = ({ records_num: count, domains }: Members): Summary | undefined =>
  typeof count === 'number' && Array.isArray(domains) ? { tone: 'none', word: `${plural(count, 'domain')} seen there` } : undefined;

function account({ credits }: Members): Summary | undefined {
  const { remained } = object(credits);
  return typeof remained === 'number' ? { tone: remained > 0 ? 'none' : 'warn', word: `${plural(remained, 'credit')} left` } : undefined;
}

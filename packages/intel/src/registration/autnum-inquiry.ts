import type { AsRegistration } from '../ports/index.ts';
import { askRdap, serverOf, INQUIRY_MS, type InquiryDeps } from './inquiry.ts';
import { type AutnumReading, readAbuseEntity, readRdapAutnum } from './rdap/rdap-autnum.ts';
import type { Inquiry } from './shared-inquiries.ts';

const NOTHING: AsRegistration = {
  state: 'unknown',
  answered: false,
  created: '',
  updated: '',
  problem: '',
  retry_after_s: 0,
  asname: '',
  org: '',
  country_code: '',
  status: '',
  address: '',
  abuse_email: '',
  rir: '',
};

/** Nothing is known, for this reason. */
export const unknownAutnum = (problem: string, retry_after_s = 0): AsRegistration => ({ ...NOTHING, problem, retry_after_s });

/** Asks the regional registry of an AS over RDAP, and for its abuse contact where that is described apart. */
export async function inquireAutnum(asn: number, deps: InquiryDeps, inquiry: Inquiry<AsRegistration>): Promise<AsRegistration> {
  const end = deps.clock.now() + INQUIRY_MS;
  const timeLeft = (): number => end - deps.clock.now();
  const { urls, isWhole } = await deps.bootstrap.forAutnum(asn, inquiry.ways.signal);
  const [base] = urls;
  if (base === undefined)
    return isWhole
      ? { ...NOTHING, state: 'unregistered', answered: true, problem: 'no regional registry was given this number' }
      : unknownAutnum(`no registry is known for AS${asn}`);
  const response = await askRdap(`${base}autnum/${asn}`, deps, inquiry, timeLeft);
  if (!('answer' in response)) return unknownAutnum(response.why, response.retry_after_s);
  if (response.answer === 'not found') return { ...NOTHING, state: 'unregistered', answered: true };
  const { json, server } = response.answer;
  const reading = readRdapAutnum(json, asn, [server, serverOf(base)], deps.today());
  if (!reading) return { ...unknownAutnum(`${server} answered about something else`), answered: true };
  const { abuseLink, ...known } = reading;
  const found: AsRegistration = { ...NOTHING, ...known, state: 'registered', answered: true };
  inquiry.soFar({ ...found, problem: 'its abuse contact was not told in time' });
  return { ...found, ...(await abuseContact(abuseLink, server, deps, inquiry, timeLeft)) };
}

/** Asks only the server that gave the link: the author of an object must not choose the servers that we ask. */
async function abuseContact(
  link: AutnumReading['abuseLink'],
  server: string,
  deps: InquiryDeps,
  inquiry: Inquiry<AsRegistration>,
  timeLeft: () => number,
): Promise<Partial<AsRegistration>> {
  if (link === '' || serverOf(link) !== server) return {};
  const response = await askRdap(link, deps, inquiry, timeLeft);
  if (!('answer' in response)) return { problem: `its abuse contact: ${response.why}` };
  return response.answer === 'not found' ? {} : { abuse_email: readAbuseEntity(response.answer.json) };
}

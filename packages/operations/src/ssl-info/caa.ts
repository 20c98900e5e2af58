import { type BudgetedResolver, type Lookup, lookUp, type ParsedHost, shown } from '@vedette/contract';
import { CAA_VERDICTS, caaIdentifiersOf, type CaaRecord, judgeCaa } from '@vedette/mail/certificates';
import { findings, type Issue } from '@vedette/mail/findings';
import { type CentralContext, labelsOf } from '../kit/index.ts';

export const CAA_STATES = [...CAA_VERDICTS, 'not_checked'] as const;
/** Findings about CAA records, in the order of the report. */
export const CAA_ISSUES = ['CAA_FORBIDS', 'CAA_MISSING'] as const;

/** One question for each name on the way up. */
export const CAA_QUESTIONS = 8;
const CAA_MS = 5_000;
const RECORDS_MAX = 20;
const VALUE_MAX_CHARS = 300;

/** The names from the host up, with what the DNS says of their CAA records; empty for an address, and for a name that is too deep. */
export type CaaAnswers = readonly { name: string; lookup: Lookup<'CAA'> }[];

export interface JudgedCaa {
  state: (typeof CAA_STATES)[number];
  /** Name that has the records; empty without any. */
  domain: string;
  records: { flag: number; tag: string; value: string }[];
  /** Names by which the authority is meant; empty for an unknown one. */
  identifiers: string[];
  /** Reason for not_checked. */
  error: string;
  /** Property that restricts the certificate. */
  property: 'issue' | 'issuewild';
}

/** Asks for the CAA records of a name and of all names above it (RFC 8659 §3); aliases are followed by the resolver. */
export async function readCaa({ host, kind }: ParsedHost, context: Pick<CentralContext, 'resolver' | 'signal'>): Promise<CaaAnswers> {
  const labels = kind === 'name' ? labelsOf(host) : [];
  if (labels.length > CAA_QUESTIONS) return [];
  using resolver: BudgetedResolver = context.resolver.share({ questions: CAA_QUESTIONS, ms: CAA_MS });
  const names = labels.map((_, i) => labels.slice(i).join('.'));
  return await Promise.all(names.map(async (name) => ({ name, lookup: await lookUp({ resolver, signal: context.signal }, name, 'CAA') })));
}

export interface CaaSubject {
  host: string;
  /** Names of the certificate. */
  names: readonly string[];
  /** Organization of the issuing authority; empty where the certificate is not trusted, or is for another name. */
  organization: string;
}

/** Whether the authority that issued the certificate may do so again, for the name of the certificate that covers the host. */
export function judgeCaaOf(answers: CaaAnswers, { host, names, organization }: CaaSubject): JudgedCaa {
  const identifiers = [...caaIdentifiersOf(organization)];
  const around = { domain: '', records: [], identifiers, error: '', property: 'issue' as const };
  if (answers.length === 0) return { ...around, state: 'not_checked', error: 'CAA records are asked for names of at most 8 labels' };
  const isWildcard = !names.includes(host) && names.includes(`*.${host.slice(host.indexOf('.') + 1)}`);
  for (const { name, lookup } of isWildcard ? answers.slice(1) : answers) {
    if (lookup.state === 'failed') return { ...around, state: 'not_checked', error: lookup.error };
    if (lookup.state !== 'found') continue;
    const records: CaaRecord[] = lookup.records.map(({ data }) => data);
    return {
      ...around,
      state: judgeCaa(records, identifiers, isWildcard),
      property: isWildcard && records.some(({ tag }) => tag.toLowerCase() === 'issuewild') ? 'issuewild' : 'issue',
      domain: name,
      records: records.slice(0, RECORDS_MAX).map(({ flags, tag, value }) => ({ flag: flags, tag: shown(tag, VALUE_MAX_CHARS), value: shown(value, VALUE_MAX_CHARS) })), // prettier-ignore
    };
  }
  return { ...around, state: 'any' };
}

const { warning, information } = findings<(typeof CAA_ISSUES)[number]>();

/** Judges the records for their owner, with the one to publish. An unknown authority is not judged. */
export function caaIssues(
  { state, domain, property, identifiers: [identifier] }: JudgedCaa,
  host: string,
): Issue<(typeof CAA_ISSUES)[number]>[] {
  if (identifier === undefined) return [];
  if (state === 'forbidden')
    return [
      warning(
        'CAA_FORBIDS',
        `The CAA records of ${domain} do not allow the authority of the certificate, so renewal will fail. Publish ${domain}. CAA 0 ${property} "${identifier}"`,
      ),
    ];
  if (state !== 'any' || domain !== '') return [];
  return [
    information(
      'CAA_MISSING',
      `Any public authority may issue certificates for ${host}. To restrict that, publish ${host}. CAA 0 issue "${identifier}"`,
    ),
  ];
}

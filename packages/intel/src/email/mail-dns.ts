import type { DnsRecordOf } from '@vedette/contract';
import { policyOf } from '../dmarc/record.ts';
import { discoverDmarc } from '../dmarc/tree-walk.ts';
import { type DnsPorts, lookUp, textOf } from '../lookup.ts';
import { literalName, usesMacro } from '../spf/macro.ts';
import { effectiveDirectives, effectiveRedirect, isSpfRecord, parseSpfRecord, type Qualifier, type SpfRecord } from '../spf/record.ts';

/** What may be asked in vain. */
export type MailTopic = 'addresses' | 'exchangers' | 'spf' | 'dmarc';

/** What the DNS says of a domain's mail. Where a question has no answer, that is neither yes nor no. */
export interface MailDns {
  hasA: boolean;
  hasAaaa: boolean;
  /** Host names by preference; the null MX of RFC 7505 is none. */
  exchangers: string[];
  /** The domain says that it takes no mail (RFC 7505). */
  nullMx: boolean;
  hasTxt: boolean;
  hasSpf: boolean;
  /** What SPF says of every other sender: the qualifier of `all`, redirects followed. Empty without a usable record. */
  spfQualifier: '' | 'pass' | 'fail' | 'softfail' | 'neutral';
  dmarc: '' | 'none' | 'quarantine' | 'reject';
  /** What nobody knows, and why. */
  unknown: ReadonlySet<MailTopic>;
  errors: string[];
}

const QUALIFIERS: Record<Qualifier, MailDns['spfQualifier']> = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' };
const MAX_REDIRECTS = 5;

/** Asks everything at once. Rejects only with the signal's reason. */
export async function readMailDns(domain: string, ports: DnsPorts): Promise<MailDns> {
  const [a, aaaa, mx, txt, dmarc] = await Promise.all([
    lookUp(ports, domain, 'A'),
    lookUp(ports, domain, 'AAAA'),
    lookUp(ports, domain, 'MX'),
    lookUp(ports, domain, 'TXT'),
    discoverDmarc(domain, ports),
  ]);
  const spf = spfRecords(txt.records);
  const exchangers = mx.records.toSorted((one, other) => one.data.preference - other.data.preference).map(({ data }) => data.exchange);
  const policy = dmarc.applied && policyOf(dmarc.applied.record);
  const others = spf.length === 1 ? await qualifierOf(spf[0]!, ports) : NO_QUALIFIER; // several are an error (RFC 7208 §4.5)
  const failures: [MailTopic, string][] = [
    ['addresses', a.error],
    ['addresses', aaaa.error],
    ['exchangers', mx.error],
    ['spf', txt.error],
    ['spf', others.error],
    ...(dmarc.applied ? [] : dmarc.errors.map((error): [MailTopic, string] => ['dmarc', error])),
  ];
  const failed = failures.filter(([, error]) => error !== '');
  return {
    hasA: a.records.length > 0,
    hasAaaa: aaaa.records.length > 0,
    exchangers: exchangers.filter((host) => host !== '.'),
    nullMx: exchangers.length === 1 && exchangers[0] === '.',
    hasTxt: txt.records.length > 0,
    hasSpf: spf.length > 0,
    spfQualifier: others.qualifier,
    dmarc: policy ? (dmarc.applied!.domain === domain ? policy.p : policy.sp) : '',
    unknown: new Set(failed.map(([topic]) => topic)),
    errors: failed.map(([, error]) => error),
  };
}

const spfRecords = (records: readonly DnsRecordOf<'TXT'>[]): SpfRecord[] => records.map(textOf).filter(isSpfRecord).map(parseSpfRecord);

interface Others {
  qualifier: MailDns['spfQualifier'];
  /** Which redirect could not be followed. */
  error: string;
}
const NO_QUALIFIER: Others = { qualifier: '', error: '' };

async function qualifierOf(record: SpfRecord, ports: DnsPorts): Promise<Others> {
  let current = record;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (current.problems.length > 0) return NO_QUALIFIER; // a permerror (RFC 7208 §4.6)
    const all = effectiveDirectives(current).find(({ mechanism }) => mechanism.name === 'all');
    if (all) return { qualifier: QUALIFIERS[all.qualifier], error: '' };
    const redirect = effectiveRedirect(current);
    if (!redirect) return { qualifier: 'neutral', error: '' }; // RFC 7208 §4.7
    if (usesMacro(redirect)) return NO_QUALIFIER;
    const { records, error } = await lookUp(ports, literalName(redirect), 'TXT');
    const [next, ...others] = spfRecords(records);
    if (!next || others.length > 0) return { qualifier: '', error };
    current = next;
  }
  return NO_QUALIFIER;
}

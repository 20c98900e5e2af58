import { type BudgetedResolver, isAnswer, isDnsName, recordsOf, type TrustAnchor, readLookup } from '@vedette/contract';
import type { EmlReport, SignatureFacts } from '@vedette/message/report';
import { dkimHostOf, judgeDkim, readKeys } from '@vedette/mail/dkim';
import { validate } from '@vedette/mail/dnssec';
import { unlessRefused } from '../shared/names/unless-refused.ts';

type Signature = EmlReport['headers']['dkim_signatures'][number];
type Key = Pick<Signature, 'key_type' | 'key_bits' | 'dnssec' | 'dns_error'>;

/** Keys that are asked for, for one message; honest ones have three signatures. */
const KEYS_MAX = 20;
/** The limit of questions for them in all, with the chains of DNSSEC. */
export const KEYS_BUDGET = { questions: 60, ms: 5_000 };

interface KeyPorts {
  resolver: BudgetedResolver;
  trustAnchors: readonly TrustAnchor[];
  today(): Date;
  signal: AbortSignal;
}

const NO_KEY: Key = { key_type: '', key_bits: 0, dnssec: false, dns_error: '' };
const NOT_ASKED: Key = { ...NO_KEY, dns_error: `Only the keys of the first ${KEYS_MAX} signatures are asked for` };
const REFUSED: Key = { ...NO_KEY, dns_error: 'This service asks too much about that name at the moment' };

/** Adds what the DNS has now of the keys of signatures, each key asked for once. Rejects with the signal's reason. */
export async function withKeys(signatures: readonly SignatureFacts[], { resolver: whole, ...ports }: KeyPorts): Promise<Signature[]> {
  using resolver = whole.share(KEYS_BUDGET);
  const keyByHost = new Map<string, Promise<Key>>();
  const keyOf = (signature: SignatureFacts): Promise<Key> => {
    const host = dkimHostOf(signature.selector, signature.domain);
    if (signature.selector === '' || signature.domain === '' || !isDnsName(host)) return Promise.resolve(NO_KEY);
    const known = keyByHost.get(host);
    if (known) return known;
    if (keyByHost.size >= KEYS_MAX) return Promise.resolve(NOT_ASKED);
    const key = unlessRefused(fetchKey(host, { ...ports, resolver })).then((found) => found ?? REFUSED);
    keyByHost.set(host, key);
    return key;
  };
  const keys = await Promise.all(signatures.map(keyOf));
  return signatures.map((signature, i) => ({ ...signature, ...keys[i]! }));
}

/** Asks for the key with its DNSSEC signatures: only where there are any, the chain of trust is asked for as well. */
async function fetchKey(host: string, { resolver, trustAnchors, today, signal }: KeyPorts): Promise<Key> {
  const response = await resolver.ask(host, 'TXT', { dnssec: true, signal });
  const found = readLookup(response, host, 'TXT');
  const { key } = judgeDkim(readKeys(host, found));
  if (key === undefined) return { ...NO_KEY, dns_error: found.error };
  const isSigned = isAnswer(response) && recordsOf(response, 'RRSIG').length > 0;
  const now = Math.floor(today().getTime() / 1000);
  const dnssec = isSigned && (await validate(host, 'TXT', { resolver, anchors: trustAnchors, now, signal })).verdict.status === 'secure';
  return { key_type: key.type, key_bits: key.bits, dnssec, dns_error: '' };
}

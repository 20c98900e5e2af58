import { cidrContains, type IpAddress, isAtOrUnder, lookUp } from '@vedette/contract';
import { askReverseNames, validate } from './client-name.ts';
import { addressType, countVoid, type Evaluation, hasClient, NAMES_MAX, needed, SpfFailure } from './evaluation.ts';
import type { Mechanism } from './record.ts';

type StaticMechanism = Extract<Mechanism, { name: 'all' | 'ip4' | 'ip6' }>;

/** Whether a mechanism can be evaluated without DNS questions. */
export const isStatic = (mechanism: Mechanism): mechanism is StaticMechanism =>
  mechanism.name === 'all' || mechanism.name === 'ip4' || mechanism.name === 'ip6';

/** RFC 7208 §5.1, §5.6. */
export const matchStatic = (mechanism: StaticMechanism, ip: IpAddress): boolean =>
  mechanism.name === 'all' || cidrContains(mechanism.network, ip);

type AskingMechanism = Extract<Mechanism, { name: 'a' | 'mx' | 'ptr' | 'exists' }>;

/** Whether a mechanism that asks about hosts matches the client; `target` is its domain, expanded. */
export function matchMechanism(mechanism: AskingMechanism, target: string, evaluation: Evaluation): Promise<boolean> {
  switch (mechanism.name) {
    case 'a':
      return matchAddress(target, prefixOf(mechanism, evaluation), evaluation);
    case 'mx':
      return matchExchange(target, prefixOf(mechanism, evaluation), evaluation);
    case 'ptr':
      return matchClientName(target, evaluation);
    default:
      return matchExistence(target, evaluation);
  }
}

const prefixOf = ({ bits4, bits6 }: { bits4: number; bits6: number }, { ip }: Evaluation): number => (ip.version === 4 ? bits4 : bits6);

/** RFC 7208 §5.3. */
async function matchAddress(name: string, bits: number, evaluation: Evaluation): Promise<boolean> {
  const found = needed(countVoid(evaluation, await lookUp(evaluation.dns, name, addressType(evaluation))));
  return hasClient(
    found.records.map(({ data }) => data),
    evaluation,
    bits,
  );
}

/** RFC 7208 §5.4. An exchange without addresses is not a void look-up: the term's own question found something. */
async function matchExchange(name: string, bits: number, evaluation: Evaluation): Promise<boolean> {
  const { records } = needed(countVoid(evaluation, await lookUp(evaluation.dns, name, 'MX')));
  const exchanges = records
    .map(({ data }) => data)
    .filter(({ exchange }) => exchange !== '.') // null MX, RFC 7505
    .sort((a, b) => a.preference - b.preference);
  const lookups = await Promise.all(
    exchanges.slice(0, NAMES_MAX).map(({ exchange }) => lookUp(evaluation.dns, exchange, addressType(evaluation))),
  );
  const matched = lookups.some((found) =>
    hasClient(
      needed(found).records.map(({ data }) => data),
      evaluation,
      bits,
    ),
  );
  if (!matched && exchanges.length > NAMES_MAX)
    throw new SpfFailure('permerror', `${name} has ${exchanges.length} mail exchanges; at most ${NAMES_MAX} are asked (RFC 7208 §4.6.4)`);
  return matched;
}

/** RFC 7208 §5.5. */
async function matchClientName(domain: string, evaluation: Evaluation): Promise<boolean> {
  const names = await validate(countVoid(evaluation, await askReverseNames(evaluation)), evaluation);
  return names.some((name) => isAtOrUnder(name, domain));
}

/** RFC 7208 §5.7: always A, whatever the client's family. */
async function matchExistence(name: string, evaluation: Evaluation): Promise<boolean> {
  return needed(countVoid(evaluation, await lookUp(evaluation.dns, name, 'A'))).records.length > 0;
}

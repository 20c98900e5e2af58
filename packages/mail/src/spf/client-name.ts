import { isAtOrUnder, type Lookup, lookUp } from '@vedette/contract';
import { addressType, type Evaluation, expandTarget, hasClient, NAMES_MAX } from './evaluation.ts';
import { parseDomainSpec } from './macro.ts';

const REVERSE_NAME = parseDomainSpec('%{ir}.%{v}.arpa');

/** The client's names as the reverse tree has them. */
export function askReverseNames(evaluation: Evaluation): Promise<Lookup<'PTR'>> {
  return lookUp(evaluation.dns, expandTarget(REVERSE_NAME, '', evaluation, '')!, 'PTR');
}

/** The ones of the first ten names whose addresses lead back to the client (RFC 7208 §5.5). A failing look-up validates nothing. */
export async function validate({ records }: Lookup<'PTR'>, evaluation: Evaluation): Promise<string[]> {
  const names = records.slice(0, NAMES_MAX).map(({ data }) => data.toLowerCase());
  const found = await Promise.all(names.map((name) => lookUp(evaluation.dns, name, addressType(evaluation))));
  return names.filter((_, i) =>
    hasClient(
      found[i]!.records.map(({ data }) => data),
      evaluation,
    ),
  );
}

/** The value of `%{p}`: the domain itself, else a name under it, else any validated name, else `unknown` (§7.3). */
export async function clientName(domain: string, evaluation: Evaluation): Promise<string> {
  const names = await validate(await askReverseNames(evaluation), evaluation);
  return names.find((name) => name === domain) ?? names.find((name) => isAtOrUnder(name, domain)) ?? names[0] ?? 'unknown';
}

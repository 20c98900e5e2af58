import { shown } from '../../findings/index.ts';
import { issueAt, type SpfIssue } from './issues.ts';
import { internetWide } from '../networks.ts';
import { misspeltMechanisms } from '../record.ts';
import { authorising, type SpfTree } from '../tree.ts';

/** Records and terms that receivers ignore, although their author meant something. */
export function judgeLookalikes({ policies, nodes }: SpfTree): SpfIssue[] {
  const lookalikes = [...policies.values()].flatMap(({ domain, records, lookalikes }) =>
    lookalikes.map((text) => ({
      text: `${JSON.stringify(shown(text))} at ${domain}, ${firstDeviation(text)}`,
      alone: records.length === 0,
    })),
  );
  const say = (found: string) =>
    `Receivers do not see SPF in ${found}. A record starts with exactly "v=spf1" and a space (RFC 7208 §4.5). Write it anew, without quotes around it, or remove it`;
  const textsWhere = (alone: boolean) => lookalikes.filter((found) => found.alone === alone).map(({ text }) => text);
  return [
    ...issueAt('SPF_LOOKALIKE', 'error', textsWhere(true), say),
    ...issueAt('SPF_LOOKALIKE', 'warning', textsWhere(false), say),
    ...issueAt(
      'UNKNOWN_MODIFIER',
      'warning',
      nodes.flatMap(({ record }) => misspeltMechanisms(record)),
      (terms) => `Receivers ignore modifiers that SPF does not know: ${terms}. A mechanism has a colon, as in "include:" and "ip4:"`,
    ),
  ];
}

const VERSION = 'v=spf1 ';

/** Where a record leaves what it has to start with; the character may be one that is not seen. */
function firstDeviation(text: string): string {
  const at = Array.from(VERSION).findIndex((char, i) => text[i]?.toLowerCase() !== char);
  const code = text.codePointAt(at);
  return code === undefined
    ? `which ends after ${at} characters`
    : `whose character ${at + 1} is U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Terms that amount to `+all`, though they are written otherwise. */
export function judgeOpenness(tree: SpfTree): SpfIssue[] {
  const nodes = authorising(tree);
  return [
    ...issueAt(
      'INTERNET_AUTHORIZED',
      'error',
      internetWide(nodes.flatMap(({ networks }) => networks)),
      (networks) => `Half of the Internet or more may send in the name of the domain, as with "+all": ${networks}. List your own networks`,
    ),
    ...issueAt(
      'INTERNET_AUTHORIZED',
      'error',
      nodes.flatMap(({ origin, openTerms }) => openTerms.map((term) => `${term} of ${origin}`)),
      (terms) =>
        `Everybody may send in the name of the domain, as with "+all": the name in ${terms} is there whoever sends (RFC 7208 §5.7). Use macros of the sender in it, or remove it`,
    ),
  ];
}

import { type DnsAnswer, isAtOrUnder } from '@vedette/contract';
import { labelsOf } from '../../kit/index.ts';

const MAX_ALIASES = 4;

/**
 * The apex of the zone that holds `name`: an SOA answer stands at it, and an answer without SOA names it in its authority section (RFC 2308
 * §3). Undefined when no server answers.
 */
export async function apexOf(
  name: string,
  ask: (name: string, type: 'SOA') => Promise<DnsAnswer | undefined>,
): Promise<string | undefined> {
  let owner = name;
  for (let tries = 0; tries <= MAX_ALIASES; tries++) {
    const answer = await ask(owner, 'SOA');
    // A failed question says nothing about the beginning of the zone: the zone above, which answers, is another one.
    if (answer?.rcode !== 'NOERROR' && answer?.rcode !== 'NXDOMAIN') return undefined;
    const apex = [...answer.answers, ...answer.authorities]
      .filter((record) => record.type === 'SOA')
      .map((soa) => soa.name)
      .find((zone) => zone === '.' || isAtOrUnder(owner, zone));
    if (apex !== undefined || owner === '.') return apex;
    // A CNAME led the answer elsewhere. Its owner is not an apex, so the zone is its parent's.
    owner = parentOf(owner);
  }
  return undefined;
}

const parentOf = (name: string): string => labelsOf(name).slice(1).join('.') || '.';

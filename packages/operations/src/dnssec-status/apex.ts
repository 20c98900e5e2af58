import { type DnsAnswer, isAtOrUnder } from '@vedette/contract';

const MAX_ALIASES = 4;

/**
 * The apex of the zone that holds `name`: an SOA answer stands at it, and an answer without SOA names it in its
 * authority section (RFC 2308 §3). Undefined when nobody says.
 */
export async function apexOf(
  name: string,
  ask: (name: string, type: 'SOA') => Promise<DnsAnswer | undefined>,
): Promise<string | undefined> {
  let owner = name;
  for (let tries = 0; tries <= MAX_ALIASES; tries++) {
    const answer = await ask(owner, 'SOA');
    const zones = [...(answer?.answers ?? []), ...(answer?.authorities ?? [])]
      .filter((record) => record.type === 'SOA')
      .map((soa) => soa.name);
    const apex = zones.find((zone) => zone === '.' || isAtOrUnder(owner, zone));
    if (apex !== undefined) return apex;
    // A CNAME led the answer elsewhere. Its owner is no apex, so the zone is its parent's.
    if (answer === undefined || !owner.includes('.')) return undefined;
    owner = owner.slice(owner.indexOf('.') + 1);
  }
  return undefined;
}

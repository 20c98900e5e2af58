import { ApiError } from '@vedette/contract';
import { PORTS_MAX } from '@vedette/probes/scan';

/** Services that hosts offer, or should not offer, to strangers: what a scan without `ports` looks at. */
export const DEFAULT_PORTS =
  '21-23,25,53,80,110,111,135,139,143,389,443,445,465,587,993,995,1433,1723,3306,3389,5432,5900,6379,8080,8443,9200,11211,27017';

const PART = /^(\d{1,5})(?:-(\d{1,5}))?$/;
const LAST = 65_535;

/** The ports of a list such as `22,80,8000-8010`, ascending, each once. Throws `ApiError` invalid_parameter. */
export function portsOf(list: string): number[] {
  const refuse = (why: string): never => {
    throw new ApiError('invalid_parameter', `ports: ${why}`, { param: 'ports' });
  };
  const ports = new Set<number>();
  for (const part of list.split(',')) {
    const [, from = '', to = from] = PART.exec(part.trim()) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (from === '' || first < 1 || last > LAST || last < first) refuse(`"${part.trim()}" is not a port or a range of ports`);
    if (last - first >= PORTS_MAX) refuse(`at most ${PORTS_MAX}`);
    for (let number = first; number <= last; number++) ports.add(number);
    if (ports.size > PORTS_MAX) refuse(`at most ${PORTS_MAX}`);
  }
  return [...ports].toSorted((a, b) => a - b);
}

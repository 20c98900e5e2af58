import type { Indicator } from '../subject/index.ts';
import { type Asked, factsOf, isSame } from './facts.ts';
import { OURS, uuid5 } from './uuid.ts';

/** Types of MISP, each with the category that it has by default. */
const TYPES: Readonly<Record<Indicator['kind'], [type: string, category: string]>> = {
  host: ['hostname', 'Network activity'],
  address: ['ip-dst', 'Network activity'],
  url: ['url', 'Network activity'],
  email: ['email-src', 'Payload delivery'],
  asn: ['AS', 'Network activity'],
  phone: ['phone-number', 'Other'],
  md5: ['md5', 'Payload delivery'],
  sha1: ['sha1', 'Payload delivery'],
  sha256: ['sha256', 'Payload delivery'],
};

/** A name of two labels is a `domain`; a longer one may be a machine. */
const typeOf = ({ kind, value }: Indicator): [type: string, category: string] =>
  kind === 'host' && value.split('.').length === 2 ? ['domain', TYPES.host[1]] : TYPES[kind];

/** The distribution of an attribute that is that of its event. */
const INHERITED = '5';

const seconds = (at: Date): string => String(Math.floor(at.getTime() / 1000));

/** Answers as one MISP event for the own organisation. `to_ids` is set where an answer calls its subject dangerous, and nowhere else. */
export function misp(answers: readonly Asked[]): object {
  const name = answers.map(({ key }) => key).join(' ');
  const attributes = new Map<string, { to_ids: boolean; comment: string }>();
  for (const asked of answers) {
    const { subject, indicators, isMalicious, comment } = factsOf(asked);
    for (const indicator of indicators) {
      const [type, category] = typeOf(indicator);
      const { value } = indicator;
      const id = `${type} ${value}`;
      const isSubject = isSame(subject, indicator);
      const before = attributes.get(id);
      const said = isSubject ? comment : `Vedette ${asked.operation}: named in its report`;
      const attribute = {
        uuid: uuid5(OURS, `attribute ${name} ${id}`),
        type,
        category,
        value,
        to_ids: before?.to_ids === true || (isSubject && isMalicious),
        comment: before === undefined || before.comment.includes(said) ? (before?.comment ?? said) : `${before.comment} | ${said}`,
        timestamp: seconds(asked.at),
        distribution: INHERITED,
      };
      attributes.set(id, attribute);
    }
  }
  const last = answers.map(({ at }) => at).reduce((a, b) => (a > b ? a : b), new Date(0));
  return {
    Event: {
      uuid: uuid5(OURS, `event ${name}`),
      info: `Vedette: ${[...new Set(answers.map(({ operation }) => operation))].join(', ')}`,
      date: last.toISOString().slice(0, 10),
      timestamp: seconds(last),
      threat_level_id: '4',
      analysis: '2',
      distribution: '0',
      published: false,
      Attribute: [...attributes.values()],
    },
  };
}

import { readRdapDomain } from '@vedette/intel/registration';
import type { Corpus } from './corpus.ts';

type Json = Readonly<Record<string, any>>; // oxlint-disable-line typescript/no-explicit-any -- whatever servers send

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []);
const lower = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase().replace(/\s+/g, ' ') : '');

/** The days that an answer has for an event, as written and in UTC: read by RFC 9083 alone, without our reader. */
function daysOf({ events }: Json, action: string): string[] {
  return listOf(events).flatMap(({ eventAction, eventDate }) => {
    if (lower(eventAction) !== action || typeof eventDate !== 'string') return [];
    return [eventDate.slice(0, 10), ...(Number.isNaN(Date.parse(eventDate)) ? [] : [new Date(eventDate).toISOString().slice(0, 10)])];
  });
}

/** Every text and number in the entities that are registrars: a registrar's name must be one of them. */
const registrarTexts = (object: Json): string[] =>
  listOf(object.entities).flatMap((entity) => [
    ...([entity.roles].flat().some((role) => lower(role) === 'registrar') ? textsIn(entity) : []),
    ...registrarTexts(entity),
  ]);
const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [lower(String(value))];

/** The statements of a reading that its answer does not have. */
function untrueIn(json: Json, read: NonNullable<ReturnType<typeof readRdapDomain>>): string[] {
  const { secureDNS = {} } = json;
  const registrars = registrarTexts(json);
  const days = { created: ['registration', 'reregistration'], updated: ['last changed'], expires: ['expiration'] } as const;
  return [
    ...Object.entries(days).flatMap(([field, actions]) => {
      const day = read[field as keyof typeof days];
      return day === '' || actions.some((action) => daysOf(json, action).includes(day)) ? [] : [`${field} ${day}`];
    }),
    ...[read.registrar, read.registrar_iana_id].filter((text) => text !== '' && !registrars.includes(lower(text))),
    ...(read.dnssec === 'signed' && secureDNS.delegationSigned === false ? ['signed'] : []),
    ...(read.dnssec === 'unsigned' && secureDNS.delegationSigned !== false ? ['unsigned'] : []),
    ...read.nameservers.filter((name) => !listOf(json.nameservers).some(({ ldhName }) => lower(ldhName).replace(/\.$/, '') === name)),
    ...(read.reserved && daysOf(json, 'registration').length > 0 ? ['reserved'] : []),
  ];
}

/** How published RDAP answers about domains are read: whether the domain is seen, and what is read that is not there. */
export function judgedRdap(corpus: Corpus): void {
  const suffixes = new Set<string>();
  let [all, seen, untrue] = [0, 0, 0];
  for (const { name: file, read } of corpus.files('rdap')) {
    const json = JSON.parse(read()) as Json;
    const url = `http://${json.ldhName ?? json.unicodeName ?? ''}`;
    if (lower(json.objectClassName) !== 'domain' || !URL.canParse(url)) continue;
    const name = new URL(url).hostname.replace(/\.$/, '');
    const reading = readRdapDomain(json, name, new Date());
    all++;
    suffixes.add(name.split('.').at(-1)!);
    if (!reading) process.stdout.write(`  ${file}: not seen\n`);
    else seen++;
    for (const what of reading ? untrueIn(json, reading) : []) {
      untrue++;
      process.stdout.write(`  ${file}: ${what}\n`);
    }
  }
  if (all > 0) process.stdout.write(`rdap: ${seen} of ${all} answers about domains seen, ${suffixes.size} suffixes, ${untrue} untrue\n`);
}

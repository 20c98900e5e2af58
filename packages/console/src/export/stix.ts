import type { Indicator } from '../subject/index.ts';
import { type Asked, factsOf } from './facts.ts';
import { OURS, uuid5 } from './uuid.ts';

/** Namespace of observables: every producer gives the same one the same id (STIX 2.1 §2.9). */
const OBSERVABLES = '00abedb4-aa42-466c-9c01-fed23315a9b7';
const HASH_NAMES: Readonly<Record<string, string>> = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256' };

type StixObject = Readonly<Record<string, unknown>> & { id: string };

interface Observable {
  type: string;
  /** The properties that its id is made of. */
  properties: Readonly<Record<string, unknown>>;
  /** Where a pattern finds it. */
  path: string;
}

/** The observable that an indicator is; undefined where STIX has none, as for telephone numbers. */
function observableOf({ kind, value }: Indicator): Observable | undefined {
  switch (kind) {
    case 'host':
      return { type: 'domain-name', properties: { value: asciiOf(value) }, path: 'domain-name:value' };
    case 'address': {
      const type = value.includes(':') ? 'ipv6-addr' : 'ipv4-addr';
      return { type, properties: { value }, path: `${type}:value` };
    }
    case 'url':
      return { type: 'url', properties: { value }, path: 'url:value' };
    case 'email':
      return { type: 'email-addr', properties: { value }, path: 'email-addr:value' };
    case 'asn':
      return { type: 'autonomous-system', properties: { number: Number(value.slice(2)) }, path: 'autonomous-system:number' };
    case 'md5':
    case 'sha1':
    case 'sha256': {
      const name = HASH_NAMES[kind]!;
      return { type: 'file', properties: { hashes: { [name]: value } }, path: `file:hashes.'${name}'` };
    }
    case 'phone':
      return undefined;
  }
}

/** A name in A-labels; as it is where no URL could hold it. */
const asciiOf = (host: string): string => URL.parse(`http://${host}/`)?.hostname ?? host;

/** A string of a pattern: a quote or a backslash in it ends nothing (STIX 2.1 §9.1). */
const quoted = (text: string): string => `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;

function patternOf({ properties, path }: Observable): string {
  const [value] = Object.values('hashes' in properties ? (properties['hashes'] as object) : properties) as [string | number];
  return `[${path} = ${typeof value === 'number' ? value : quoted(value)}]`;
}

const SPEC = { spec_version: '2.1' } as const;

const observed = ({ type, properties }: Observable): StixObject => ({
  type,
  ...SPEC,
  // Canonical JSON (RFC 8785): one member, and `stringify` writes text as that does.
  id: `${type}--${uuid5(OBSERVABLES, JSON.stringify(properties))}`,
  ...properties,
});

/** The system that has looked. */
const WHO = `identity--${uuid5(OURS, 'identity')}`;
const BEGIN = '2026-01-01T00:00:00.000Z';
const IDENTITY: StixObject = {
  type: 'identity',
  ...SPEC,
  id: WHO,
  created: BEGIN,
  modified: BEGIN,
  name: 'Vedette',
  identity_class: 'system',
};

/**
 * The objects of one answer: what was observed, an indicator where the verdict is `dangerous`, and a report that holds them together and says the verdict. Reports, since
 * OASIS's schema of a bundle knows no notes, and MISP makes an event of each.
 */
function objectsOf(asked: Asked): StixObject[] {
  const { subject, indicators, isMalicious, risk, comment } = factsOf(asked);
  const observables = indicators.map(observableOf).filter((one) => one !== undefined);
  if (observables.length === 0) return [];
  const objects = observables.map(observed);
  const at = asked.at.toISOString();
  const common = { ...SPEC, created: at, modified: at, created_by_ref: WHO };
  const idOf = (type: string): string => `${type}--${uuid5(OURS, `${type} ${asked.key}`)}`;
  const data: StixObject = {
    type: 'observed-data',
    id: idOf('observed-data'),
    ...common,
    first_observed: at,
    last_observed: at,
    number_observed: 1,
    object_refs: [...new Set(objects.map(({ id }) => id))],
  };
  const reportOn = (members: readonly StixObject[]): StixObject => ({
    type: 'report',
    id: idOf('report'),
    ...common,
    name: `Vedette ${asked.operation}${subject ? ` ${subject.value}` : ''}`,
    description: comment,
    report_types: ['observed-data'],
    published: at,
    object_refs: [...new Set(members.map(({ id }) => id))],
  });
  const bad = isMalicious && subject ? observableOf(subject) : undefined;
  if (bad === undefined) return [...objects, data, reportOn([...objects, data])];
  const indicator: StixObject = {
    type: 'indicator',
    id: idOf('indicator'),
    ...common,
    name: subject!.value,
    description: comment,
    indicator_types: ['malicious-activity'],
    pattern: patternOf(bad),
    pattern_type: 'stix',
    valid_from: at,
    ...(risk !== undefined && { confidence: Math.round(Math.min(100, Math.max(0, risk))) }),
  };
  const basedOn: StixObject = {
    type: 'relationship',
    id: idOf('relationship'),
    ...common,
    relationship_type: 'based-on',
    source_ref: indicator.id,
    target_ref: data.id,
  };
  return [...objects, data, indicator, basedOn, reportOn([...objects, data, indicator, basedOn])];
}

/** Answers as a STIX 2.1 bundle without markings. The same answers have the same ids in every file. */
export function stix(answers: readonly Asked[]): object {
  const objects = new Map([IDENTITY, ...answers.flatMap(objectsOf)].map((object) => [object.id, object]));
  return {
    type: 'bundle',
    id: `bundle--${uuid5(OURS, `bundle ${answers.map(({ key }) => key).join(' ')}`)}`,
    objects: [...objects.values()],
  };
}

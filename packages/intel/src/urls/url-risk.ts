import type { EngineResult } from '../ports/index.ts';
import {
  assessRisk,
  type Evidence,
  type Factor,
  LOW_CONFIDENCE,
  type Override,
  type Risk,
  UNHEARD,
  URL_FLOORS,
  URL_RISK,
} from '../risk/index.ts';
import type { UrlShape } from './shape.ts';

type UrlFactor = keyof typeof URL_RISK.factors;

/** A host on the way, and its own risk. */
export interface HostRisk {
  host: string;
  risk: { result: number; factors: readonly Factor[] };
  /** It only led on. */
  passing: boolean;
}

/** The evidence against a URL. */
export interface UrlEvidence {
  shape: UrlShape;
  /** Engines of URLs that list one of the way. */
  detections: readonly EngineResult[];
  hosts: readonly HostRisk[];
  /** Signs against the page, by the names of site-trust's factors, 0 to 1 each. */
  page: readonly { sign: string; detail: string; weight: number }[];
  asksForSecrets: boolean;
  /** The disguise of a program, such as `exe as .pdf`; empty for none. */
  masked: string;
  /** A program, by its name too. */
  isProgram: boolean;
  /** The gaps, each with its reason or share: they hold the risk up. */
  unseen: { page: string; age: string; lists: number };
}

/** The risk of a URL (docs/scores.md). */
export function urlRisk(evidence: UrlEvidence): Risk {
  return assessRisk(URL_RISK, [...listings(evidence), ...ofHosts(evidence), ...ofPage(evidence), ...ofShape(evidence)], floorsOf(evidence));
}

const listings = ({ detections }: UrlEvidence): Evidence<UrlFactor>[] =>
  detections.map(({ name, meanings, weight, doubtful, group, sightings }) => ({
    factor: 'url_detection',
    detail: meanings.length === 0 ? name : `${name}: ${meanings.join(', ')}`,
    weight,
    confidence: doubtful ? LOW_CONFIDENCE : 1,
    age_days: sightings?.age_days ?? 0,
    ...(group !== '' && { source: group }),
  }));

/** The worst host of the way counts. A shortener that was followed to its end hides nothing any more. Floors of a host's own report are left out, since this one has its own. */
function ofHosts({ hosts }: UrlEvidence): Evidence<UrlFactor>[] {
  return hosts.flatMap(({ host, risk, passing }) => {
    const found = risk.factors.filter(
      ({ factor, effect, weight }) => effect > 0 && weight > 0 && !(passing && factor === 'risky_category'),
    );
    const weight = Math.min(risk.result / 100, 1 - found.reduce((left, factor) => left * (1 - factor.weight), 1));
    if (weight <= 0) return [];
    const why = found.slice(0, 3).map(({ factor, detail }) => (detail === '' ? factor : `${factor}, ${detail}`));
    return [{ factor: 'host' as const, detail: `${host}: ${why.join('; ')}`, weight, source: 'the way' }];
  });
}

function ofPage({ page, asksForSecrets, masked, isProgram, shape }: UrlEvidence): Evidence<UrlFactor>[] {
  return [
    ...page.map(({ sign, detail, weight }) => ({ factor: 'page' as const, detail: detail === '' ? sign : `${sign}: ${detail}`, weight })),
    ...(masked === '' ? [] : [{ factor: 'masked_file' as const, detail: masked }]),
    ...(isProgram && masked === '' ? [{ factor: 'program' as const, detail: 'it runs where it is opened' }] : []),
    ...(asksForSecrets && shape.mailbox !== '' ? [{ factor: 'secrets_of_a_named_mailbox' as const, detail: shape.mailbox }] : []),
    ...(asksForSecrets && shape.isIp ? [{ factor: 'secrets_at_an_address' as const, detail: 'a form asks for a password or a card' }] : []),
  ];
}

function ofShape({ shape }: UrlEvidence): Evidence<UrlFactor>[] {
  const found: [UrlFactor, string | false][] = [
    ['user_name_poses_as_host', shape.posesAs],
    ['obscured_host', shape.obscured],
    ['path_names_a_brand', shape.pathNames],
    ['ip_host', shape.isIp && 'the host is an address'],
    ['mailbox_in_url', shape.mailbox],
    ['user_name', shape.posesAs === '' && shape.hasUserName && 'a name before the @'],
    ['non_standard_port', shape.isOtherPort && 'neither 80 nor 443'],
  ];
  return found.flatMap(([factor, detail]) => (detail === false || detail === '' ? [] : [{ factor, detail }]));
}

function floorsOf({ unseen }: UrlEvidence): Override[] {
  const { page, age, lists } = unseen;
  return [
    ...(page === '' ? [] : [{ factor: 'page_not_seen', detail: page, floor: URL_FLOORS.page_not_seen }]),
    ...(age === '' ? [] : [{ factor: 'age_not_known', detail: age, floor: URL_FLOORS.age_not_known }]),
    ...(lists === 0 ? [] : [{ factor: 'unheard', detail: `${Math.round(100 * lists)}% of the lists were not heard`, floor: Math.floor(UNHEARD * lists) }]), // prettier-ignore
  ];
}

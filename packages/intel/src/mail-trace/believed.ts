import { org } from './border.ts';
import type { Hop } from './hop.ts';
import { readArcResults, readReceivedSpf, readResults, type MethodResult, type Results } from './results.ts';

/** A field of the header, as `@vedette/intel/mime` reads it. */
export interface TraceField {
  /** Name in lower case. */
  key: string;
  /** Value with its folds, one character for each byte. */
  raw: string;
}

/** What the receiver wrote into the header about the message. */
export interface Believed {
  /** The first so many fields are the receiver's. */
  fields: number;
  /** Its Authentication-Results, as they stand. */
  raws: readonly string[];
  results: readonly MethodResult[];
  /** The last instance of its ARC-Authentication-Results: for what the others do not say. */
  arc: readonly MethodResult[];
  receivedSpf: MethodResult | undefined;
}

/** The second is Exchange's for a message that comes back to it over another server; it stands for the first where that is not there. */
const RESULTS = ['authentication-results', 'x-ms-exchange-authentication-results'];

/**
 * Fields that a server puts below its own Received, as Postfix does with those of its milters and Google with all: up to the first that is
 * not one of these. What the sender wrote comes behind.
 */
const BESIDE_RECEIVED = /^(?:(?:arc|x)-.*|authentication-results|received-spf|dkim-filter|dmarc-filter|return-path|delivered-to)$/;

/**
 * Picks what the receiver wrote: whatever stands above its border; and directly below it, what is signed with the name of the server at the
 * border, which has to remove what others wrote under it (RFC 8601 §5), and all that stands above that. A message without any Received field was
 * delivered by nobody, or has lost its trace: the topmost results are taken, and those of the same organization.
 */
export function believed(fields: readonly TraceField[], border: { index: number; hop: Hop } | undefined): Believed {
  if (border === undefined) return withoutTrace(fields);
  const above = fields.slice(0, border.index);
  const servers = new Set(above.filter(isResults).map(({ raw }) => readResults(raw).server));
  const belongs = ({ key, raw }: TraceField): boolean => {
    if (key === 'received-spf') return isOfServer(spfServer(readReceivedSpf(raw)), border.hop);
    if (key === 'arc-authentication-results') return isOfServer(readArcResults(raw).server, border.hop);
    if (!RESULTS.includes(key)) return false;
    const { server } = readResults(raw);
    return isOfServer(server, border.hop) && (servers.size === 0 || servers.has(server));
  };
  let end = border.index;
  for (let i = border.index + 1; i < fields.length && BESIDE_RECEIVED.test(fields[i]!.key); i++) if (belongs(fields[i]!)) end = i + 1;
  return collect([...above, ...fields.slice(border.index + 1, end).filter(belongs)], end);
}

const isResults = ({ key }: TraceField): boolean => RESULTS.includes(key);
/** The server that a Received-SPF names: `receiver=`, or what its comment begins with. */
function spfServer({ properties, comment }: MethodResult): string {
  const [written = ''] = /^[^\s:]+(?=:)/.exec(comment) ?? [];
  return [properties.get('receiver') ?? '', written].find((name) => org(name) !== '') ?? '';
}

function isOfServer(server: string, { by }: Hop): boolean {
  const own = org(by);
  if (server === '' || by === '') return false;
  return server === by || (own !== '' && org(server) === own);
}

function withoutTrace(fields: readonly TraceField[]): Believed {
  const first = fields.find(isResults);
  const server = first ? readResults(first.raw).server : '';
  const sameServer = (results: Results) => results.server === server || (org(server) !== '' && org(results.server) === org(server));
  return collect(
    fields.filter((field) => !isResults(field) || sameServer(readResults(field.raw))),
    fields.length,
  );
}

function collect(own: readonly TraceField[], fields: number): Believed {
  const written = RESULTS.map((name) => own.filter(({ key }) => key === name)).find((named) => named.length > 0) ?? [];
  const raws = written.map(({ raw }) => raw);
  const arc = own
    .filter(({ key }) => key === 'arc-authentication-results')
    .map(({ raw }) => readArcResults(raw))
    .toSorted((a, b) => b.instance - a.instance);
  const spf = own.find(({ key }) => key === 'received-spf');
  return {
    fields,
    raws,
    results: raws.flatMap((raw) => readResults(raw).results),
    arc: arc.slice(0, 1).flatMap(({ results }) => results),
    receivedSpf: spf && readReceivedSpf(spf.raw),
  };
}

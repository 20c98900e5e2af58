import { org } from './border.ts';
import type { Hop } from './hop.ts';
import { type MethodResult, readArcResults, readReceivedSpf, readResults } from './results.ts';

/** A field of the header, as `@vedette/intel/mime` reads it. */
export interface TraceField {
  /** Name in lower case. */
  key: string;
  /** Value with its folds, one character for each byte. */
  raw: string;
}

/** The receiver's statements about the message in its header. */
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

/** A field with results about the sender, from any author. */
interface Claim extends TraceField {
  /** Its position among the header's fields. */
  index: number;
  /** The server that it names as its author. */
  server: string;
  results: readonly MethodResult[];
  /** The number of its ARC set; 0 for other fields. */
  instance: number;
}

const ARC = 'arc-authentication-results';
const SPF = 'received-spf';
/** The second is Exchange's for a message that comes back to it over another server; it stands for the first where that is not there. */
const RESULTS = ['authentication-results', 'x-ms-exchange-authentication-results'];

/** No message has so many by right; of more the upper ones are read. */
const CLAIMS_MAX = 50;

/**
 * Fields that a server puts below its own Received, as Postfix does with those of its milters and Google with all: up to the first that is
 * not one of these. The sender's fields follow.
 */
const BESIDE_RECEIVED = /^(?:(?:arc|x)-.*|authentication-results|received-spf|dkim-filter|dmarc-filter|return-path|delivered-to)$/;

/**
 * Picks the receiver's fields: all above its border, and those directly below it down to the last one that names the server at the border.
 * That server must remove results that others wrote under its name (RFC 8601 §5). A message without any Received field was not delivered,
 * or has lost its trace: the topmost results are taken, and those of the same organization.
 */
export function believed(fields: readonly TraceField[], border: { index: number; hop: Hop } | undefined): Believed {
  const claims = fields
    .flatMap(({ key, raw }, index) => (isClaim(key) ? [{ key, raw, index }] : []))
    .slice(0, CLAIMS_MAX)
    .map(readClaim);
  if (border === undefined) return collect(ofFirst(claims), [], fields.length);
  const above = claims.filter(({ index }) => index < border.index);
  const names = new Set(above.filter(({ key }) => RESULTS.includes(key)).map(({ server }) => server));
  const stranger = fields.findIndex(({ key }, index) => index > border.index && !BESIDE_RECEIVED.test(key));
  const below = claims.filter(
    ({ key, server, index }) =>
      index > border.index &&
      (stranger < 0 || index < stranger) &&
      isOfServer(server, border.hop) &&
      (!RESULTS.includes(key) || names.size === 0 || names.has(server)),
  );
  return collect(above, below, (below.at(-1) ?? border).index);
}

const isClaim = (key: string): boolean => key === ARC || key === SPF || RESULTS.includes(key);

function readClaim(field: TraceField & { index: number }): Claim {
  if (field.key === ARC) return { ...field, ...readArcResults(field.raw) };
  if (field.key !== SPF) return { ...field, ...readResults(field.raw), instance: 0 };
  const result = readReceivedSpf(field.raw);
  return { ...field, server: spfServer(result), results: [result], instance: 0 };
}

/** The server that a Received-SPF names: `receiver=`, or what its comment begins with. */
function spfServer({ properties, comment }: MethodResult): string {
  const [written = ''] = /^[^\s:]+(?=:)/.exec(comment) ?? [];
  return [properties.get('receiver') ?? '', written].find((name) => org(name) !== '')?.toLowerCase() ?? '';
}

function isOfServer(server: string, { by }: Hop): boolean {
  const own = org(by);
  if (server === '' || by === '') return false;
  return server === by || (own !== '' && org(server) === own);
}

function ofFirst(claims: readonly Claim[]): Claim[] {
  const first = claims.find(({ key }) => RESULTS.includes(key))?.server ?? '';
  return claims.filter(
    ({ key, server }) => !RESULTS.includes(key) || server === first || (org(first) !== '' && org(server) === org(first)),
  );
}

function collect(above: readonly Claim[], below: readonly Claim[], fields: number): Believed {
  const own = [...above, ...below];
  const written = RESULTS.map((name) => own.filter(({ key }) => key === name)).find((named) => named.length > 0) ?? [];
  const [arc] = own.filter(({ key }) => key === ARC).toSorted((a, b) => b.instance - a.instance);
  return {
    fields,
    raws: written.map(({ raw }) => raw),
    results: resultsOf(written, new Set(below)),
    arc: arc?.results ?? [],
    receivedSpf: own.find(({ key }) => key === SPF)?.results[0],
  };
}

/**
 * All that is told, but below the border each method once: a second field for it, under the same name, may be the sender's. Only DKIM has fields of its own, one behind
 * another, for its signatures: with iCloud and Proton.
 */
function resultsOf(written: readonly Claim[], below: ReadonlySet<Claim>): MethodResult[] {
  const results: MethodResult[] = [];
  for (const [i, claim] of written.entries()) {
    const mayRepeat = !below.has(claim) || (isOfDkim(claim) && i > 0 && isOfDkim(written[i - 1]!));
    const said = mayRepeat ? new Set<string>() : new Set(results.map(({ method }) => method));
    for (const result of claim.results) if (!said.has(result.method)) results.push(result);
  }
  return results;
}

const isOfDkim = ({ results }: Claim): boolean => results.length > 0 && results.every(({ method }) => method === 'dkim');

import {
  defineProbe,
  type DnsAnswer,
  type DnsRecord,
  Enum,
  failure,
  ProbeFailure,
  type ProbePorts,
  type Reason,
  REASONS,
  recordsOf,
  within,
} from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { familyAsked } from '../host/judge-host.ts';
import { askEvery } from './answers.ts';
import { DirectAnswer, DirectServer, SERVER_ASKED } from './direct-schema.ts';
import { askDirectly, unasked } from './direct.ts';
import { parseEndpoints } from './engine/endpoints.ts';
import { presentRecords } from './presentation.ts';
import { traceDown, TraceSteps } from './trace.ts';
import { MAX_TEXT_CHARS } from './wire/name.ts';
import { DNS_QUESTIONS, DNS_TYPE_NAMES, type DnsTypeName, questionName } from './engine/questions.ts';

const MAX_RECORDS = 500;
/** Limit on the JSON of all answers: a final frame holds 256 KiB. */
const MAX_RECORDS_OCTETS = 192 * 1024;
/** Time left of the budget to hand in what was measured. */
const REPORT_MS = 250;

/** The parts of an answer beside its records, of a server that was asked in place of the resolvers. */
export const SaidBeside = {
  flags: Type.Optional(
    Type.Array(Type.String({ maxLength: 2 }), {
      maxItems: 8,
      description: 'Flags of the answer: aa, tc, rd, ra, ad, cd; only with `options.server`',
    }),
  ),
  nsid: Type.Optional(Type.String({ maxLength: 512, description: 'Identifier of the server (RFC 5001); absent if it gave none' })),
  client_subnet: Type.Optional(
    Type.String({ maxLength: 43, description: 'Network for which the server says that the answer is meant; absent if it said none' }),
  ),
};

const TypeAnswer = Type.Object({
  dns_type: Enum(DNS_TYPE_NAMES),
  rcode: Type.String({ description: 'NOERROR without records is "no such record"; empty when nobody answered' }),
  failure: Type.Optional(Type.Object({ reason: Enum(Object.keys(REASONS) as Reason[]), error: Type.String() })),
  records: Type.Array(Type.Union([Type.String(), Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))]), {
    maxItems: MAX_RECORDS,
  }),
  truncated: Type.Optional(Type.Boolean({ description: 'The answer has more records than the report can list' })),
  ttl: Type.Integer({ minimum: 0, description: 'Of the record that expires first, seconds; 0 without records' }),
  server: Type.String({ description: 'The resolver that answered, address:port' }),
  tries: Type.Integer({ minimum: 0 }),
  request_ms: Type.Optional(
    Type.Number({ minimum: 0, description: 'Round trip of the question that was answered; absent from agents before 1.3' }),
  ),
  authority_rrs: Type.Optional(Type.Integer({ minimum: 0, description: 'Records of the authority section' })),
  additional_rrs: Type.Optional(Type.Integer({ minimum: 0, description: 'Records of the additional section' })),
  ...SaidBeside,
});
type TypeAnswer = Static<typeof TypeAnswer>;

/**
 * The records of a name as this vantage point's resolvers give them now, nothing from our own cache. A type that could not be
 * looked up is data; when all failed for one reason the probe throws it, the result being the partial one.
 */
export const dns = defineProbe({
  kind: 'dns',
  references: ['RFC 1035', 'RFC 2308', 'RFC 9460'],
  job: Type.Object({
    host: Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARS }),
    types: Type.Array(Enum(DNS_TYPE_NAMES), { minItems: 1, maxItems: DNS_TYPE_NAMES.length, uniqueItems: true }),
    server: Type.Optional(DirectServer),
    trace: Type.Optional(Type.Boolean({ description: 'The first of `types` is asked for from the root down. Since 1.3' })),
  }),
  result: Type.Object({
    answers: Type.Array(TypeAnswer),
    direct: Type.Optional(DirectAnswer),
    trace: Type.Optional(TraceSteps),
    asked: Type.Optional(Type.String({ maxLength: 64, description: 'Server that was asked in place of the resolvers, address:port' })),
  }),
  min_budget_ms: 500,
  slots: 128,
  family: ({ server }) => server && familyAsked(server),
  contacted({ direct, asked = direct?.server ?? '' }) {
    return asked === '' ? '' : parseEndpoints(asked)[0]!.address;
  },
  since: ({ server, trace }) => (server?.ipv6_first ? '1.4' : trace || (server && isSince13(server)) ? '1.3' : undefined),
  async run({ host, types, server, trace }, ports) {
    if (trace) return await traceType(host, types[0]!, ports);
    if (server?.answers) return await askTypes(host, types, server, ports);
    if (server) return await askServer(host, types[0]!, server, ports);
    ports.limits.dns(host, types.length);
    const outcomes = await askAll(host, types, ports);
    const all = [...outcomes.values()];
    const outcomesOf = (name: DnsTypeName): Outcome[] => {
      const own = outcomes.get(name);
      return own ? [own] : all; // RRSIG beside other types came with theirs
    };
    const answers = fitFrame(types.map((name) => typeAnswer(name, outcomesOf(name))));
    throwCommonFailure(answers, all);
    return { answers };
  },
});

/** Whether agents of 1.2, which know a server, would refuse or ignore a part of it. */
const isSince13 = (server: DirectServer): boolean =>
  server.transport === 'tls' ||
  server.transport === 'https' ||
  Object.keys(server).some((key) => Object.hasOwn(SERVER_ASKED, key) && key !== 'transport') ||
  server.answers === true;

async function traceType(host: string, name: DnsTypeName, ports: ProbePorts) {
  const steps: Static<typeof TraceSteps> = [];
  const question = DNS_QUESTIONS[name];
  const owner = questionName(question, host);
  const outOfTime = () => new ProbeFailure('dns_timeout', steps.at(-1)?.address ?? '');
  try {
    const outcome = await within(ports.clock, Math.max(ports.budget_ms - REPORT_MS, 1), ports.signal, outOfTime, async (signal) =>
      judged(await traceDown(owner, question.type, steps, ports, signal), owner),
    );
    const answers = fitFrame([typeAnswer(name, [outcome])]);
    if (outcome.failed) throw new ProbeFailure(outcome.failed.code, outcome.failed.seen, { partial: { answers, trace: steps } });
    return { answers, trace: steps };
  } catch (error) {
    if (!(error instanceof ProbeFailure) || error.partial !== undefined) throw error;
    throw new ProbeFailure(error.code, error.seen, { cause: error, partial: { answers: [], trace: steps } });
  }
}

async function askTypes(host: string, types: readonly DnsTypeName[], server: DirectServer, ports: ProbePorts) {
  let asked = '';
  const budgetMs = Math.max(ports.budget_ms - REPORT_MS, 1);
  const told = (address: string) => (asked = address);
  try {
    const heard = await askEvery(host, types, server, ports, budgetMs, told);
    const outcomes = [...heard].map(([name, outcome]) => [name, 'answer' in outcome ? judged(outcome.answer, host) : outcome] as const);
    const said = (name: DnsTypeName) => heard.get(name);
    const answers = fitFrame(
      outcomes.map(([name, outcome]) => {
        const one = said(name);
        return { ...typeAnswer(name, [outcome]), ...(one && 'said' in one && one.said) };
      }),
    );
    const all = outcomes.map(([, outcome]) => outcome);
    throwCommonFailure(answers, all, asked);
    return { answers, asked };
  } catch (error) {
    if (!(error instanceof ProbeFailure) || error.partial !== undefined) throw error;
    throw new ProbeFailure(error.code, error.seen, { cause: error, partial: { answers: [], ...(asked !== '' && { asked }) } });
  }
}

async function askServer(
  host: string,
  name: DnsTypeName,
  server: DirectServer,
  ports: ProbePorts,
): Promise<{ answers: []; direct: DirectAnswer }> {
  const direct = unasked(server.transport);
  const question = DNS_QUESTIONS[name];
  const outOfTime = () => new ProbeFailure('dns_timeout', direct.server || server.host);
  try {
    await within(ports.clock, Math.max(ports.budget_ms - REPORT_MS, 1), ports.signal, outOfTime, (signal) =>
      askDirectly(questionName(question, host), question.type, server, direct, ports, signal),
    );
  } catch (error) {
    if (!(error instanceof ProbeFailure)) throw error;
    throw new ProbeFailure(error.code, error.seen, { cause: error, partial: { answers: [], direct } });
  }
  return { answers: [], direct };
}

/** The result of one question. A failure's `seen` is what follows the fixed sentence. */
type Outcome = { answer: DnsAnswer; failed?: ProbeFailure } | { answer?: never; failed: ProbeFailure };

/** Asks everything at once. RRSIG beside other types is not a question of its own: theirs are asked with DO. */
async function askAll(host: string, types: readonly DnsTypeName[], ports: ProbePorts): Promise<Map<DnsTypeName, Outcome>> {
  const dnssec = types.includes('RRSIG') && types.length > 1;
  const queryTypes = dnssec ? types.filter((name) => name !== 'RRSIG') : types;
  const outOfTime = () => new ProbeFailure('dns_timeout', 'the time for the measurement ended');
  return within(ports.clock, Math.max(ports.budget_ms - REPORT_MS, 1), ports.signal, outOfTime, async (signal) => {
    const options = { fresh: true, dnssec, signal };
    const outcomes = queryTypes.map(async (name) => {
      const question = DNS_QUESTIONS[name];
      const owner = questionName(question, host);
      return [name, await outcomeOf(owner, ports.resolver.query(owner, question.type, options), ports)] as const;
    });
    return new Map(await Promise.all(outcomes));
  });
}

function judged(answer: DnsAnswer, owner: string): Outcome {
  if (answer.rcode === 'NOERROR') return { answer };
  return answer.rcode === 'NXDOMAIN'
    ? { answer, failed: new ProbeFailure('dns_nxdomain', owner) }
    : { answer, failed: new ProbeFailure('dns_servfail', `${answer.rcode} from ${answer.server} for ${owner}`) };
}

/** Unlike elsewhere the resolvers are what is looked at: their addresses are told. */
async function outcomeOf(owner: string, query: Promise<DnsAnswer>, { resolver, signal }: ProbePorts): Promise<Outcome> {
  try {
    return judged(await query, owner);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProbeFailure)) throw error;
    if (error.code !== 'dns_timeout' && error.code !== 'dns_servfail') return { failed: error };
    return { failed: new ProbeFailure(error.code, `${error.seen} (resolvers: ${resolver.servers.join(', ')})`, { cause: error }) };
  }
}

/** One type's entry, from the question that succeeded best. */
function typeAnswer(name: DnsTypeName, outcomes: readonly Outcome[]): TypeAnswer {
  const { answer, failed } = outcomes.find((outcome) => !outcome.failed) ?? outcomes.find((outcome) => outcome.answer) ?? outcomes[0]!;
  const found = outcomes.flatMap((outcome) => (outcome.answer ? recordsOf(outcome.answer, DNS_QUESTIONS[name].type) : []));
  return {
    dns_type: name,
    rcode: answer?.rcode ?? '',
    ...(failed && { failure: failure(failed.code, failed.seen) }),
    records: presentRecords(found as DnsRecord[]),
    ttl: found.length === 0 ? 0 : Math.min(...found.map((record) => record.ttl)),
    server: answer?.server ?? '',
    tries: answer?.tries ?? 0,
    ...(answer && { request_ms: answer.rtt_ms, authority_rrs: answer.authorities.length, additional_rrs: answer.additionals.length }),
  };
}

/** Leaves out the records beyond what a frame holds. */
function fitFrame(answers: readonly TypeAnswer[]): TypeAnswer[] {
  let left = MAX_RECORDS_OCTETS;
  return answers.map((answer) => {
    const records = answer.records.slice(0, MAX_RECORDS).filter((record) => {
      const octets = Buffer.byteLength(JSON.stringify(record));
      const fits = octets <= left;
      if (fits) left -= octets;
      return fits;
    });
    return records.length === answer.records.length ? answer : { ...answer, records, truncated: true };
  });
}

function throwCommonFailure(answers: TypeAnswer[], outcomes: readonly Outcome[], asked?: string): void {
  const first = outcomes[0]?.failed;
  if (first && outcomes.every(({ failed }) => failed?.code === first.code))
    throw new ProbeFailure(first.code, first.seen, { partial: { answers, ...(asked !== undefined && { asked }) } });
}

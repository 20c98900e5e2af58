import { API_ERRORS } from '@vedette/contract';
import { BULK_ITEMS_GATE } from '../bulk/bulk.ts';
import { BULK_GATE } from '../bulk/route.ts';
import { CONNECTIONS_GATE, PIPELINING_GATE } from '../door/connections.ts';
import {
  BODY_LENGTH_GATE,
  BODY_ROOM_GATE,
  DRAINING_GATE,
  IN_FLIGHT_GATE,
  OPERATION_RATE_GATE,
  PERMISSION_GATE,
} from '../door/front-door.ts';
import { KEY_GATE, LOCKOUT_GATE } from '../door/key-check.ts';
import { OVERLOAD_GATE, SECOND_OVERLOAD_GATE } from '../door/overload.ts';
import { OPT_OUT_GATE } from '../request/consent.ts';
import { AGENTS_GATE } from '../request/dispatch.ts';
import { PARSER_GATE } from '../request/parsers.ts';
import { CREDITS_GATE } from '../request/payment.ts';
import { DEADLINE_GATE } from '../request/request-lifetime.ts';
import { DNS_BUDGET_GATE, RESOLVERS_GATE } from '../request/service.ts';
import { COOL_DOWN_GATE } from '../shares/cool-down.ts';
import type { GateRow } from '../shares/gate.ts';
import { CONNECTS_GATE, JOBS_GATE, PARSES_GATE, QUESTIONS_GATE, RENDERS_GATE, RESULTS_GATE } from '../shares/pools.ts';
import { CONTACT_RATE_GATE, JOB_RATE_GATE, SPENT_RATES_GATE, ZONE_RATE_GATE } from '../shares/target-rates.ts';
import { TARGETS_GATE } from '../shares/targets.ts';

/** A part of a request's way, and the file that takes it there. */
interface Stage {
  name: string;
  file: string;
  /** The gates in order, each with the code of the file that applies it. */
  gates: readonly (readonly [call: string, gate: GateRow])[];
}

/** All gates that a paid request meets, in order: docs/gates.md. A test holds the order against the files. */
export const GATES: readonly Stage[] = [
  {
    name: 'Connection',
    file: 'packages/gateway/src/http/app.ts',
    gates: [
      ['connections: new Connections(', CONNECTIONS_GATE],
      ['connections.begin(', PIPELINING_GATE],
    ],
  },
  {
    name: 'Front door, before the body is read',
    file: 'packages/gateway/src/door/front-door.ts',
    gates: [
      ['if (state.draining)', DRAINING_GATE],
      ['keys.refuseBlocked(', LOCKOUT_GATE],
      ['= declaredBytes(', BODY_LENGTH_GATE],
      ['overload.enter(', OVERLOAD_GATE],
      ['keys.authenticate(', KEY_GATE],
      ['assertAllowed(account', PERMISSION_GATE],
      ['await takeRate(', OPERATION_RATE_GATE],
      ['= roomFor(', BODY_ROOM_GATE],
      ['underWay.enter(', IN_FLIGHT_GATE],
    ],
  },
  { name: 'Body', file: 'packages/gateway/src/http/operation-route.ts', gates: [['visit.begin()', SECOND_OVERLOAD_GATE]] },
  { name: 'Bulk requests', file: 'packages/gateway/src/bulk/route.ts', gates: [['underWay.enter(', BULK_GATE]] },
  { name: 'Reading', file: 'packages/gateway/src/request/service.ts', gates: [['judgeTargets(operation', TARGETS_GATE]] },
  {
    name: 'Payment',
    file: 'packages/gateway/src/request/service.ts',
    gates: [
      ['refuseEarly(operation, call', RESOLVERS_GATE],
      ['refuseEarly(operation, call', SPENT_RATES_GATE],
      ['await hold(call', CREDITS_GATE],
      ['new RequestLifetime(', DEADLINE_GATE],
      ['shareOf(operation, intel', DNS_BUDGET_GATE],
      ['askOwners(contactedBy', OPT_OUT_GATE],
    ],
  },
  {
    name: 'Items of bulk requests',
    file: 'packages/gateway/src/bulk/bulk.ts',
    gates: [['pools.items.acquire(', BULK_ITEMS_GATE]],
  },
  {
    name: 'Work, each gate as often as the operation needs it',
    file: 'packages/gateway/src/request/outbound-gate.ts',
    gates: [
      ['rates?.question(', ZONE_RATE_GATE],
      ['pools.questions', QUESTIONS_GATE],
      ['pools.connections', CONNECTS_GATE],
      ['rates?.connection(', CONTACT_RATE_GATE],
      ['rates?.jobs(demand.account, demand.targets, count', JOB_RATE_GATE],
      ['pools.jobs(', JOBS_GATE],
      ['pools.renders', RENDERS_GATE],
      ['pools.parses', PARSES_GATE],
      ['pools.results', RESULTS_GATE],
    ],
  },
  {
    name: 'Agents',
    file: 'packages/gateway/src/request/dispatch.ts',
    gates: [
      ['coolDown?.begin(', COOL_DOWN_GATE],
      ['refuseEmpty(', AGENTS_GATE],
    ],
  },
  { name: 'Parsers', file: 'packages/gateway/src/request/parsers.ts', gates: [['parsers.read(', PARSER_GATE]] },
];

/** The table of docs/gates.md. */
export function gatesTable(): string {
  let step = 0;
  const rows = GATES.flatMap(({ name: stage, gates }) => [
    `| | **${stage}** | | | | |`,
    ...gates.map(([, { name, limits, limit, codes, instead, cause }]) => {
      const refusal = codes.map((code) => `\`${code}\` ${API_ERRORS[code].status}`).concat(instead ?? []);
      return `| ${++step} | ${name} | ${limits} | ${limit} | ${refusal.join(', ')} | ${cause} |`;
    }),
  ]);
  return ['| | gate | what is limited | limit | refusal | cause |', '|---|---|---|---|---|---|', ...rows].join('\n');
}

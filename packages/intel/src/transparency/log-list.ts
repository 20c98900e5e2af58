import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';

/** States of a log in Chrome, of which `pending` and `rejected` count for nothing. */
export const LOG_STATES = ['pending', 'qualified', 'usable', 'readonly', 'retired', 'rejected'] as const;

/** A log of Certificate Transparency. */
export interface TransparencyLog {
  name: string;
  operator: string;
  /** Operators before, with the end of their time, the earliest first. */
  earlier: readonly { operator: string; until: Date }[];
  /** RSA, or ECDSA on P-256. */
  key: KeyObject;
  state: (typeof LOG_STATES)[number];
  /** Begin of the state. */
  since: Date;
}

export interface LogList {
  published: Date;
  /** Logs by their id: the SHA-256 of the key, in hexadecimal. */
  logs: ReadonlyMap<string, TransparencyLog>;
  /** Number of entries that are malformed, or whose id is not of their key. */
  unreadable: number;
}

const Instant = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' });
const Entry = Type.Object({
  description: Type.Optional(Type.String({ maxLength: 200 })),
  log_id: Type.String({ maxLength: 44 }),
  key: Type.String({ maxLength: 2_000 }),
  state: Type.Optional(Type.Partial(Type.Record(Type.Enum(LOG_STATES), Type.Object({ timestamp: Instant })))),
  previous_operators: Type.Optional(
    Type.Array(Type.Object({ name: Type.String({ maxLength: 200 }), end_time: Instant }), { maxItems: 20 }),
  ),
});
const Entries = Type.Array(Type.Unknown(), { maxItems: 2_000 });
/** https://www.gstatic.com/ct/log_list/v3/log_list_schema.json, the part of it that is used. */
const List = Type.Object({
  log_list_timestamp: Instant,
  operators: Type.Array(Type.Object({ name: Type.String({ maxLength: 200 }), logs: Entries, tiled_logs: Type.Optional(Entries) }), {
    maxItems: 500,
  }),
});
const isEntry = Compile(Entry);
const isList = Compile(List);

/** Reads Google's list of logs, version 3. Undefined for another document. */
export function readLogList(text: string): LogList | undefined {
  const document = parsed(text);
  if (!isList.Check(document)) return undefined;
  const logs = new Map<string, TransparencyLog>();
  let unreadable = 0;
  for (const { name, logs: ordinary, tiled_logs: tiled = [] } of document.operators)
    for (const entry of [...ordinary, ...tiled]) {
      const log = isEntry.Check(entry) ? logOf(entry, name) : undefined;
      if (log) logs.set(...log);
      else unreadable++;
    }
  return { published: new Date(document.log_list_timestamp), logs, unreadable };
}

/** Name of the operator at the time of a promise. */
export const operatorAt = ({ operator, earlier }: TransparencyLog, time: Date): string =>
  earlier.find(({ until }) => time < until)?.operator ?? operator;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function logOf(entry: Static<typeof Entry>, operator: string): [id: string, TransparencyLog] | undefined {
  const octets = Buffer.from(entry.key, 'base64');
  const id = createHash('sha256').update(octets).digest();
  const key = keyOf(octets);
  if (!key || id.toString('base64') !== entry.log_id) return undefined;
  const state = LOG_STATES.find((word) => entry.state?.[word] !== undefined) ?? 'pending';
  const earlier = (entry.previous_operators ?? []).map(({ name, end_time }) => ({ operator: name, until: new Date(end_time) }));
  return [
    id.toString('hex'),
    {
      name: entry.description ?? '',
      operator,
      earlier: earlier.sort((a, b) => a.until.getTime() - b.until.getTime()),
      key,
      state,
      since: new Date(entry.state?.[state]?.timestamp ?? 0),
    },
  ];
}

/** RFC 6962 §2.1.4: RSA, or ECDSA on P-256. */
function keyOf(octets: Buffer): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: octets, format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'rsa' || key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    return undefined; // OpenSSL's word that these octets are not a key
  }
}

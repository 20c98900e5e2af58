import { type TObject, Type } from 'typebox';
import { EngineList, FeedList, FLEET } from '../operators/fleet-schema.ts';
import {
  CreateBody,
  KeyList,
  KeysQuery,
  NewKey,
  RevokeBody,
  RevokedKey,
  RotateKeyBody,
  Usage,
  UsageQuery,
} from '../operators/key-schema.ts';
import { Permissions } from '../operators/permissions.ts';
import { errorResponses } from './common.ts';
import type { NamedSchemas } from './named-schemas.ts';
import { tagOf } from './tags.ts';

const READ = [400, 401, 403, 408, 413, 429, 500, 503];
const CHANGE = [400, 401, 403, 408, 413, 415, 429, 500, 503];

interface Described {
  operationId: string;
  summary: string;
  description: string;
  answer: TObject;
}

interface Read extends Described {
  query?: TObject;
}

interface Change extends Described {
  body: TObject;
  example: object;
}

/** `locations`: the schema of GET /v2/locations. */
const reads = (locations: TObject): Record<string, Read> => ({
  '/v2/fleet': {
    operationId: 'fleet',
    summary: 'Show locations, agents and renderers',
    description: 'For operators. Agents and renderers are shown as the gateway that answers hears them.',
    answer: Type.Object({ ...locations.properties, ...FLEET }, { title: 'Fleet' }),
  },
  '/v2/feeds': {
    operationId: 'feeds',
    summary: 'Show the feeds',
    description: 'For operators. Shows the lists that reports are made from, as the gateway that answers has them.',
    answer: FeedList,
  },
  '/v2/engines': {
    operationId: 'engines',
    summary: 'Show the blacklist engines',
    description: 'For operators. Shows the health of engines as the gateway that answers sees it.',
    answer: EngineList,
  },
  '/v2/permissions': {
    operationId: 'permissions',
    summary: 'Show the operations that the client may use',
    description: 'Every key may read its own permissions. Operations that this service does not offer are not listed.',
    answer: Permissions,
  },
  '/v2/keys': {
    operationId: 'keys',
    summary: 'List API keys',
    description: 'Lists the keys of the own account. Operators see the keys of all accounts. Secrets are not stored, and not shown.',
    answer: KeyList,
    query: KeysQuery,
  },
  '/v2/usage': {
    operationId: 'usage',
    summary: 'Show credits by day, operation and key',
    description: 'Shows the charges of the own account by UTC day. Operators see all accounts, or one.',
    answer: Usage,
    query: UsageQuery,
  },
});

const KEY_ID = 'abcdefghijklmnop';

const CHANGES: Readonly<Record<string, Change>> = {
  '/v2/keys': {
    operationId: 'create-key',
    summary: 'Create an API key',
    description:
      'For operators. The answer is the only one with the whole key. A key of an operator is made by the command `vedette keys create` alone.',
    body: CreateBody,
    example: { account: 'acct_0123456789ab', name: 'website', expires_in_days: 365, allowed_cidrs: ['192.0.2.0/24'] },
    answer: NewKey,
  },
  '/v2/keys/rotate': {
    operationId: 'rotate-key',
    summary: 'Replace an API key',
    description:
      'For operators. Creates a key with the rights and lifetime of the old one. The old key is accepted until the overlap ends. Keys of operators are rotated by the command `vedette keys rotate` alone.',
    body: RotateKeyBody,
    example: { id: KEY_ID, overlap_hours: 24 },
    answer: NewKey,
  },
  '/v2/keys/revoke': {
    operationId: 'revoke-key',
    summary: 'Revoke an API key',
    description: 'For operators. Every gateway refuses the key within a second. Requests under way end, and are paid.',
    body: RevokeBody,
    example: { id: KEY_ID },
    answer: RevokedKey,
  },
};

/** The paths for operators, and those by which an account sees its own keys and usage. `locations`: the schema of GET /v2/locations. */
export function operatorPaths(named: NamedSchemas, locations: TObject): Record<string, object> {
  const tags = [tagOf('operators')];
  const responses = ({ answer, summary }: Described, statuses: readonly number[]): object => ({
    200: { description: summary, content: { 'application/json': { schema: named.refer(answer) } } },
    ...errorResponses(statuses.map(String)),
  });
  const get = (read: Read): object => {
    const { operationId, summary, description, query } = read;
    return { operationId, tags, summary, description, parameters: parametersOf(named, query), responses: responses(read, READ) };
  };
  const post = (change: Change): object => {
    const { operationId, summary, description, body, example } = change;
    const content = { 'application/json': { schema: named.refer(body), examples: { example1: { value: example } } } };
    return { operationId, tags, summary, description, requestBody: { required: true, content }, responses: responses(change, CHANGE) };
  };
  const paths: Record<string, object> = {};
  for (const [path, read] of Object.entries(reads(locations))) paths[path] = { get: get(read) };
  for (const [path, change] of Object.entries(CHANGES)) paths[path] = { ...paths[path], post: post(change) };
  return paths;
}

const parametersOf = (named: NamedSchemas, query: TObject = Type.Object({})): object[] =>
  Object.entries(query.properties).map(([name, part]) => {
    const { description, ...schema } = named.refer(part);
    return { name, in: 'query', required: false, description, schema };
  });

import type { Operation } from '@vedette/operations/kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import { JSON_TYPE, setQuota } from '../door/answer-headers.ts';
import type { Admitted } from '../door/front-door.ts';
import { NO_BODY } from '../http/operation-route.ts';
import { parseBody } from '../http/strict-json.ts';
import type { Parts } from '../request/parts.ts';
import { parameterCheck } from '../request/validate.ts';
import { fleetView } from './fleet-view.ts';
import { CreateBody, KeysQuery, RevokeBody, RotateKeyBody, UsageQuery } from './key-schema.ts';
import { keyDesk, KEYS, permissionsOf, USAGE } from './keys.ts';
import { permissionsFor } from './permissions.ts';

/** The methods by path. */
export const OPERATOR_PATHS: readonly (readonly [path: string, methods: string])[] = [
  ['/v2/permissions', 'GET, HEAD'],
  ['/v2/fleet', 'GET, HEAD'],
  ['/v2/feeds', 'GET, HEAD'],
  ['/v2/engines', 'GET, HEAD'],
  ['/v2/keys', 'GET, HEAD, POST'],
  ['/v2/keys/rotate', 'POST'],
  ['/v2/keys/revoke', 'POST'],
  ['/v2/usage', 'GET, HEAD'],
];

/** How often an account may have its keys, or its usage, read from the database. */
const LOOKS = { requests: 20, per_s: 20 };
const NOTHING = Type.Object({}, { additionalProperties: false });
/** The rate of a list in memory, which is not limited. */
const NO_RATE = { per_s: 0, burst: 0 };

/** Registers the paths for operators, and those by which a client sees what it may, and its account's keys and usage. */
export function registerOperators(app: FastifyInstance, parts: Parts, operations: readonly Operation[]): void {
  const { ledger, intel, config, feeds } = parts;
  const desk = keyDesk(parts, permissionsOf(operations));

  /** The handler that answers with what `answer` makes of a checked query, or body. */
  function answering<S extends TObject>(schema: S, answer: (client: Admitted, input: Static<S>) => object | Promise<object>) {
    const check = parameterCheck(schema);
    return async (request: FastifyRequest<{ Querystring: Record<string, unknown> }>, reply: FastifyReply) => {
      const client = request.admitted!;
      const input = request.method === 'POST' ? parseBody(request.bodyBytes ?? NO_BODY) : { ...request.query };
      const result = await answer(client, check(input));
      setQuota(reply, ledger, client.account, 0);
      return reply.headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store' }).send(JSON.stringify(result));
    };
  }

  const watched = (path: string, view: () => object) =>
    app.get(path, { config: { role: 'operator' }, exposeHeadRoute: true }, answering(NOTHING, view));
  watched('/v2/fleet', () => fleetView(parts));
  watched('/v2/feeds', () => ({ feeds: feeds.status() }));
  const rates = new Map(config.engines.map(({ id, zone, rate }) => [id, zone === undefined ? NO_RATE : rate]));
  watched('/v2/engines', () => ({
    engines: intel.blacklists.status().map((engine) => ({ ...engine, ...(rates.get(engine.id) ?? NO_RATE) })),
  }));

  app.get(
    '/v2/permissions',
    { config: { role: 'viewer' }, exposeHeadRoute: true },
    answering(NOTHING, (client) => permissionsFor(client, operations)),
  );
  const own = (name: string) => ({ config: { role: 'viewer' as const, limit: { name, ...LOOKS } }, exposeHeadRoute: true });
  app.get('/v2/keys', own(KEYS), answering(KeysQuery, desk.list));
  app.get('/v2/usage', own(USAGE), answering(UsageQuery, desk.usage));
  const change = { config: { role: 'operator' as const, json: true } };
  app.post('/v2/keys', change, answering(CreateBody, desk.create));
  app.post('/v2/keys/rotate', change, answering(RotateKeyBody, desk.rotate));
  app.post('/v2/keys/revoke', change, answering(RevokeBody, desk.revoke));
}

import { ApiError } from '@vedette/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE } from '../door/answer-headers.ts';
import { assertSameOrigin, cookieIn, sessionIn, setCookie } from '../door/session-cookie.ts';
import type { Parts } from '../request/parts.ts';
import { ownPath, PENDING_S, pendingSeal } from './pending.ts';
import { CALLBACK, type Provider } from './provider.ts';

export const SIGN_IN_PATHS = { me: '/auth/me', login: '/auth/login', callback: CALLBACK, logout: '/auth/logout' } as const;

/** Why a person who came back is not signed in, as the console explains it. */
type Failure = 'expired' | 'refused' | 'no_role' | 'unavailable';

const OPEN = { config: { open: true, page: true } };

/** The paths by which people sign in to the console, and out again. Without a provider there is only the one that says so. */
export function registerSignIn(app: FastifyInstance, parts: Parts): void {
  const { provider } = parts;
  if (!provider) {
    app.get(SIGN_IN_PATHS.me, OPEN, (_request, reply) => answer(reply, { sign_in: 'off', person: null }));
    return;
  }
  const { signIn } = provider;
  app.get(SIGN_IN_PATHS.me, OPEN, async (request, reply) =>
    answer(reply, {
      sign_in: provider.problem === undefined ? 'ready' : 'unavailable',
      login: `${signIn.origin}${SIGN_IN_PATHS.login}`,
      provider: signIn.issuer.hostname,
      person: await personOf(request, parts, provider),
    }),
  );
  const seal = pendingSeal(signIn.secret, () => parts.clock.today?.() ?? new Date());
  app.get<{ Querystring: { return_to?: unknown } }>(SIGN_IN_PATHS.login, OPEN, async (request, reply) => {
    const { url, pending } = await provider.begin(ownPath(request.query.return_to, signIn.origin));
    return leadTo(reply, url.href, [setCookie(signIn, 'sign-in', seal.seal(pending), PENDING_S)]);
  });
  app.get(SIGN_IN_PATHS.callback, OPEN, comingBack(parts, provider, seal));
  app.post(SIGN_IN_PATHS.logout, OPEN, async (request, reply) => {
    assertSameOrigin(request.raw, signIn);
    const id = cookieIn(request.headers, signIn, 'session');
    if (id !== undefined) await parts.ledger.sessions.close(id);
    reply.header('set-cookie', setCookie(signIn, 'session', ''));
    return answer(reply, { continue_at: (await provider.endSessionUrl()) ?? `${signIn.origin}/` });
  });
}

/** Answers a person whom the provider has led back. */
function comingBack({ ledger, log, metrics }: Parts, provider: Provider, seal: ReturnType<typeof pendingSeal>) {
  const { signIn } = provider;
  const failed = (reply: FastifyReply, failure: Failure): FastifyReply => {
    metrics.signIns.inc({ outcome: failure });
    return leadTo(reply, `${signIn.origin}/?sign_in=${failure}`, [setCookie(signIn, 'sign-in', '')]);
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const pending = seal.open(cookieIn(request.headers, signIn, 'sign-in') ?? '');
    if (!pending) return failed(reply, 'expired');
    try {
      const { role, ...person } = await provider.finish(request.url, pending);
      if (role === undefined) {
        log.info({ request_id: request.id, person: person.subject }, 'a person without a role was refused');
        return failed(reply, 'no_role');
      }
      // A new id at every sign-in, never one that was there before.
      const id = await ledger.sessions.open({ ...person, role });
      const before = cookieIn(request.headers, signIn, 'session');
      if (before !== undefined) await ledger.sessions.close(before);
      metrics.signIns.inc({ outcome: 'signed_in' });
      log.info({ request_id: request.id, person: person.subject, role }, 'a person signed in');
      return leadTo(reply, `${signIn.origin}${pending.returnTo}`, [setCookie(signIn, 'sign-in', ''), setCookie(signIn, 'session', id)]);
    } catch (err) {
      log.warn({ request_id: request.id, err }, 'a person could not sign in');
      return failed(reply, err instanceof ApiError ? 'unavailable' : 'refused');
    }
  };
}

/** The person whose browser asks; null for a stranger. */
async function personOf(request: FastifyRequest, { ledger }: Parts, { signIn }: Provider): Promise<object | null> {
  const id = sessionIn(request.raw, signIn);
  if (id === undefined) return null;
  try {
    const { id: account, person } = await ledger.sessions.find(id);
    return { name: person?.name, role: person?.role, account };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'session_ended') return null;
    throw error;
  }
}

const answer = (reply: FastifyReply, body: object): FastifyReply =>
  reply.headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store' }).send(JSON.stringify(body));

const leadTo = (reply: FastifyReply, url: string, cookies: readonly string[]): FastifyReply =>
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'set-cookie': [...cookies] }).redirect(url, 303);

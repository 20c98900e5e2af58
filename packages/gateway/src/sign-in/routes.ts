import { ApiError } from '@vedette/contract';
import { networkOf } from '@vedette/ledger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE } from '../door/answer-headers.ts';
import { UnderWay } from '../door/front-door.ts';
import { assertSameOrigin, cookieIn, sessionIn, sessionSigner, setCookie } from '../door/session-cookie.ts';
import type { Signer } from '../door/signed-text.ts';
import type { Parts } from '../request/parts.ts';
import { ownPath, PENDING_S, pendingSeal } from './pending.ts';
import { CALLBACK, type Provider } from './provider.ts';

export const SIGN_IN_PATHS = { me: '/auth/me', login: '/auth/login', callback: CALLBACK, logout: '/auth/logout' } as const;

/** Why a person who came back is not signed in, as the console explains it. */
type Failure = 'expired' | 'refused' | 'no_role' | 'unavailable';

/** Sign-ins of one network that wait for the provider at once: strangers can begin and end them, too. */
const MAX_WAITING = 32;
/** A reason is logged so often: strangers may fail by the thousand. */
const TELL_EVERY_MS = 1_000;

const OPEN = { config: { open: true, page: true } };

/** The paths by which people sign in to the console, and out again. Without a provider there is only the one that says so. */
export function registerSignIn(app: FastifyInstance, parts: Parts): void {
  const { provider } = parts;
  if (!provider) {
    app.get(SIGN_IN_PATHS.me, OPEN, (_request, reply) => answer(reply, { sign_in: 'off', person: null }));
    return;
  }
  const { signIn } = provider;
  const sessions = sessionSigner(signIn.secret);
  const waiting = waitingAtProvider(parts);
  app.get(SIGN_IN_PATHS.me, OPEN, async (request, reply) =>
    answer(reply, {
      sign_in: provider.problem === undefined ? 'ready' : 'unavailable',
      login: `${signIn.origin}${SIGN_IN_PATHS.login}`,
      provider: signIn.issuer.hostname,
      person: await personOf(request, parts, { signIn, sessions }),
    }),
  );
  const seal = pendingSeal(signIn.secret, () => parts.clock.today?.() ?? new Date());
  app.get<{ Querystring: { return_to?: unknown } }>(SIGN_IN_PATHS.login, OPEN, async (request, reply) => {
    const { url, pending } = await waiting(request, () => provider.begin(ownPath(request.query.return_to, signIn.origin)));
    return leadTo(reply, url.href, [setCookie(signIn, 'sign-in', seal.seal(pending), PENDING_S)]);
  });
  app.get(SIGN_IN_PATHS.callback, OPEN, comingBack(parts, { provider, seal, sessions, waiting }));
  app.post(SIGN_IN_PATHS.logout, OPEN, async (request, reply) => {
    assertSameOrigin(request.raw, signIn);
    const id = sessions.verified(cookieIn(request.headers, signIn, 'session') ?? '');
    if (id !== undefined) await parts.ledger.sessions.close(id);
    reply.header('set-cookie', setCookie(signIn, 'session', ''));
    return answer(reply, { continue_at: (await provider.endSessionUrl()) ?? `${signIn.origin}/` });
  });
}

interface SignInParts {
  provider: Provider;
  seal: ReturnType<typeof pendingSeal>;
  sessions: Signer;
  waiting: ReturnType<typeof waitingAtProvider>;
}

/** Waits for what the provider is asked. Throws `ApiError` rate_limited where too many of the client's network wait. */
function waitingAtProvider({ addresses, config }: Parts) {
  const underWay = new UnderWay(config.settings.VEDETTE_LIMITS === 'on' ? MAX_WAITING : Infinity, 'sign-ins');
  return async <T>({ raw: { headers, socket } }: FastifyRequest, ask: () => Promise<T>): Promise<T> => {
    const address = addresses.read(socket.remoteAddress ?? '', headers['x-forwarded-for']?.toString());
    const countOff = underWay.enter(networkOf(address), () => undefined);
    return await ask().finally(countOff);
  };
}

/** Answers a person whom the provider has led back. */
function comingBack({ clock, ledger, log, metrics }: Parts, { provider, seal, sessions, waiting }: SignInParts) {
  const { signIn } = provider;
  let quietUntil = -Infinity;
  const failed = (reply: FastifyReply, failure: Failure): FastifyReply => {
    metrics.signIns.inc({ outcome: failure });
    return leadTo(reply, `${signIn.origin}/?sign_in=${failure}`, [setCookie(signIn, 'sign-in', '')]);
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const pending = seal.open(cookieIn(request.headers, signIn, 'sign-in') ?? '');
    if (!pending) return failed(reply, 'expired');
    try {
      const { role, ...person } = await waiting(request, () => provider.finish(request.url, pending));
      if (role === undefined) {
        log.info({ request_id: request.id, person: person.subject }, 'a person without a role was refused');
        return failed(reply, 'no_role');
      }
      // A new id at every sign-in, never one that was there before.
      const id = await ledger.sessions.open({ ...person, role });
      const before = sessions.verified(cookieIn(request.headers, signIn, 'session') ?? '');
      if (before !== undefined) await ledger.sessions.close(before);
      metrics.signIns.inc({ outcome: 'signed_in' });
      log.info({ request_id: request.id, person: person.subject, role }, 'a person signed in');
      return leadTo(reply, `${signIn.origin}${pending.returnTo}`, [
        setCookie(signIn, 'sign-in', ''),
        setCookie(signIn, 'session', sessions.sign(id)),
      ]);
    } catch (err) {
      if (clock.now() >= quietUntil) {
        quietUntil = clock.now() + TELL_EVERY_MS;
        log.warn({ request_id: request.id, err }, 'a person could not sign in');
      }
      return failed(reply, err instanceof ApiError ? 'unavailable' : 'refused');
    }
  };
}

/** The person whose browser asks; null for a stranger. */
async function personOf(
  request: FastifyRequest,
  { ledger }: Parts,
  { signIn, sessions }: { signIn: Provider['signIn']; sessions: Signer },
): Promise<object | null> {
  try {
    const id = sessionIn(request.raw, signIn, sessions);
    if (id === undefined) return null;
    const { id: account, keyId, person } = await ledger.sessions.find(id);
    return { id: keyId, name: person?.name, role: person?.role, account };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'session_ended') return null;
    throw error;
  }
}

const answer = (reply: FastifyReply, body: object): FastifyReply =>
  reply.headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store' }).send(JSON.stringify(body));

const leadTo = (reply: FastifyReply, url: string, cookies: readonly string[]): FastifyReply =>
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'set-cookie': [...cookies] }).redirect(url, 303);

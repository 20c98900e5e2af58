import { ApiError, type Clock, ProbeFailure, shown } from '@vedette/contract';
import { type Ledger, type Role, ROLES } from '@vedette/ledger';
import { requestOnce } from '@vedette/probes/fetch';
import type { Log } from '@vedette/process/log';
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import type { GatewayConfig, GatewaySettings } from '../config/config.ts';
import type { SignIn } from '../config/sign-in.ts';
import type { SharedPorts } from '../intel/ports.ts';
import { madeOnce } from '../pages/static-file.ts';
import type { Pending } from './pending.ts';

/** Documents and tokens of providers have some KB. */
const MAX_BYTES = 256 * 1024;
const REQUEST_S = 10;
const RETRY_MS = 30_000;
/** A person who tries again sooner is told what was found before. */
const FRESH_MS = 2_000;
const CLOCK_TOLERANCE_S = 30;
const MAX_NAME_CHARS = 100;

export const CALLBACK = '/auth/callback';

/** The person whom a provider names. */
interface NamedPerson {
  subject: string;
  name: string;
  role: Role | undefined;
}

interface ProviderDeps {
  ports: SharedPorts;
  ledger: Ledger;
  log: Log;
}

/** The operator's OpenID provider. Signing in waits for it, and nothing else does. */
export class Provider {
  readonly signIn: SignIn;
  readonly #settings: GatewaySettings;
  readonly #deps: ProviderDeps;
  readonly #clock: Clock;
  readonly #library = madeOnce(() => import('openid-client'));
  readonly #end = new AbortController();
  #configuration: Configuration | undefined;
  #asking: Promise<Configuration> | undefined;
  #asked = -Infinity;
  #problem = 'it was not asked yet';

  constructor(signIn: SignIn, settings: GatewaySettings, deps: ProviderDeps) {
    this.signIn = signIn;
    this.#settings = settings;
    this.#deps = deps;
    this.#clock = deps.ports.clock;
  }

  /** Why people cannot sign in; undefined while they can. */
  get problem(): string | undefined {
    return this.#configuration ? undefined : this.#problem;
  }

  /** Asks the provider who it is, again and again until it says so. */
  async start(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted && !this.#configuration) {
      await this.#discovered().catch(() => undefined);
      if (!this.#configuration) await this.#clock.sleep(RETRY_MS, signal).catch(() => undefined);
    }
  }

  stop(): void {
    this.#end.abort();
  }

  /** Where a person signs in. Throws `ApiError` sign_in_unavailable. */
  async begin(returnTo: string): Promise<{ url: URL; pending: Pending }> {
    const configuration = await this.#discovered();
    const oidc = await this.#library();
    const pending = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier(), returnTo };
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: `${this.signIn.origin}${CALLBACK}`,
      scope: this.#settings.VEDETTE_OIDC_SCOPES,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    });
    return { url, pending };
  }

  /**
   * The person who comes back from the provider to `path` of ours; without a role where none of the groups has one. Rejects where the answer is
   * not one to this sign-in, or the token is not by the provider, for us, and of now. Throws `ApiError` sign_in_unavailable where the provider does not answer.
   */
  async finish(path: string, { state, nonce, verifier }: Pending): Promise<NamedPerson> {
    const configuration = await this.#discovered();
    const oidc = await this.#library();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await oidc.authorizationCodeGrant(configuration, new URL(path, this.signIn.origin), checks).catch((cause: unknown) => {
      throw isOutage(cause) ? new ApiError('sign_in_unavailable', '', { cause }) : cause;
    });
    const claims: Readonly<Record<string, unknown>> = { ...tokens.claims() };
    const { sub } = claims;
    if (typeof sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(sub)) throw new Error('the ID token has an odd sub');
    const name = [claims['preferred_username'], claims['email'], claims['name'], sub].find(
      (text) => typeof text === 'string' && text !== '',
    );
    return { subject: sub, name: shown(String(name), MAX_NAME_CHARS), role: this.#roleIn(claims) };
  }

  /** Where the provider ends its own session (OpenID Connect RP-Initiated Logout 1.0); undefined where it does not say. */
  async endSessionUrl(): Promise<string | undefined> {
    const configuration = this.#configuration;
    if (configuration?.serverMetadata().end_session_endpoint === undefined) return undefined;
    const oidc = await this.#library();
    return oidc.buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${this.signIn.origin}/` }).href;
  }

  #roleIn(claims: Readonly<Record<string, unknown>>): Role | undefined {
    const name = this.#settings.VEDETTE_OIDC_GROUPS_CLAIM;
    const groups = new Set<unknown>(['*', ...(Object.hasOwn(claims, name) ? [claims[name]].flat() : [])]);
    return ROLES.findLast((role) => this.signIn.roles.some(([group, its]) => its === role && groups.has(group)));
  }

  /** Throws `ApiError` sign_in_unavailable. */
  async #discovered(): Promise<Configuration> {
    if (this.#configuration) return this.#configuration;
    const retryAfterS = RETRY_MS / 1000;
    if (!this.#asking && this.#clock.now() - this.#asked < FRESH_MS) throw new ApiError('sign_in_unavailable', '', { retryAfterS });
    this.#asking ??= this.#discover().finally(() => {
      this.#asking = undefined;
      this.#asked = this.#clock.now();
    });
    return this.#asking.catch((cause: unknown) => {
      throw new ApiError('sign_in_unavailable', '', { retryAfterS, cause });
    });
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, secret } = this.signIn;
    const { log } = this.#deps;
    const oidc = await this.#library();
    const plain = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
    // RFC 6749 §2.3.1: a provider that says nothing takes it in the header.
    const authentication: ClientAuth = (as, ...request) => {
      const inHeader = as.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true;
      return (inHeader ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret))(as, ...request);
    };
    try {
      const configuration = await oidc.discovery(issuer, clientId, { [oidc.clockTolerance]: CLOCK_TOLERANCE_S }, authentication, {
        execute: [...plain, oidc.enableNonRepudiationChecks],
        timeout: REQUEST_S,
        [oidc.customFetch]: this.#fetch,
      });
      const { authorization_endpoint = '', end_session_endpoint = issuer.href } = configuration.serverMetadata();
      // People are led there.
      for (const url of [authorization_endpoint, end_session_endpoint])
        if (!this.#schemes.some((scheme) => URL.parse(url)?.protocol === scheme)) throw new Error('an endpoint for people is not https');
      log.info({ issuer: issuer.href }, 'people can sign in');
      return (this.#configuration = configuration);
    } catch (err) {
      this.#problem = shown(err instanceof Error ? err.message : '', MAX_NAME_CHARS);
      log.warn({ err, issuer: issuer.href }, 'people cannot sign in: the OpenID provider does not answer as it should');
      throw err;
    }
  }

  get #schemes(): ('https:' | 'http:')[] {
    return this.signIn.issuer.protocol === 'http:' ? ['https:', 'http:'] : ['https:'];
  }

  /** Asks through our dialler. */
  readonly #fetch: CustomFetch = async (url, { method, headers, body, signal }) => {
    const { ports, ledger } = this.#deps;
    const {
      status,
      headers: answered,
      body: bytes,
    } = await requestOnce({
      ...ports,
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      requestFields: Object.fromEntries(new Headers(headers)),
      body: body instanceof URLSearchParams ? Buffer.from(body.toString()) : undefined,
      maxBytes: MAX_BYTES,
      timeout_ms: REQUEST_S * 1000,
      schemes: this.#schemes,
      server: this.signIn.server,
      isDenied: ledger.isDenied,
      signal: AbortSignal.any([this.#end.signal, ...(signal ? [signal] : [])]),
    });
    return new Response(bytes.length === 0 ? null : bytes, { status, headers: answered });
  };
}

/** Whether the provider did not answer, or said that it cannot: it refused no person. */
function isOutage(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { cause } = thrown;
  return (
    cause instanceof ProbeFailure ||
    ('code' in thrown && thrown.code === 'OAUTH_TIMEOUT') ||
    (cause instanceof Response && cause.status >= 500)
  );
}

/** Begins to ask the operator's provider, if there is one. Nothing waits for it. */
export function openProvider(
  { signIn, settings }: GatewayConfig,
  { opened, ...deps }: ProviderDeps & { opened: AsyncDisposableStack },
): Provider | undefined {
  if (!signIn) return undefined;
  const provider = opened.adopt(new Provider(signIn, settings, deps), (open) => open.stop());
  void provider.start();
  return provider;
}

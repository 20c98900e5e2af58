import { parseHttpUrl, type ParsedHost, type ParsedUrl, ProbeFailure } from '@vedette/contract';
import type { Static, TObject } from 'typebox';
import type { HttpAsked } from './detail-schema.ts';
import { GET, type HttpRequest, type RequestFields } from './wire/message.ts';
import { parseTarget } from './target.ts';

type HttpAskedJob = Static<TObject<typeof HttpAsked>>;

/** Fields that all our requests carry: no secret of any origin. */
const HARMLESS: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent']);
/**
 * Fields of the connection, or of the length of a body: with them, two parties could read one request in two ways (RFC 9112 §11.2, RFC 9113
 * §8.2.2).
 */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The first field that only the connection may have. */
export const connectionField = (fields: Readonly<Record<string, string>>): string | undefined =>
  Object.keys(fields).find((name) => OF_THE_CONNECTION.has(name.toLowerCase()));

/** The request of a job, and what becomes of it along its redirects. Its own fields leave for its own origin, and never again once it was left. */
export class JobRequest {
  readonly #origin: string;
  readonly #fields: RequestFields;
  readonly #host: string | undefined;
  readonly #certificateOf: ParsedHost | undefined;
  readonly #target: Pick<ParsedUrl, 'url' | 'basic'>;
  #own = true;
  #request: HttpRequest;

  /** `token` is that of the job's `oauth2`. Throws `ProbeFailure` unsupported for a field that a job may not send, blocked_policy for an invalid host. */
  constructor(url: string, job: HttpAskedJob, token?: string) {
    const target = parseTarget(url);
    this.#origin = target.url.origin;
    this.#target = job.basic === undefined ? target : { ...target, basic: job.basic };
    const { host, ...fields } = lowerCase(job.headers ?? {});
    const refused = connectionField(fields);
    if (refused !== undefined) throw new ProbeFailure('unsupported', refused);
    // A size is compared with what the server says of it: as it is, unless the job asks for a coding.
    this.#fields = {
      ...(job.detail && { 'accept-encoding': 'identity' }),
      ...fields,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    this.#host = host;
    const certificateOf = job.server_name ?? host;
    this.#certificateOf = certificateOf === undefined ? undefined : hostOf(certificateOf);
    this.#request = job.method === undefined && job.body === undefined ? GET : { method: job.method ?? 'GET', body: bodyOf(job.body) };
  }

  /** Names besides that of the URL which a server is told. */
  get names(): readonly string[] {
    const named = [this.#host === undefined ? undefined : hostOf(this.#host), this.#certificateOf];
    return [...new Set(named.flatMap((host) => (host?.kind === 'name' ? [host.host] : [])))];
  }

  /** The URL that was asked for. */
  get url(): URL {
    return this.#target.url;
  }

  /** The user name and password that it named; undefined where it named neither. */
  get basic(): string | undefined {
    return this.#target.basic;
  }

  get request(): HttpRequest {
    return this.#request;
  }

  /** The fields for the hop that is next. */
  get fields(): RequestFields {
    if (!this.#own) return Object.fromEntries(Object.entries(this.#fields).filter(([name]) => HARMLESS.has(name)));
    return this.#host === undefined ? this.#fields : { host: this.#host, ...this.#fields };
  }

  get certificateOf(): ParsedHost | undefined {
    return this.#own ? this.#certificateOf : undefined;
  }

  /** A redirect is followed (RFC 9110 §15.4). Throws `ProbeFailure` blocked_policy where it would hand the body to another origin. */
  redirect(status: number, to: string): void {
    this.#own &&= new URL(to).origin === this.#origin;
    const { method, body } = this.#request;
    if (status !== 307 && status !== 308 && method === 'POST') this.#request = GET;
    else if (status === 303 && method === 'GET') this.#request = GET;
    else if (body && !this.#own) throw new ProbeFailure('blocked_policy', 'a redirect that would take the body to another origin');
  }
}

const bodyOf = (text: string | undefined): Buffer | undefined => (text === undefined ? undefined : Buffer.from(text));

const lowerCase = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));

/** The host of a Host field, or of a name alone. Throws `ProbeFailure` blocked_policy. */
export function hostOf(text: string): ParsedHost {
  const parsed = parseHttpUrl(`http://${text}/`);
  if (!parsed || parsed.url.pathname !== '/' || parsed.url.search !== '') throw new ProbeFailure('blocked_policy', 'a host that is none');
  return parsed;
}

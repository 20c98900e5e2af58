import { type ParsedUrl, parseWebUrl, ProbeFailure } from '@vedette/contract';
import { headerValues, type HttpHead, type RequestFields } from './wire/message.ts';

/**
 * User names and passwords that URLs have named, by origin. Like browsers, a request omits credentials until its server asks for them (RFC
 * 7617): many file servers refuse unrequested ones.
 */
export class SignIns {
  readonly #byOrigin = new Map<string, string>();

  /** Keeps what the URL names, for its own origin. */
  learn({ url, basic }: { url: URL; basic?: string | undefined }): void {
    if (basic !== undefined) this.#byOrigin.set(url.origin, basic);
  }

  /** The credentials for the origin of a URL; empty without any. */
  for({ origin }: URL): string {
    return this.#byOrigin.get(origin) ?? '';
  }

  /** The field that an answer asks for; undefined where it asks for none, or nothing is known for its origin. */
  answerTo(head: HttpHead | undefined, url: URL): RequestFields | undefined {
    const basic = this.for(url);
    return basic !== '' && head?.status === 401 && headerValues(head, 'www-authenticate').some((value) => ASKS_FOR_BASIC.test(value))
      ? { authorization: `Basic ${basic}` }
      : undefined;
  }
}

const ASKS_FOR_BASIC = /(?:^|,)\s{0,9}basic\b/i;

/** A URL that something led to. Throws `ProbeFailure` blocked_policy. */
export const parseOnward = (text: string): ParsedUrl => httpTarget(parseWebUrl(text));

/** The same of a URL that was parsed. */
export function httpTarget(target: ParsedUrl | undefined): ParsedUrl {
  if (!target) throw new ProbeFailure('blocked_policy', 'not an http or https URL');
  return target;
}

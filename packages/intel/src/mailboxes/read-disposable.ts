import { isProtectedHost } from '@vedette/contract';
import { POPULAR_DOMAINS } from '../identity/index.ts';
import { compileList, isOrIsBelow, type Pause, registrable } from '../names/index.ts';
import { EDUCATION_DOMAINS } from './education.ts';
import { MISTAKEN_FOR_DISPOSABLE, NAMES_FOR_EVERYBODY } from './mistaken.ts';
import { FORWARDERS, FREE_PROVIDERS, PAID_PUBLIC } from './providers.ts';

/** Domains that send a good part of all mail: a list of disposable domains has one of these only after a compromise. */
const NEVER_DISPOSABLE: ReadonlySet<string> = new Set(
  (
    'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com icloud.com me.com aol.com gmx.de gmx.net web.de t-online.de ' +
    'proton.me protonmail.com mail.ru yandex.ru qq.com 163.com 126.com naver.com orange.fr comcast.net libero.it fastmail.com zoho.com ' +
    'google.com microsoft.com apple.com amazon.com'
  ).split(' '),
);

export interface DisposableRules {
  /** Kept by hand or by watching the services: believed against our own lists of alias services and schools. */
  curated: boolean;
  schools?: { has(domain: string): boolean };
}

export interface ReadList {
  /** Its lines, for a `DomainList`. */
  bytes: Buffer;
  /** How many entries are not usable domains. */
  unreadable: number;
  /** A domain that no such list has by right; undefined without one. */
  forbidden: string | undefined;
}

/**
 * Cleans a third party's list of disposable domains: it drops free and paid providers, well-known domains and common mistakes. Unless the
 * list is curated, it also drops governments, schools and alias services. Entries that are read from a file come with pauses of their own.
 */
export async function readDisposable(
  entries: AsyncIterable<string> | Iterable<string>,
  { curated, schools = EDUCATION_DOMAINS }: DisposableRules,
  pause: Pause,
): Promise<ReadList> {
  const kept = new Set<string>();
  let unreadable = 0;
  let forbidden: string | undefined;
  for await (const entry of entries) {
    const name = registrable(entry);
    if (name === undefined) {
      unreadable++;
      continue;
    }
    if (NEVER_DISPOSABLE.has(name)) forbidden = name;
    // A tenant's host under such a name may be listed for itself.
    if (NAMES_FOR_EVERYBODY.has(name)) continue;
    if ([FREE_PROVIDERS, PAID_PUBLIC, POPULAR_DOMAINS, MISTAKEN_FOR_DISPOSABLE].some((known) => isOrIsBelow(name, known))) continue;
    if (!curated && (isProtectedHost(name) || isOrIsBelow(name, FORWARDERS) || isOrIsBelow(name, schools))) continue;
    kept.add(name);
  }
  return { bytes: await compileList(kept, pause), unreadable, forbidden };
}

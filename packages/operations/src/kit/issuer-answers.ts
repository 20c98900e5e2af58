import { BoundedMap } from '@vedette/contract';
import type { RevocationList, RevocationVerdict } from '@vedette/mail/certificates';
import { Slots } from './slots.ts';

/** Lists may be large. */
const LISTS_AT_ONCE = 4;
const LISTS_MAX_BYTES = 64 * 1024 * 1024;
const RESPONSES_MAX = 5_000;
/** Beside its entries. */
const LIST_BYTES = 1_000;

/** The answers of issuers about their certificates, each kept until `until`. A gateway makes it once. */
export class IssuerAnswers {
  /** Lists by URL and issuer. */
  readonly lists = new BoundedMap<string, { list: RevocationList; until: Date }>(
    LISTS_MAX_BYTES,
    ({ list }) => list.entries.length + LIST_BYTES,
  );
  /** OCSP responses by the URL of the question. */
  readonly responses = new BoundedMap<string, { verdict: RevocationVerdict; until: Date }>(RESPONSES_MAX);
  /** Limits how many lists are fetched at once. */
  readonly slots: Pick<Slots, 'run'> = new Slots(LISTS_AT_ONCE);
}

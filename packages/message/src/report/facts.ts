import { type Static, Type } from 'typebox';
import type { PictureFacts } from './picture.ts';
import { EmlReport } from './report.ts';

const { headers, ioc, sender_details, security_details, impersonations: _impersonations, limits_reached, ...others } = EmlReport.properties;

const SignatureFacts = Type.Omit(headers.properties.dkim_signatures.items, ['key_type', 'key_bits', 'dnssec', 'dns_error']);
export type SignatureFacts = Static<typeof SignatureFacts>;

/**
 * What a message says by itself. It has no field for what the DNS or the lists of names say: a report needs those too, and does not compile without
 * them.
 */
export const MessageFacts = Type.Object({
  ...others,
  headers: Type.Object({ ...headers.properties, dkim_signatures: Type.Array(SignatureFacts) }),
  ioc: Type.Omit(ioc, ['lookalike_domains']),
  sender_details: Type.Omit(sender_details, ['hostname', 'hostname_root_domain', 'hostname_tld']),
  /** The name of the sending address: whether the receiving server says that there is one, and the name. */
  sender_rdns: Type.Object({ noted: Type.Enum(['named', 'none', 'unsaid']), hostname: Type.String() }),
  /** Addresses of Reply-To that are not From. */
  replies_to: Type.Array(Type.String()),
  /** Links of the HTML: their text, and the hosts that they lead to as far as the link itself tells, the nearest first. */
  links: Type.Array(Type.Object({ text: Type.String(), hosts: Type.Array(Type.String()) })),
  /** A mailing list handed the message on. */
  from_list: Type.Boolean(),
  security_details: Type.Omit(security_details, ['sender_rdns_empty', 'reply_to_free_email']),
  limits_reached: Type.Array(Type.Exclude(limits_reached.items, Type.Literal('lookalikes'))),
});
export type MessageFacts = Static<typeof MessageFacts>;
export type EmlLimit = MessageFacts['limits_reached'][number];

/** Reads what strangers wrote, in processes that have no file, no network and not much memory. */
export interface Parsers {
  /**
   * Reads a message (RFC 5322, MIME) of at most 5 MB. Rejects with `ApiError` invalid_parameter where it takes more time or memory than one may, overloaded
   * where no process is free in time, or with the signal's reason.
   */
  message(eml: Uint8Array, options: { signal: AbortSignal }): Promise<MessageFacts>;
  /** Reads the codes of a picture of at most 5 MB, in the same way. `param`: the parameter that it is from. */
  picture(file: Uint8Array, options: { signal: AbortSignal; param: string }): Promise<PictureFacts>;
}

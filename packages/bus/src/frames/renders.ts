import { Enum } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { AGENT_STATES, FailureShape, Id } from './jobs.ts';

/**
 * The bus protocol between gateway and renderers (docs/protocol.md): frames as agents have them. Inputs and results, which no frame has room
 * for, are *payloads*: a frame names their size and hash, and who wants them asks for one chunk after the other.
 */

/** The part of a payload in one message. */
export const CHUNK_BYTES = 512 * 1024;
/** HTML that is to be rendered. */
export const MAX_RENDER_INPUT_BYTES = 5 * 1024 * 1024;
/** The file that a job returns: an image or a PDF. */
export const MAX_RENDER_FILE_BYTES = 50 * 1024 * 1024;
/** The markup of its page, as UTF-8. */
export const MAX_RENDER_HTML_BYTES = 4 * 1024 * 1024;
/** A result that a frame has no room for, as JSON. */
export const MAX_RENDER_RESULT_BYTES = 4 * 1024 * 1024;
/** A job may be refused, or be lost, and go to another renderer. */
const MAX_ATTEMPTS = 64;

const payload = (maximum: number) =>
  Type.Object({ bytes: Type.Integer({ minimum: 1, maximum }), sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) });
export type Payload = Static<ReturnType<typeof payload>>;
export const RENDER_PARTS = ['result', 'file', 'html'] as const;
export type RenderPart = (typeof RENDER_PARTS)[number];

/** A renderer by two tokens of its subjects: the key that it holds, which the server knows, and the name of this one process. */
const Renderer = { key: Id, renderer: Id };
const Head = {
  job: Id,
  attempt: Type.Integer({ minimum: 1, maximum: MAX_ATTEMPTS }),
  nonce: Type.String({ minLength: 16, maxLength: 64 }),
};

/** gateway → renderer, on `vedette.v1.render.<kind>[.<key>.<renderer>]`; the reply subject is `_INBOX.<gateway>.<job>.<attempt>`. */
export const RenderJobFrame = Type.Object({
  v: Type.String({ description: 'Protocol version, major.minor' }),
  ...Head,
  /** The subject to ask for the input. */
  gateway: Id,
  kind: Type.String({ minLength: 1, maxLength: 32 }),
  /** Time left, ms; relative, since clocks skew. */
  budget_ms: Type.Integer({ minimum: 1, maximum: 120_000 }),
  spec: Type.Record(Type.String(), Type.Unknown()),
  /** The HTML to render, where the spec names no URL. */
  input: Type.Optional(payload(MAX_RENDER_INPUT_BYTES)),
});
export type RenderJobFrame = Static<typeof RenderJobFrame>;

/** gateway → all renderers, on `vedette.v1.renderer.cancel`. Attempt 0 cancels every attempt of the job. */
export const RenderCancelFrame = Type.Object({
  job: Id,
  attempt: Type.Integer({ minimum: 0, maximum: MAX_ATTEMPTS }),
  reason: Enum(['loser', 'client_gone', 'deadline']),
});
export type RenderCancelFrame = Static<typeof RenderCancelFrame>;

/** Hosts that one job contacted: further ones are neither told nor logged. */
export const MAX_CONTACTS = 200;
/** Addresses of each of them. */
export const MAX_CONTACT_ADDRESSES = 4;
/** A host that was contacted for a job, and at which addresses. */
const RenderContact = Type.Object({
  host: Type.String({ minLength: 1, maxLength: 253 }),
  addresses: Type.Array(Type.String({ maxLength: 45 }), { minItems: 1, maxItems: MAX_CONTACT_ADDRESSES }),
});
export type RenderContact = Static<typeof RenderContact>;
/** A frame has room for a result and this much of contacts. */
const MAX_CONTACTS_CHARS = 32 * 1024;

/** Contacts from what was dialled, in that order, as many as a frame may have. */
export function renderContacts(dialled: Iterable<{ host: string; address: string }>): RenderContact[] {
  const contacts = new Map<string, RenderContact>();
  let chars = 0;
  for (const { host, address } of dialled) {
    if (address === '') continue;
    const known = contacts.get(host);
    const addresses = known?.addresses ?? [];
    if (addresses.includes(address) || addresses.length >= MAX_CONTACT_ADDRESSES || (!known && contacts.size >= MAX_CONTACTS)) continue;
    chars += JSON.stringify(known ? address : { host, addresses: [address] }).length + 1;
    if (chars > MAX_CONTACTS_CHARS) break;
    addresses.push(address);
    if (!known) contacts.set(host, { host, addresses });
  }
  return [...contacts.values()];
}

const ReplyHead = { ...Head, ...Renderer };
export const RenderAckFrame = Type.Object({ type: Type.Literal('ack'), ...ReplyHead });
/** A result with its details, or the renderer's own failure. */
export const RenderFinalFrame = Type.Object({
  type: Type.Literal('final'),
  ...ReplyHead,
  result: Type.Optional(Type.Unknown()),
  failure: Type.Optional(FailureShape),
  /** Hosts that the renderer contacted for the job, whatever came of it; absent from older renderers. */
  contacts: Type.Optional(Type.Array(RenderContact, { maxItems: MAX_CONTACTS })),
  payloads: Type.Optional(
    Type.Object({
      /** Instead of `result`, where that is long. */
      result: Type.Optional(payload(MAX_RENDER_RESULT_BYTES)),
      file: Type.Optional(payload(MAX_RENDER_FILE_BYTES)),
      html: Type.Optional(payload(MAX_RENDER_HTML_BYTES)),
    }),
  ),
});
export const RenderNackFrame = Type.Object({
  type: Type.Literal('nack'),
  ...ReplyHead,
  reason: Enum(['busy', 'unsupported', 'invalid', 'draining']),
});
export type RenderAckFrame = Static<typeof RenderAckFrame>;
export type RenderFinalFrame = Static<typeof RenderFinalFrame>;
export type RenderNackFrame = Static<typeof RenderNackFrame>;
export type RenderReplyFrame = RenderAckFrame | RenderFinalFrame | RenderNackFrame;

const Offset = Type.Integer({ minimum: 0, maximum: MAX_RENDER_FILE_BYTES });

/** renderer → gateway, on `vedette.v1.renderer.input.<gateway>`; the chunk goes to `vedette.v1.renderer.chunk.<key>.<renderer>.<id>`. */
export const InputRequestFrame = Type.Object({ ...Head, ...Renderer, id: Id, offset: Offset });
export type InputRequestFrame = Static<typeof InputRequestFrame>;

/**
 * gateway → renderer, on `vedette.v1.renderer.output.<key>.<renderer>`; the chunk is the reply. Without `part`: the gateway needs no more
 * of it.
 */
export const OutputRequestFrame = Type.Object({
  ...Head,
  part: Type.Optional(Enum(RENDER_PARTS)),
  offset: Offset,
});
export type OutputRequestFrame = Static<typeof OutputRequestFrame>;

/** renderer → everyone, on `vedette.v1.renderer.beat.<key>.<renderer>`: as often as agents beat. */
export const RendererBeatFrame = Type.Object({
  ...Renderer,
  /** Version of the software. */
  version: Type.String({ pattern: '^[0-9A-Za-z.+-]{1,32}$' }),
  /** Version of the browser, as it says itself; empty while none runs. */
  browser: Type.String({ pattern: '^[0-9A-Za-z ./+-]{0,64}$' }),
  protocol: Type.Object({ major: Type.Integer(), minor_min: Type.Integer(), minor_max: Type.Integer() }),
  state: Enum(AGENT_STATES),
  kinds: Type.Array(Type.String({ maxLength: 32 }), { maxItems: 32 }),
  slots: Type.Object({ used: Type.Integer({ minimum: 0 }), max: Type.Integer({ minimum: 0 }) }),
  held_bytes: Type.Integer({ minimum: 0, description: 'Results that nobody has fetched yet' }),
  event_loop_delay_ms: Type.Number({ minimum: 0, description: 'p99 since the last beat' }),
  problem: Type.Optional(Type.String({ maxLength: 1000, description: 'Why it cannot render at all' })),
});
export type RendererBeatFrame = Static<typeof RendererBeatFrame>;

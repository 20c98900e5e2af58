import { type Static, Type } from 'typebox';

const Text = Type.String({ minLength: 1, maxLength: 300 });
const Word = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' });
const ZoneName = Type.String({ pattern: '^(?=.{3,120}$)[a-z0-9_-]{1,63}(\\.[a-z0-9_-]{1,63})+$' });
/** An address of 127.0.0.0/8, or a range of its last octet: `127.0.2.2-24`. */
const Code = Type.String({ pattern: '^127(\\.\\d{1,3}){3}(-\\d{1,3})?$' });
const Meanings = Type.Record(Code, Word, { additionalProperties: false });

/** A blacklist, as data: a DNSBL zone that is asked (RFC 5782), or a list in memory that a feed fills. */
export const Engine = Type.Object(
  {
    /** Its name in reports. Neither it nor the id may be another engine's: `exclude_engines` takes both. */
    name: Type.String({ minLength: 1, maxLength: 60 }),
    subject: Type.Union([Type.Literal('address'), Type.Literal('name'), Type.Literal('url')]),
    enabled: Type.Boolean(),
    /** A description for people. */
    lists: Text,
    /** Whether a commercial installation of one's own may use it, and under which conditions. */
    terms: Text,
    /** The DNSBL's zone. Exactly one of `zone` and `list`. */
    zone: Type.Optional(ZoneName),
    /** The zone of IPv6 addresses, where that is another. */
    zone6: Type.Optional(ZoneName),
    /** Name of a list of `Networks.marks`, `Names.listings` or `Urls.listings`. */
    list: Type.Optional(Word),
    /** Address families that it knows. */
    families: Type.Array(Type.Union([Type.Literal(4), Type.Literal(6)]), { minItems: 1, maxItems: 2, uniqueItems: true }),
    /** The meaning of a listing. */
    meaning: Type.Optional(Word),
    /** Answers that are listings, and what each says. */
    codes: Type.Optional(Meanings),
    /** Bits of the last octet that are listings, where that is a mask. Bit 1 always says that we are refused. */
    bits: Type.Optional(Type.Record(Type.String({ pattern: '^(2|4|8|16|32|64|128)$' }), Word, { additionalProperties: false })),
    /** Answers that are known and no detection: networks by policy, good reputation, young names. */
    notices: Type.Optional(Meanings),
    /** Listings that say of themselves that the subject may be a victim: confidence low. */
    doubtful: Type.Optional(Type.Array(Code)),
    /** Labels of names that are always listed, and never (RFC 5782 §5); unset = 127.0.0.2 and 127.0.0.1, TEST and INVALID. */
    test: Type.Optional(Type.Object({ listed: Text, clean: Text }, { additionalProperties: false })),
    /** The zone has no entry that is always listed: only what is never listed can be tried. */
    no_test: Type.Optional(Type.Boolean()),
    /** Asked only for clients that send their own key, which stands before the zone. */
    key: Type.Optional(Type.Boolean()),
    /** A page about the subject, with {ip}, {host} or nothing in it. */
    reference: Type.String({ pattern: '^(https://[\\x21-\\x7e]{3,200})?$' }),
    /** How much a listing weighs in a risk score (docs/scores.md). */
    weight: Type.Number({ minimum: 0, maximum: 1 }),
    /** Engines that know what they know from one another; empty for one alone. */
    group: Type.Union([Word, Type.Literal('')]),
    /** `low` for lists that are put together from others, unchecked. */
    confidence: Type.Union([Type.Literal('high'), Type.Literal('low')]),
    /** Questions that all accounts of this installation together may ask it. */
    rate: Type.Object(
      { per_s: Type.Number({ minimum: 0.001, maximum: 1000 }), burst: Type.Integer({ minimum: 1, maximum: 10_000 }) },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type Engine = Readonly<Static<typeof Engine>> & { readonly id: string };

/** An engine that is asked over the DNS. */
export type ZoneEngine = Engine & { readonly zone: string };

export const isZoneEngine = (engine: Engine): engine is ZoneEngine => engine.zone !== undefined;

/**
 * The list in memory that answers for an engine. For a zone it is called as the engine, and answers in its place once a feed has loaded it: the
 * zone's own data, which its makers let be copied.
 */
export const listOfEngine = ({ list, id }: Engine): string => list ?? id;

/** The form by which `exclude_engines` is compared. */
export const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

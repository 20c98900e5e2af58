import { type Static, Type } from 'typebox';
import { Pick as PickRules } from './formats/pick.ts';

const Url = Type.String({ pattern: '^https?://[\\x21-\\x7e]{3,500}$' });
const Text = Type.String({ minLength: 1, maxLength: 400 });

/**
 * `lines`: an entry on each, comments behind `#`, `;` or `//`. `words`: fields between white space, comments behind `#` or `;`. `hosts`: names
 * behind an address, as in /etc/hosts. `csv`: RFC 4180. `json`: one document. `json_first_line`: one document in the first line, a signature
 * below. `json_array`: a document too large to be read at once, an array of objects. `json_lines`: an object on each line. `delegated`: the
 * RIR Statistics Exchange Format. `rbldnsd`: a DNSBL zone as rbldnsd reads it. `whole`: what it is, is the dataset's business.
 */
const FORMATS = [
  'lines',
  'words',
  'hosts',
  'csv',
  'json',
  'json_first_line',
  'json_array',
  'json_lines',
  'delegated',
  'rbldnsd',
  'whole',
] as const;
const PACKINGS = ['gzip', 'zip', 'tar.gz'] as const;

/** Names are labels of metrics and names of files. */
export const FeedName = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' });

/** A third party's open dataset, as data: its location, its permitted uses, and its shape when it is whole. */
export const Feed = Type.Object(
  {
    /** The name of the dataset that is made of its rows (packages/intel/src/datasets). */
    dataset: Type.String(),
    /** `{YYYY-MM}` in it is the month of three days ago: a month's file is there on its first days. */
    url: Url,
    /** Further files of it, in the same form: the feed is all of them, one below the other. */
    more: Type.Optional(Type.Array(Url, { minItems: 1, maxItems: 8 })),
    /** The URL is a page, and the file is what it links to first that begins so. */
    link: Type.Optional(Url),
    format: Type.Enum(FORMATS),
    /** The packing of the file. For a tar archive, the files whose names end in `member` are read. */
    packing: Type.Optional(Type.Enum(PACKINGS)),
    member: Type.Optional(Text),
    /** Selects the parts of a row to use; without it a row is only an entry. */
    pick: Type.Optional(PickRules),
    /** The list that it is, or a part of; its own name without. */
    list: Type.Optional(FeedName),
    /** A label for all entries of the list, such as a provider. */
    label: Type.Optional(Text),
    /** A description of its contents, for people. */
    tells: Text,
    licence: Text,
    /** The name to credit, by the licence or by courtesy. */
    attribution: Text,
    /** Why it is off, or what to mind before it is turned on. */
    note: Type.Optional(Text),
    /** Its makers check what they list: what is fetched is believed where a broad list is not. A shipped list counts as it was built. */
    curated: Type.Boolean(),
    /** Off: what is shipped is used, and nothing is fetched. */
    enabled: Type.Boolean(),
    /** Fetched before others, and at once after a start without data: its absence acquits those who do most harm. */
    urgent: Type.Optional(Type.Boolean()),
    /** Give or take a tenth. */
    every_hours: Type.Integer({ minimum: 1, maximum: 1000 }),
    /** How long its source is left alone after a try, also by an operator's own refresh. */
    rest_minutes: Type.Integer({ minimum: 1, maximum: 1440 }),
    /** Days without a word from its source, after which it is used no longer; without it, it is used for as long as nothing newer comes. */
    max_age_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
    max_bytes: Type.Integer({ minimum: 1, maximum: 268_435_456 }),
    /** The largest size of a packed file after unpacking. */
    max_unpacked_bytes: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_648 })),
    min_rows: Type.Integer({ minimum: 1 }),
    /** How many times as many rows as before it may have, or as few. */
    max_change: Type.Number({ minimum: 1, maximum: 1000 }),
    /** How much of the announced space of a family it may cover, in percent; 0.5 where it is not said, as for lists of single attackers. */
    max_coverage: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    /** Such as a key, sent to the URL's own origin alone, and shown nowhere. */
    headers: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }), Type.String({ pattern: '^[\\x20-\\x7e]{1,1000}$' }), {
        additionalProperties: false,
      }),
    ),
  },
  { additionalProperties: false },
);
export type Feed = Static<typeof Feed> & { readonly name: string };

/** The list that a feed fills, or a part of. */
export const listOf = ({ list, name }: { readonly list?: string; readonly name: string }): string => list ?? name;

/** The properties by which a file is read, for a feed or for a list composed of several. */
export type FeedForm = Pick<Feed, 'name' | 'dataset' | 'format' | 'curated' | 'max_bytes'> &
  Partial<Pick<Feed, 'packing' | 'member' | 'pick' | 'list' | 'label' | 'max_unpacked_bytes'>>;

import { type Static, Type } from 'typebox';

const Text = Type.String({ minLength: 1, maxLength: 300 });

/** An open dataset of somebody's, as data: where it is, what it may be used for, and what it looks like when it is whole. */
export const Feed = Type.Object(
  {
    /** What it is a part of: who uses it. */
    dataset: Type.Union([Type.Literal('disposable')]),
    url: Type.String({ pattern: '^https?://[\\x21-\\x7e]{3,500}$' }),
    /** `lines`: an entry on each, comments behind `#` or `//`. `json`: an array of strings. */
    format: Type.Union([Type.Literal('lines'), Type.Literal('json')]),
    licence: Text,
    /** Whom the licence, or courtesy, asks to name. */
    attribution: Text,
    /** Its makers check what they list: what is fetched is believed where a broad list is not. A shipped list counts as it was built. */
    curated: Type.Boolean(),
    /** Off: what is shipped is used, and nothing is fetched. */
    enabled: Type.Boolean(),
    /** Give or take a tenth. */
    every_hours: Type.Integer({ minimum: 1, maximum: 500 }),
    max_bytes: Type.Integer({ minimum: 1, maximum: 67_108_864 }),
    min_rows: Type.Integer({ minimum: 1 }),
    /** How many times as many rows as before it may have, or as few. */
    max_change: Type.Number({ minimum: 1, maximum: 1000 }),
  },
  { additionalProperties: false },
);
export type Feed = Static<typeof Feed> & { readonly name: string };

import { Type, type Static, type TSchema } from 'typebox';
import { type Reason, REASONS } from './reasons.ts';

/** Where a vantage point stands. All five fields are empty strings where nothing is known. */
export const LocationFields = {
  continent_code: Type.String({ description: 'Two letters: AF, AN, AS, EU, NA, OC or SA' }),
  continent_name: Type.String({ description: 'In English' }),
  country_code: Type.String({ description: 'ISO 3166-1 alpha-2' }),
  country_name: Type.String({ description: 'In English' }),
  city_name: Type.String({ description: 'In English' }),
};
const LocationEntry = Type.Object(LocationFields);
export type LocationEntry = Static<typeof LocationEntry>;

/** Extra fields of every location entry, beyond the contract. */
export const LocationExtras = {
  location: Type.String({ description: 'Id of the location, as in GET /v2/locations' }),
  reason: Type.Optional(
    Type.Unsafe<Reason>({
      title: 'Reason',
      type: 'string',
      enum: Object.keys(REASONS),
      description: 'Why the measurement failed; absent when it did not. docs/reference/errors.md says of each whose fault it is',
    }),
  ),
  simulated: Type.Optional(Type.Boolean({ description: 'The agent only pretends to be in this place' })),
  agent_state: Type.Optional(Type.String({ description: 'degraded: the agent measured while its own internet access was in doubt' })),
};

export type IssueType = 'error' | 'warning' | 'information';
export interface Issue<Code extends string = string> {
  code: Code;
  type: IssueType;
  message: string;
}

/** Coded findings. `codes` is the judge's closed list, `title` the name of one for clients. */
export const Issues = <const Codes extends readonly string[]>(title: string, codes: Codes) =>
  Type.Array(
    Type.Object(
      {
        code: Enum(codes, { description: 'For programs; docs/issues explains each' }),
        type: Enum(['error', 'warning', 'information'], {
          title: 'IssueType',
          description: 'An error keeps what was published from working',
        }),
        message: Type.String({ description: 'What is wrong and what to change' }),
      },
      { title },
    ),
    { description: 'What is wrong, or worth knowing' },
  );

/** One of a closed list of strings, written as JSON Schema `enum`. */
export const Enum = <const Values extends readonly string[]>(
  values: Values,
  options: { title?: string; description?: string; default?: string; examples?: string[] } = {},
) => Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });

/** A host name (IDN welcome, one trailing dot allowed) or a literal address. Normalised before use; see `parseHost`. */
export const Host = (options: { description?: string } = {}) =>
  Type.String({ minLength: 1, maxLength: 1024, description: 'Host name or IP address', examples: ['example.org'], ...options });

/** Longest URL of a client. */
export const URL_MAX_CHARS = 8_192;

/** An absolute http or https URL. Normalised before use; see `parseWebUrl`. */
export const HttpUrl = () =>
  Type.String({
    minLength: 1,
    maxLength: URL_MAX_CHARS,
    description:
      'Absolute http or https URL. A user name and password in it are sent to its own origin alone, where that asks for them; reports mask the password',
    examples: ['https://example.org/'],
  });

/** Response headers of a target: lowercase names, every value kept on its own. */
export const HeaderLists = Type.Record(Type.String(), Type.Array(Type.String()), {
  title: 'HeaderLists',
  description: 'Headers of the answer: lower-case names, each value on its own',
});
export const HeaderStrings = Type.Record(Type.String(), Type.String(), {
  title: 'HeaderStrings',
  description: 'Headers of the answer: lower-case names, the values of one name joined by commas',
});

/** Adds the field that every report has. */
export const withElapsed = (response: TSchema): TSchema & Record<string, unknown> => {
  const { properties, required = [], ...rest } = response as TSchema & { properties: Record<string, TSchema>; required?: string[] };
  return {
    ...rest,
    properties: { ...properties, elapsed_ms: Type.Integer({ description: 'Processing time, ms' }) },
    required: [...required, 'elapsed_ms'],
  };
};

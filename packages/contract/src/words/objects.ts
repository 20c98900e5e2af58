import { Type, type Static, type TSchema } from 'typebox';
import { type Reason, REASONS } from './reasons.ts';

/** Where a vantage point stands. All five fields are empty strings where nothing is known. */
export const LocationFields = {
  continent_code: Type.String({ description: 'Continent code of the location: AF, AN, AS, EU, NA, OC or SA' }),
  continent_name: Type.String({ description: 'Continent name in English' }),
  country_code: Type.String({ description: 'ISO 3166-1 alpha-2 code of the country' }),
  country_name: Type.String({ description: 'Country name in English' }),
  city_name: Type.String({ description: 'City name in English' }),
};
const LocationEntry = Type.Object(LocationFields);
export type LocationEntry = Static<typeof LocationEntry>;

/** Extra fields of every location entry, beyond the contract. */
export const LocationExtras = {
  location: Type.String({ description: 'Location id, as in GET /v2/locations' }),
  reason: Type.Optional(
    Type.Unsafe<Reason>({
      title: 'Reason',
      type: 'string',
      enum: Object.keys(REASONS),
      description:
        'Reason code of the failed measurement; absent if it succeeded. docs/reference/errors.md says which side each reason blames',
    }),
  ),
  simulated: Type.Optional(Type.Boolean({ description: 'The agent only simulates this location' })),
  agent_state: Type.Optional(
    Type.String({ description: "degraded: the agent's own internet access was unreliable during the measurement" }),
  ),
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
        code: Enum(codes, { description: 'Stable issue code for programs; docs/issues explains each code' }),
        type: Enum(['error', 'warning', 'information'], {
          title: 'IssueType',
          description: 'Severity of the issue; error means that the published record does not work',
        }),
        message: Type.String({ description: 'Explanation of the issue and its remedy' }),
      },
      { title },
    ),
    { description: 'Problems and remarks that the check found' },
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
      'Absolute http or https URL. Its user name and password are sent only to its own origin, if that requests them; reports mask the password',
    examples: ['https://example.org/'],
  });

/** Response headers of a target: lowercase names, every value kept on its own. */
export const HeaderLists = Type.Record(Type.String(), Type.Array(Type.String()), {
  title: 'HeaderLists',
  description: 'Response headers: lower-case names, each value as its own item',
});
export const HeaderStrings = Type.Record(Type.String(), Type.String(), {
  title: 'HeaderStrings',
  description: 'Response headers: lower-case names, values of repeated headers joined by commas',
});

/** Adds the field that every report has. */
export const withElapsed = (response: TSchema): TSchema & Record<string, unknown> => {
  const { properties, required = [], ...rest } = response as TSchema & { properties: Record<string, TSchema>; required?: string[] };
  return {
    ...rest,
    properties: { ...properties, elapsed_ms: Type.Integer({ description: 'Processing time in ms' }) },
    required: [...required, 'elapsed_ms'],
  };
};

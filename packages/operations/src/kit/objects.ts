import { Type, type Static, type TSchema } from 'typebox';
import { Enum, type Reason, REASONS, URL_MAX_CHARS } from '@vedette/contract';

/** A field of a report that may be negative, with the sentence that describes it in the API. */
export const integer = (description: string) => Type.Integer({ description });

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
    Type.String({
      description:
        "degraded: the agent's own internet access was unreliable during the measurement, or has lost what most such measurements need",
    }),
  ),
  clock_skew_ms: Type.Optional(
    Type.Integer({
      description:
        "Lead of the agent's clock over the gateway's in ms, if they differ by more than five seconds. Beyond a minute, the gateway's clock judges certificates",
    }),
  ),
};

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

/** A host name (IDN welcome, one trailing dot allowed) or a literal address. Normalised before use; see `parseHost`. */
export const Host = (options: { description?: string } = {}) =>
  Type.String({ minLength: 1, maxLength: 1024, description: 'Host name or IP address', examples: ['example.org'], ...options });

/** An absolute http or https URL. Normalised before use; see `parseWebUrl`. */
export const HttpUrl = () =>
  Type.String({
    minLength: 1,
    maxLength: URL_MAX_CHARS,
    description:
      'Absolute http or https URL. Its user name and password are sent only to its own origin, if that requests them; reports mask the password',
    examples: ['https://example.org/'],
  });

/** Adds the field that every report has. */
export const withElapsed = (response: TSchema): TSchema & Record<string, unknown> => {
  const { properties, required = [], ...rest } = response as TSchema & { properties: Record<string, TSchema>; required?: string[] };
  return {
    ...rest,
    properties: { ...properties, elapsed_ms: integer('Processing time in ms') },
    required: [...required, 'elapsed_ms'],
  };
};

/** What the console needs of the API description before anything is asked: a tenth of it (packages/console/src/api/operations.ts has its types). */

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  [limit: string]: unknown;
}

interface Description {
  tags: { name: string }[];
  paths: Record<string, { post?: Post }>;
  components: { schemas: Record<string, Schema> };
}

interface Post {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  'x-credits': number;
  'x-credits-note'?: string;
  'x-deadline-ms': number;
  'x-event-stream'?: object;
}

const LIMITS = ['minimum', 'maximum', 'maxLength', 'default', 'description'] as const;

/** Whose fault a failure is, in words. */
const FAULTS: Readonly<Record<string, string>> = { target: 'the target', resolver: 'the DNS', vantage: 'our own system' };

function fieldOf(name: string, given: Schema, isRequired: boolean, schemas: Description['components']['schemas']): object {
  const schema = given.$ref === undefined ? given : schemas[given.$ref.split('/').at(-1)!]!;
  const { properties, required = [], examples } = schema as Schema & { examples?: unknown[] };
  return {
    name,
    type: schema.type ?? 'string',
    ...(isRequired && { required: true }),
    ...(schema.enum && { enum: schema.enum }),
    ...Object.fromEntries(LIMITS.flatMap((limit) => (schema[limit] === undefined ? [] : [[limit, schema[limit]]]))),
    ...(examples && { example: examples[0] }),
    ...(properties && {
      fields: Object.entries(properties).map(([key, value]) => fieldOf(key, value, required.includes(key), schemas)),
    }),
  };
}

/** The text of `operations.json`. */
export function operationIndex(description: Description, reasons: Readonly<Record<string, { source: string }>>): string {
  const { schemas } = description.components;
  const operations = Object.entries(description.paths).flatMap(([path, { post }]) => {
    if (post === undefined || path.endsWith('/bulk')) return [];
    const { properties = {}, required = [] } = post.requestBody?.content['application/json'].schema ?? {};
    return [
      {
        name: post.operationId,
        group: post.tags[0],
        summary: post.summary,
        // Its first paragraph: price and standards stand elsewhere on the page.
        description: post.description.split('\n\n')[0],
        credits: post['x-credits'],
        ...(post['x-credits-note'] !== undefined && { credits_note: post['x-credits-note'] }),
        deadline_ms: post['x-deadline-ms'],
        streams: post['x-event-stream'] !== undefined,
        fields: Object.entries(properties).map(([name, schema]) => fieldOf(name, schema, required.includes(name), schemas)),
      },
    ];
  });
  const faults = Object.fromEntries(Object.entries(reasons).map(([reason, { source }]) => [reason, FAULTS[source]]));
  return `${JSON.stringify({ groups: description.tags.map(({ name }) => name), operations, faults })}\n`;
}

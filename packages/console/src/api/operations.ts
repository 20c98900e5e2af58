import { catalogue, type FieldSchema, groups, type OperationInfo, reasonSources } from '@vedette/client/catalogue';

/** A field of a request. */
export interface Field extends Pick<FieldSchema, 'enum' | 'minimum' | 'maximum' | 'maxLength' | 'default' | 'description'> {
  name: string;
  type: NonNullable<FieldSchema['type']>;
  required: boolean;
  example: unknown;
  /** The members of an object. */
  fields?: Field[];
}

/** An operation as the API description has it, in short. */
export interface Operation extends Omit<OperationInfo, 'request'> {
  fields: Field[];
}

const fieldsOf = ({ properties = {}, required = [] }: FieldSchema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    ...schema,
    name,
    type: schema.type ?? 'string',
    required: required.includes(name),
    example: schema.examples?.[0],
    ...(schema.properties && { fields: fieldsOf(schema) }),
  }));

export const OPERATIONS: readonly Operation[] = catalogue.map(({ request, description, ...operation }) => ({
  ...operation,
  // Its first paragraph: price and standards stand elsewhere on the page.
  description: description.split('\n\n', 1)[0]!,
  fields: fieldsOf(request),
}));

/** Operations by their groups, in the order of the API description. */
export const byGroup = <T>(items: readonly T[], operationOf: (item: T) => Operation): [group: string, items: T[]][] =>
  groups
    .map((group): [string, T[]] => [group, items.filter((item) => operationOf(item).group === group)])
    .filter(([, here]) => here.length > 0);

const CAUSES: ReadonlyMap<string | undefined, string> = new Map([
  ['target', 'the target'],
  ['resolver', 'the DNS'],
  ['vantage', 'our own system'],
  ['client', 'the one who asked'],
]);

/** The words for the cause of a failed location; empty for an unknown reason. */
export const causeOf = (reason: string): string => CAUSES.get(reasonSources[reason]) ?? '';

export const operationOf = (name: string): Operation | undefined => OPERATIONS.find((operation) => operation.name === name);

const inCredits = (credits: number): string => (credits === 0 ? 'free' : `${credits} credit${credits === 1 ? '' : 's'}`);

/** A note that names one field, and what it adds. */
const MORE_WITH = /^(\d+) more with `(\w+)`$/;

/** A field of a request, or of an object in it. */
const given = (request: Readonly<Record<string, unknown>>, name: string): unknown =>
  [request, ...Object.values(request)]
    .map((holder) => (holder as Record<string, unknown> | null)?.[name])
    .find((value) => value !== undefined);

/** The price of an operation; that of a request, where its fields change it. */
export function creditsOf(
  { credits, credits_note: note = '', fields }: Operation,
  request: Readonly<Record<string, unknown>> = {},
): string {
  const [, more, name = ''] = MORE_WITH.exec(note) ?? [];
  if (more !== undefined) return inCredits(credits + (given(request, name) ? Number(more) : 0));
  const hasOptions = fields.some((field) => !field.required && field.name !== 'locations' && request[field.name] !== undefined);
  return note !== '' && hasOptions ? 'price by options' : inCredits(credits);
}

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

export const creditsOf = ({ credits }: Operation): string => (credits === 0 ? 'free' : `${credits} credit${credits === 1 ? '' : 's'}`);

import index from './operations.json' with { type: 'json' };

/** A field of a request. */
export interface Field {
  name: string;
  type: 'string' | 'boolean' | 'integer' | 'number' | 'array' | 'object';
  required?: boolean;
  enum?: (string | number)[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: unknown;
  description?: string;
  example?: unknown;
  /** The members of an object. */
  fields?: Field[];
}

/** An operation as the API description has it, in short. */
export interface Operation {
  name: string;
  group: string;
  summary: string;
  description: string;
  credits: number;
  credits_note?: string;
  deadline_ms: number;
  /** Whether it tells each location as it finishes. */
  streams: boolean;
  fields: Field[];
}

export const OPERATIONS = index.operations as unknown as readonly Operation[];

/** Operations by their groups, in the order of the API description. */
export const byGroup = <T>(items: readonly T[], operationOf: (item: T) => Operation): [group: string, items: T[]][] =>
  index.groups
    .map((group): [string, T[]] => [group, items.filter((item) => operationOf(item).group === group)])
    .filter(([, here]) => here.length > 0);

/** The words for the cause of each reason of a failed location. */
export const FAULTS: Readonly<Record<string, string>> = index.faults;

export const operationOf = (name: string): Operation | undefined => OPERATIONS.find((operation) => operation.name === name);

export const creditsOf = ({ credits }: Operation): string => (credits === 0 ? 'free' : `${credits} credit${credits === 1 ? '' : 's'}`);

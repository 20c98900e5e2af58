/** The schema of a parameter, or of one part of it: JSON Schema 2020-12, without references. */
export interface FieldSchema {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  description?: string;
  examples?: readonly unknown[];
  default?: unknown;
  enum?: readonly (string | number)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: FieldSchema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  required?: readonly string[];
  properties?: Readonly<Record<string, FieldSchema>>;
  patternProperties?: Readonly<Record<string, FieldSchema>>;
  additionalProperties?: boolean;
  maxProperties?: number;
}

/** One operation as clients show it: what forms, command lines and tools are made of. */
export interface OperationInfo {
  /** Name of the operation, as in its path `/v2/<name>`. */
  name: string;
  /** Group of operations, such as `DNS`. */
  group: string;
  summary: string;
  description: string;
  credits: number;
  /** What costs more. */
  credits_note?: string;
  deadline_ms: number;
  /** Whether it has an event stream: `report` for one without entries. */
  stream?: 'locations' | 'report';
  /** The parameter of which a bulk request takes many. */
  bulk?: string;
  /** Whether its report has files in base64. */
  files?: true;
  request: FieldSchema & { properties: Readonly<Record<string, FieldSchema>> };
  /** A request to begin with. */
  example: Readonly<Record<string, unknown>>;
}

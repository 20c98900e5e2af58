/** A JSON Schema as the document has it. */
export type Schema = Readonly<Record<string, unknown>>;

/** Values, not schemas: what stands there has no title of ours. */
const VALUES = new Set(['default', 'enum', 'examples', 'required']);

/** The schemas that have a name: each stands once, among the components, and is referred to everywhere else. */
export class NamedSchemas {
  readonly #schemas = new Map<string, Schema>();

  /** The schema with references in place of the parts that have a title; one to itself, if it has one. Throws where two different ones share a title. */
  refer(schema: object): Schema {
    // TypeBox keeps marks on schemas that do not belong to their text.
    const plain: unknown = JSON.parse(JSON.stringify(schema));
    return this.#refer(plain) as Schema;
  }

  /** All that were referred to, by name. */
  components(): Record<string, Schema> {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #refer(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((each) => this.#refer(each));
    if (typeof part !== 'object' || part === null) return part;
    const inside = Object.entries(part).map(([key, value]) => [key, VALUES.has(key) && Array.isArray(value) ? value : this.#refer(value)]);
    const { title, ...schema }: Record<string, unknown> = Object.fromEntries(inside);
    if (title === undefined) return schema;
    if (typeof title !== 'string') return { title, ...schema }; // the property of this name
    const known = this.#schemas.get(title);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two different schemas are called ${title}`);
    this.#schemas.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }
}

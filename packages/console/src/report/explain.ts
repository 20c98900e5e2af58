import { signal } from '@preact/signals';
import { describe } from '../api/client.ts';

interface Schema {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
}

interface Description {
  paths: Record<string, { post?: { responses: Record<string, { content?: Record<string, { schema: Schema }> }> } }>;
  components: { schemas: Record<string, Schema> };
}

/** The API description, once a reader has asked for explanations. */
const description = signal<Description | undefined>(undefined);

/** Whether explanations of fields are shown. */
export const isExplaining = signal(false);

export async function toggleExplanations(): Promise<void> {
  description.value ??= (await describe()) as Description;
  isExplaining.value = !isExplaining.value;
}

/** The API description's words for a field of a report; empty where it has none, or before a reader has asked. */
export function explanationOf(operation: string, path: readonly string[]): string {
  if (!isExplaining.value || description.value === undefined) return '';
  const { paths, components } = description.value;
  const resolved = (schema: Schema | undefined): Schema | undefined =>
    schema?.$ref === undefined ? schema : { ...components.schemas[schema.$ref.split('/').at(-1)!], ...schema };
  let schema = resolved(paths[`/v2/${operation}`]?.post?.responses['200']?.content?.['application/json']?.schema);
  for (const name of path) {
    const candidates: (Schema | undefined)[] = [schema, ...(schema?.anyOf ?? []).map(resolved)];
    const holder = candidates
      .map((one) => (one?.items ? resolved(one.items) : one))
      .find((one) => one?.properties ?? one?.patternProperties ?? one?.additionalProperties);
    const further = typeof holder?.additionalProperties === 'object' ? holder.additionalProperties : undefined;
    const own = holder?.properties && Object.hasOwn(holder.properties, name) ? holder.properties[name] : undefined;
    schema = resolved(own ?? Object.values(holder?.patternProperties ?? {})[0] ?? further);
  }
  return schema?.description ?? '';
}

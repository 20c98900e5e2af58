import { InputData, JSONSchemaInput, quicktype } from 'quicktype-core';

/** The types of a schema, as quicktype's command writes them with these options. */
export async function typesOf(schema: string, lang: 'go' | 'python', rendererOptions: Record<string, string>): Promise<string> {
  const input = new JSONSchemaInput(undefined);
  await input.addSource({ name: 'Reports', schema });
  const inputData = new InputData();
  inputData.addInput(input);
  return (await quicktype({ inputData, lang, rendererOptions })).lines.join('\n');
}

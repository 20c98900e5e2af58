import { readFileSync } from 'node:fs';
import { rolldown } from 'rolldown';

/** A text of ASCII takes V8 one byte a character, any other two; and it keeps the text. What is not ASCII is in strings and patterns alone. */
export const inAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** TypeBox as few files, for `scripts/types.mjs`: its 680 modules take 6 MB in each process and two seconds of CPU in all, of which its code has a tenth. */
const DOORS = { index: 'typebox', schema: 'typebox/schema', compile: 'typebox/compile' };
const FOLDER = 'scripts/typebox';

/** The files by their paths. */
export async function joinedTypebox(): Promise<Record<string, string>> {
  const folder = 'node_modules/typebox';
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { version: string };
  const licence = readFileSync(`${folder}/license`, 'utf8').trim();
  const build = await rolldown({ input: DOORS, platform: 'node' });
  const { output } = await build.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
    codeSplitting: { groups: [{ name: 'all', test: /typebox/ }] },
  });
  await build.close();
  const note = `// typebox ${version}, joined by \`npm run generate\`; do not edit.\n`;
  const chunks = output.filter((file) => file.type === 'chunk');
  return {
    ...Object.fromEntries(chunks.map(({ fileName, code }) => [`${FOLDER}/${fileName}`, `${note}${inAscii(code)}`])),
    [`${FOLDER}/LICENSE`]: `${licence}\n`,
  };
}

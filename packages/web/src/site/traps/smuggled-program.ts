import type { Landing } from '../visit/main-visit.ts';

/** The beginning of a Windows program in base64. */
const PROGRAM = /['"`]TV[pqro][A-Za-z0-9+/]{40}/;
const OPENS_IT = /createObjectURL|msSaveOrOpenBlob|msSaveBlob|data:application\/octet-stream/;
const BY_ITSELF = /\.click\(\)|msSave|location(?:\.href)?\s*=/;

/** Returns the evidence that a page has a program in a script and saves it by itself; empty without it. */
export function smuggledProgram({ page }: Landing): string {
  const at = page.inlineScripts.findIndex((script) => PROGRAM.test(script));
  if (at < 0) return '';
  const code = page.inlineScripts.join('\n');
  return OPENS_IT.test(code) && BY_ITSELF.test(code) ? 'a script has a Windows program in base64, and saves it without being asked' : '';
}

import type { Landing } from '../visit/main-visit.ts';

/** The beginning of a Windows program in base64. */
const PROGRAM = /['"`]TV[pqro][A-Za-z0-9+/]{40}/;
const OPENS_IT = /createObjectURL|msSaveOrOpenBlob|msSaveBlob|data:application\/octet-stream/;
const BY_ITSELF = /\.click\(\)|msSave|location(?:\.href)?\s*=(?!=)/;

/** Returns the evidence that a script of the page has a program, and code that saves it; empty without it. */
export function smuggledProgram({ page }: Landing): string {
  const found = page.inlineScripts.some((script) => PROGRAM.test(script) && OPENS_IT.test(script) && BY_ITSELF.test(script));
  return found ? 'a script has a Windows program in base64, and code that saves it' : '';
}

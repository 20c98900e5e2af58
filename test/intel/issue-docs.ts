import { readFileSync } from 'node:fs';

/** The issue codes that docs/issues/<operation>.md has a row for, in order. */
export function documentedCodes(operation: string): string[] {
  const page = readFileSync(new URL(`../../docs/issues/${operation}.md`, import.meta.url), 'utf8');
  return [...page.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, code]) => code!);
}

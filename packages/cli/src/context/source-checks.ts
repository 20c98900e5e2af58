import type { SourceCheck } from '@vedette/contract';
import { printable } from '../show/printable.ts';
import { table } from './table.ts';

/** Checks under way at once: the gateway tries as many sources at a time. */
const AT_ONCE = 4;

/** Tries sources, and tells of each as soon as it is known. */
export async function checkSources(
  names: readonly string[],
  check: (name: string) => Promise<SourceCheck>,
  progress: (text: string) => void,
): Promise<SourceCheck[]> {
  const checks: SourceCheck[] = [];
  const left = [...names];
  const lane = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const result = await check(name);
      checks.push(result);
      if (result.verdict !== 'ok') progress(printable(`${name}: ${result.verdict}, ${result.detail}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return checks.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
}

/** Checks with a problem come first. */
export const checksTable = (kind: string, checks: readonly SourceCheck[]): string =>
  table(
    [kind, 'verdict', 'detail'],
    checks
      .toSorted((a, b) => Number(a.verdict === 'ok') - Number(b.verdict === 'ok'))
      .map(({ name, verdict, detail }) => [name, verdict.replaceAll('_', ' '), detail]),
  );

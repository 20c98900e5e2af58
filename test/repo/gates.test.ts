import { describe, expect, it } from 'vitest';
import { GATES } from '../../packages/gateway/src/api-description/gates.ts';
import { linesWith, packageSources } from './sources.ts';

const all = GATES.flatMap(({ gates }) => gates.map(([, gate]) => gate));

describe.each(GATES)('$name', ({ file, gates }) => {
  it(`its gates are met in ${file}, in this order`, () => {
    const text = packageSources.get(file)!;
    const places = gates.map(([call]) => text.indexOf(call));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

it('each gate that is exported stands on the page once', () => {
  const exported = [...packageSources.values()].flatMap((text) => [...text.matchAll(/^export const \w+_GATE\b/gm)]);
  expect(exported.length).toBeGreaterThan(20);
  expect(all).toHaveLength(exported.length);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

/** A refusal for what a client, an account, a target or the service has had too much of. */
const REFUSAL =
  /ApiError\(\s*'(address_blocked|rate_limited|target_limited|overloaded|insufficient_credits|idempotency_conflict|body_too_large)'/;
/** Operators' own listener: no paid request comes there. */
const OPERATORS = 'packages/gateway/src/ops/';

it('code that refuses for a limit has its gate on the page', () => {
  const refusals = linesWith(REFUSAL).filter((line) => !line.startsWith(OPERATORS));
  const withoutGate = refusals.filter((line) => {
    const [path] = line.split(':', 1);
    const [, code] = REFUSAL.exec(line)!;
    const codes = path!.startsWith('packages/gateway/') ? codesFrom(path!) : codesOf(path!);
    return !codes.has(code!);
  });
  expect(refusals.length).toBeGreaterThan(12);
  expect(withoutGate).toEqual([]);
});

/** The codes of the gates that a file of the gateway exports, or whose calls it makes. */
function codesFrom(path: string): Set<string> {
  const exported = [...packageSources.get(path)!.matchAll(/^export const \w+_GATE: GateRow = \{\n(?<row>.*?)^\};/gms)];
  const rows = exported.flatMap(({ groups }) => [...groups!['row']!.matchAll(/'([a-z_]+)'/g)].map(([, code]) => code!));
  const applied = GATES.filter(({ file }) => file === path).flatMap(({ gates }) => gates.flatMap(([, { codes }]) => codes));
  return new Set([...rows, ...applied]);
}

/** The codes of the gates that name a file of another package. */
const codesOf = (path: string): Set<string> => new Set(all.filter(({ files }) => files?.includes(path)).flatMap(({ codes }) => codes));

it('the files that gates name refuse with their codes', () => {
  for (const { files = [], codes } of all)
    for (const file of files) {
      const found = codes.filter((code) => packageSources.get(file)?.includes(`'${code}'`));
      expect(found, file).not.toEqual([]);
    }
});

import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Family } from './modules.ts';
import { FileProblem, type Section } from './yaml-section.ts';

/** The readers of a module's own section. */
export interface Shared {
  name: string;
  timeoutMs: number | undefined;
  /** Reads a file that the module names, relative to its own. Throws as node does. */
  readFile(file: string): string;
}

/** A key that blackbox_exporter knows and that asks for what we cannot do. */
export class UnsupportedKey extends Error {
  readonly line: number;
  readonly what: string;

  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`);
    this.line = line;
    this.what = what;
  }
}

/** Throws `UnsupportedKey` where one of the keys is there, unless it says no more than its default. */
export function unsupportedKeys(section: Section, keys: readonly string[]): void {
  for (const key of keys) if (section.has(key) && !saysNothing(section, key)) throw new UnsupportedKey(section.lineOf(key), key);
}

function saysNothing(section: Section, key: string): boolean {
  try {
    const text = section.text(key);
    return text === '' || text === 'false' || text === '0';
  } catch {
    return false; // a list or a mapping
  }
}

/** The family of a module, or which comes first. Where the module says nothing, IPv4 does: many locations have no IPv6, and all have to answer. */
export function familiesOf(section: Section): { family: Family; ipv6First: boolean } {
  const wanted = section.oneOf('preferred_ip_protocol', ['ip4', 'ip6']);
  const fallback = section.flag('ip_protocol_fallback') ?? true;
  return { family: fallback ? 0 : wanted === 'ip4' ? 4 : 6, ipv6First: fallback && wanted === 'ip6' };
}

/**
 * `options` of a module, in the words of the operation that has the same probe, with `own`, which blackbox_exporter's keys say. Throws
 * `FileProblem` for a value that the operation would refuse, and for an option that both say.
 */
export function optionsOf<S extends TObject>(section: Section, schema: S, own: Partial<Static<S>>): Static<S> {
  const given = section.section('options');
  const names = Object.keys(schema.properties).filter((name) => given.has(name));
  given.end();
  const both = names.find((name) => Object.hasOwn(own, name));
  if (both !== undefined) throw new FileProblem(given.lineOf(both), `options: ${both} stands in the section of the prober, too`);
  const options = { ...Object.fromEntries(names.map((name) => [name, given.plain(name)])), ...own };
  const compiled = Compile(schema);
  if (compiled.Check(options)) return options;
  const [, [wrong]] = compiled.Errors(options);
  const { instancePath = '', message = 'is not valid' } = wrong ?? {};
  const [, name = ''] = instancePath.split('/');
  if (names.includes(name)) throw new FileProblem(given.lineOf(name), `options: ${name} ${message}`);
  throw new UnsupportedKey(section.line, `${instancePath.slice(1).replaceAll('/', '.')}: ${message}`);
}

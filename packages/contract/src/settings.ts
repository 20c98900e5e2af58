import { type Static, type TObject, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { parseCidr } from './address.ts';

/** Settings that several processes read; their names and meanings are fixed (docs/settings.md). Values are strings, as the environment has them. */
export const Setting = {
  port: (description: string, fallback?: string) =>
    Type.String({
      pattern: '^(0|[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])$',
      ...(fallback !== undefined && { default: fallback }),
      description,
    }),
  text: (description: string, fallback?: string) => Type.String({ description, ...(fallback !== undefined && { default: fallback }) }),
  logLevel: Type.String({ pattern: '^(fatal|error|warn|info|debug|trace|silent)$', default: 'info', description: 'pino level' }),
  onOff: (description: string, fallback: 'on' | 'off') => Type.String({ pattern: '^(on|off)$', default: fallback, description }),
};

/**
 * Reads one process's settings from the environment: defaults filled in, empty values as if unset, the result frozen.
 * Throws one Error whose message names every bad setting.
 */
export function readSettings<S extends TObject>(schema: S, env: Record<string, string | undefined>): Static<S> {
  const values: Record<string, string> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = env[name] ?? '';
    if (value !== '') values[name] = value;
    else if ('default' in property) values[name] = property.default as string;
  }
  const compiled = Compile(schema);
  if (!compiled.Check(values)) {
    const problems = compiled
      .Errors(values)
      .map(({ instancePath, params, message }) =>
        instancePath === ''
          ? `${(params as { requiredProperties?: string[] }).requiredProperties?.join(', ')} must be set`
          : `${instancePath.slice(1)} ${message}`,
      );
    throw new Error([...new Set(problems)].join('\n'));
  }
  return Object.freeze(values) as Static<S>;
}

/** Splits a comma-separated setting; empty pieces are dropped. */
export const listOf = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');

/** Splits a comma-separated setting of CIDRs; throws naming the setting and the piece that is none. */
export function cidrsOf(name: string, value: string | undefined): string[] {
  const cidrs = listOf(value);
  const bad = cidrs.filter((cidr) => !parseCidr(cidr));
  if (bad.length > 0) throw new Error(`${name}: not a CIDR: ${bad.join(', ')}`);
  return cidrs;
}

/** Splits a comma-separated setting of ports; throws when a piece is none. */
export function portsOf(value: string | undefined): number[] {
  const ports = listOf(value).map(Number);
  if (!ports.every((port) => Number.isInteger(port) && port > 0 && port < 65_536)) throw new Error(`not a list of ports: ${value}`);
  return ports;
}

/** Gathers what is wrong with a process's settings, so that all of it is told at once. */
export class SettingProblems {
  readonly #problems: string[] = [];

  add(problem: string): void {
    this.#problems.push(problem);
  }

  /** What `read` gives; where it throws, `fallback`, and the problem is kept under the setting's name. */
  attempt<T>(name: string, read: () => T, fallback: T): T {
    try {
      return read();
    } catch (error) {
      const { message } = error as Error;
      this.add(message.startsWith('VEDETTE_') ? message : `${name}: ${message}`);
      return fallback;
    }
  }

  /** Throws one Error that names every problem, if there is any. */
  throwIfAny(): void {
    if (this.#problems.length > 0) throw new Error(this.#problems.join('\n'));
  }
}

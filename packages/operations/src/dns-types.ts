import { ApiError } from '@vedette/contract';
import type { DnsTypeName } from '@vedette/probes/dns';
import { Type } from 'typebox';

/** A `dns_types` parameter: some of these types by name, comma-separated without spaces. */
export const DnsTypes = (names: readonly DnsTypeName[], options: { example: string; note?: string; default?: string }) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: `Comma-separated, without spaces, of ${names.join(', ')}${options.note ?? ''}`,
    ...(options.default !== undefined && { default: options.default }),
    examples: [options.example],
  });

/** Reads it: each type once, in the order asked. Throws `ApiError` invalid_parameter naming what is none of these types. */
export function parseDnsTypes<T extends DnsTypeName>(text: string, names: readonly T[]): T[] {
  const isName = (name: string): name is T => (names as readonly string[]).includes(name);
  return [...new Set(text.split(','))].map((name) => {
    if (isName(name)) return name;
    throw new ApiError('invalid_parameter', `dns_types has no type ${JSON.stringify(name.slice(0, 32))}`);
  });
}

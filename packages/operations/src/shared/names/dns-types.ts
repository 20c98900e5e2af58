import { ApiError, nearest, shown } from '@vedette/contract';
import type { DnsTypeName } from '@vedette/probes/dns';
import { Type } from 'typebox';

/** A `dns_types` parameter: some of these types by name, comma-separated without spaces. */
export const DnsTypes = (names: readonly DnsTypeName[], options: { example: string; note?: string }) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: `Record types, comma-separated without spaces, from ${names.join(', ')}${options.note ?? ''}`,
    examples: [options.example],
  });

/** Reads it: each type once, in the order asked. Throws `ApiError` invalid_parameter with the unknown type. */
export function parseDnsTypes<T extends DnsTypeName>(text: string, names: readonly T[]): T[] {
  const isName = (name: string): name is T => (names as readonly string[]).includes(name);
  return [...new Set(text.split(','))].map((name) => {
    if (isName(name)) return name;
    const plain = name.trim().toUpperCase();
    const meant = nearest(name, names);
    const instead = isName(plain)
      ? ` (write ${plain}, in capitals and without spaces)`
      : meant === undefined
        ? ''
        : ` (did you mean ${meant}?)`;
    const list = `it takes ${names.join(', ')}, separated by commas alone`;
    throw new ApiError('invalid_parameter', `dns_types has no type "${shown(name, 32)}"${instead}; ${list}`, { param: 'dns_types' });
  });
}

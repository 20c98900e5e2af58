import { ApiError } from '@vedette/contract';
import type { TObject } from 'typebox';
import { Compile } from 'typebox/schema';

/**
 * Compiles the check of an operation's parameters. The check fills in defaults, and throws `ApiError` unknown_parameter,
 * missing_parameter or invalid_parameter naming the parameter. Nothing is coerced.
 */
export function parameterCheck(schema: TObject): (body: Record<string, unknown>) => Record<string, unknown> {
  const compiled = Compile(schema);
  const names = new Set(Object.keys(schema.properties));
  const required = schema.required ?? [];
  const defaults = Object.entries(schema.properties).flatMap(([name, property]) =>
    'default' in property ? [{ name, value: property.default }] : [],
  );
  return (body) => {
    for (const name in body) if (!names.has(name)) throw new ApiError('unknown_parameter', shown(name));
    for (const { name, value } of defaults) if (body[name] === undefined) body[name] = value;
    if (!compiled.Check(body)) {
      const missing = required.find((name) => body[name] === undefined);
      if (missing) throw new ApiError('missing_parameter', missing);
      const [, [error]] = compiled.Errors(body);
      const [name, ...indexes] = error?.instancePath.split('/').slice(1) ?? [];
      const where = name === undefined ? 'the body' : [shown(name), ...indexes.map((index) => `[${index}]`)].join('');
      throw new ApiError('invalid_parameter', `${where} ${error?.message ?? ''}`.trim());
    }
    return body;
  };
}

const shown = (name: string): string => (/^[\w-]{1,64}$/.test(name) ? name : JSON.stringify(name.slice(0, 64)));

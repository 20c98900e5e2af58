import { ApiError, nearest, shown } from '@vedette/contract';
import { defaultsOf } from '@vedette/operations/kit';
import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/schema';

/**
 * Compiles the check of an operation's parameters. The check fills in defaults, and throws `ApiError` unknown_parameter,
 * missing_parameter or invalid_parameter naming the parameter. Nothing is coerced.
 */
export function parameterCheck<S extends TObject>(schema: S): (body: Record<string, unknown>) => Record<string, unknown> & Static<S> {
  const compiled = Compile(schema);
  const names = Object.keys(schema.properties);
  const known = new Set(names);
  const required = schema.required ?? [];
  const defaults = Object.entries(defaultsOf(schema));
  const objects = Object.entries(schema.properties).flatMap(([name, part]) =>
    'properties' in part && typeof part.properties === 'object' && part.properties ? [[name, Object.keys(part.properties)] as const] : [],
  );
  return (body) => {
    for (const name in body) if (!known.has(name)) throw unknownParameter(name, names);
    for (const [name, value] of defaults) if (body[name] === undefined) body[name] = value;
    if (!compiled.Check(body)) {
      for (const [name, part] of objects) throwUnknownPart(name, body[name], part);
      const missing = required.find((name) => body[name] === undefined);
      if (missing) throw new ApiError('missing_parameter', missing, { param: missing });
      const [, [error]] = compiled.Errors(body);
      throw invalidParameter(error);
    }
    return body;
  };
}

/** A name that a client sent, as a sentence may show it. */
export const shownName = (name: string): string => (/^[\w-]{1,64}$/.test(name) ? name : JSON.stringify(shown(name, 64)));

function unknownParameter(name: string, names: readonly string[]): ApiError {
  const meant = nearest(name, names);
  const instead = meant === undefined ? `it takes ${names.join(', ') || 'none'}` : `did you mean ${meant}?`;
  return new ApiError('unknown_parameter', `${shownName(name)}; ${instead}`, { param: name });
}

function throwUnknownPart(name: string, value: unknown, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const unknown = Object.keys(value).find((part) => !known.includes(part));
  if (unknown === undefined) return;
  const meant = nearest(unknown, known);
  const instead = meant === undefined ? `${name} takes ${known.join(', ')}` : `did you mean ${meant}?`;
  throw new ApiError('unknown_parameter', `${name}: ${shownName(unknown)}; ${instead}`, { param: `${name}.${shownName(unknown)}` });
}

interface Violation {
  /** A JSON pointer, made of names that the schema knows: others are refused before. */
  instancePath: string;
  params: object;
  message: string;
}

function invalidParameter(violation: Violation | undefined): ApiError {
  const { instancePath = '', params = {}, message = 'is not valid' } = violation ?? {};
  const [name = 'the body', ...further] = instancePath.split('/').slice(1);
  const param = [name, ...further.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))].join('');
  const wanted =
    'allowedValues' in params && Array.isArray(params.allowedValues)
      ? `must be one of ${params.allowedValues.join(', ')}`
      : message === 'schema is false'
        ? 'is not allowed'
        : message;
  return new ApiError('invalid_parameter', `${shown(param, 80)} ${wanted}`, { param });
}

import { ApiError, shown } from '@vedette/contract';
import { whereBroken } from './json-breach.ts';

const MAX_DEPTH = 32;

/**
 * Parses a request body: one JSON object, well-formed UTF-8, no duplicate keys (two readers could see two requests), no
 * `__proto__`, at most 32 levels deep. Throws `ApiError` malformed_json, which says where.
 */
export function parseBody(bytes: Buffer): Record<string, unknown> {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw new ApiError('malformed_json', 'not UTF-8');
  }
  if (text === '') throw new ApiError('malformed_json', 'the body is empty');
  checkKeys(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed(text);
  }
  if (!isObject(value)) throw new ApiError('malformed_json', `the body is ${Array.isArray(value) ? 'an array' : JSON_NAMES[typeof value]}`);
  return value;
}

const JSON_NAMES: Partial<Record<string, string>> = { string: 'a string', number: 'a number', boolean: 'a boolean', object: 'null' };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** The error for a text that JSON.parse refuses, with the position of the fault. */
function malformed(text: string): ApiError {
  const broken = whereBroken(text);
  return new ApiError('malformed_json', broken && `expected ${broken.expected} ${placeOf(broken, text)}`);
}

/** Lines and characters from 1, as editors count. */
function placeOf({ at }: { at: number }, text: string): string {
  const before = text.slice(0, at).split('\n');
  return `at line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

/** One pass over the text, before it is parsed: depth and keys. It need not know JSON well; JSON.parse judges the rest. */
function checkKeys(text: string): void {
  const open: (Set<string> | undefined)[] = []; // a set of keys per object, undefined per array
  let at = 0;
  while (at < text.length) {
    const char = text[at];
    if (char === '{' || char === '[') {
      if (open.push(char === '{' ? new Set() : undefined) > MAX_DEPTH)
        throw new ApiError('malformed_json', `nested too deeply ${placeOf({ at }, text)}`);
    } else if (char === '}' || char === ']') {
      open.pop();
    } else if (char === '"') {
      const end = stringEnd(text, at);
      const keys = open.at(-1);
      COLON_NEXT.lastIndex = end + 1;
      if (keys && COLON_NEXT.test(text)) addKey(keys, text, at, end);
      at = end;
    }
    at++;
  }
}

const COLON_NEXT = /[\t\n\r ]*:/y;

function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return end;
  }
  throw malformed(text);
}

function addKey(keys: Set<string>, text: string, at: number, end: number): void {
  let key: string;
  try {
    key = JSON.parse(text.slice(at, end + 1));
  } catch {
    throw malformed(text);
  }
  if (FORBIDDEN_KEYS.has(key)) throw new ApiError('unknown_parameter', key, { param: key });
  if (keys.has(key))
    throw new ApiError('malformed_json', `the key "${shown(key, 64)}" appears twice, again ${placeOf({ at }, text)}`, { param: key });
  keys.add(key);
}

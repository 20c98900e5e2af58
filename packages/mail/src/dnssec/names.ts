/**
 * A domain name as DNSSEC orders and hashes it: its labels from left to right in lower case, one character per octet.
 * The root is `[]`. Comparing such labels as strings compares octets (RFC 4034 §6.1).
 */
export type Name = readonly string[];

/** Reads presentation form, `\DDD` and `\X` escapes included. Text beyond ASCII counts as its UTF-8 octets. */
export function nameOf(text: string): Name {
  if (text === '.' || text === '') return [];
  const labels: string[] = [];
  let label = '';
  const octets = Buffer.from(text, 'utf8').toString('latin1');
  for (const [token] of octets.matchAll(/\\\d{3}|\\?[^]/g)) {
    if (token === '.') {
      labels.push(lower(label));
      label = '';
    } else if (token.length === 4) label += String.fromCharCode(Number(token.slice(1)) & 0xff);
    else label += token.at(-1)!;
  }
  return label === '' ? labels : [...labels, lower(label)];
}

/** Reads an uncompressed name in wire form. Undefined when it does not end inside the bytes. */
export function nameFromWire(wire: Uint8Array): Name | undefined {
  const labels: string[] = [];
  for (let at = 0; at < wire.length;) {
    const length = wire[at]!;
    if (length === 0) return labels;
    if (length > 63) return undefined;
    labels.push(lower(Buffer.from(wire.subarray(at + 1, at + 1 + length)).toString('latin1')));
    at += length + 1;
  }
  return undefined;
}

/** Canonical wire form (RFC 4034 §6.2). */
export const nameToWire = (name: Name): Buffer =>
  Buffer.concat([...name.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')]), Buffer.from([0])]);

/** Presentation form without the trailing dot; the root is `.`. */
export const nameText = (name: Name): string =>
  name.length === 0
    ? '.'
    : name
        .map((label) =>
          label.replace(/[.\\"();@$]/g, '\\$&').replace(/[^!-~]/g, (octet) => `\\${octet.charCodeAt(0).toString().padStart(3, '0')}`),
        )
        .join('.');

export const sameName = (a: Name, b: Name): boolean => a.length === b.length && isUnder(a, b);

/** Whether `name` is `ancestor` or lies below it. */
export const isUnder = (name: Name, ancestor: Name): boolean => sharedLabels(name, ancestor) === ancestor.length;

/** How many labels two names share, counted from the root. */
export function sharedLabels(a: Name, b: Name): number {
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a.at(-1 - shared) === b.at(-1 - shared)) shared++;
  return shared;
}

/** The ancestor of `name`, or the name itself, that has `count` labels. */
export const lastLabels = (name: Name, count: number): Name => name.slice(name.length - count);

/** Canonical order, RFC 4034 §6.1: by label from the right, a missing label first. */
export function compareNames(a: Name, b: Name): number {
  const shared = sharedLabels(a, b);
  const left = a.at(-1 - shared);
  const right = b.at(-1 - shared);
  if (shared === a.length || shared === b.length) return a.length - b.length;
  return left! < right! ? -1 : 1;
}

// Only ASCII letters fold (RFC 4343 §3.2); toLowerCase would also fold the octets that read as Latin-1 letters.
const lower = (label: string): string => label.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

import { InvalidArgumentError } from 'commander';

/** Reads a whole number from the command line; what is too large or too small, the gateway says. */
export function integer(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(value);
}

/** Reads a port number. */
export function port(value: string): number {
  const number = integer(value);
  if (number < 1 || number > 65_535) throw new InvalidArgumentError('It is not a port.');
  return number;
}

/** Reads `on` or `off`. */
export function onOff(value: string): boolean {
  if (value !== 'on' && value !== 'off') throw new InvalidArgumentError('It is "on" or "off".');
  return value === 'on';
}

/** Reads a list with commas. */
export const list = (value: string): string[] => value.split(',').map((item) => item.trim());

/** Reads an option that is given once for each of several values. */
export const many = (value: string, before: string[] = []): string[] => [...before, value];

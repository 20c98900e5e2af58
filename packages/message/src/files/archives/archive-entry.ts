export type Unpacked = Uint8Array | undefined;

/** One entry of an archive, as its directory tells. */
export interface ArchiveEntry {
  /** A path as a rule; decoded. */
  name: string;
  /** Bytes, as the archive says. */
  size: number;
  /** YYYY-MM-DDTHH:MM:SSZ; empty where it is not said. */
  modified: string;
  encrypted: boolean;
  directory: boolean;
  /**
   * Unpacks it to at most `max` bytes; undefined if it is encrypted, damaged or packed by an unknown method. Throws `TooLarge` beyond that.
   * May be called until the next entry is asked for.
   */
  unpack(max: number): Unpacked | Promise<Unpacked>;
}

/** The properties of an archive before any entry is read. */
export interface ArchiveListing {
  /** The directory itself is encrypted, so that there are no entries to see. */
  sealed: boolean;
  entries: Iterable<ArchiveEntry>;
}

/** There is more in it than may be taken out. */
export class TooLarge extends Error {}

/** Seconds since 1970 as the report has them; empty for what no file is from. */
export function isoSeconds(seconds: number): string {
  // 9999 is the last year of four digits.
  if (!(seconds > 0) || seconds > 253_402_300_799) return '';
  return `${new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19)}Z`;
}

/** Date and time of MS-DOS, in an unknown zone; empty if they are invalid. */
export function isoDos(date: number, time: number): string {
  const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31];
  const [hours, minutes, seconds] = [time >> 11, (time >> 5) & 63, (time & 31) * 2];
  if (month < 1 || month > 12 || day < 1 || hours > 23 || minutes > 59 || seconds > 59) return '';
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)}T${two(hours)}:${two(minutes)}:${two(seconds)}Z`;
}

/** 100 ns since 1601, as Windows counts, in seconds since 1970. */
export const windowsSeconds = (ticks: bigint): number => Number(ticks / 10_000_000n) - 11_644_473_600;

/** A name that was seen at an IPv4 address. */
export interface Row {
  name: string;
  address: string;
  /** Epoch seconds. */
  seen: number;
}

/** Reads one line: what it says of names at IPv4 addresses, which may be nothing; undefined for a line that cannot be read. */
export type LineReader = (line: string) => readonly Row[] | undefined;

export interface ReaderOptions {
  /** When names were seen of which the file does not say it, epoch seconds. */
  seen: number;
  /** Where a zone file begins that has no $ORIGIN. */
  origin: string | undefined;
}

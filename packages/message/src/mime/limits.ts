// More than these are not read; what is over is told as a limit, never as an error.
export const HEADER_MAX_BYTES = 1_000_000;
export const FIELDS_MAX = 1_000;
/** The most fields in all header blocks of a message together. */
export const FIELDS_TOTAL_MAX = 20_000;
export const ADDRESSES_MAX = 1_000;
export const PARTS_MAX = 1_000;
export const DEPTH_MAX = 50;
/** Attached in whatever way: as a message, encoded, or as a file of any bytes. */
export const NESTED_MESSAGES_MAX = 10;

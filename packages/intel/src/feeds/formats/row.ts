/** The fields of a row, as the feed's `format` and `pick` say. */
export type Row = readonly string[];

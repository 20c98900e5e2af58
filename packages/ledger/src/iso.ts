/** SQL that prints a timestamptz as ISO 8601 in UTC; our sessions run in that zone. */
export const iso = (expression: string): string => `to_char(${expression}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

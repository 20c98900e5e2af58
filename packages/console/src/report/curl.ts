/** A word that a POSIX shell takes as it is, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The request as a command line; the key is left to the reader's environment. */
export const curl = (origin: string, operation: string, request: object): string =>
  [
    `curl -s ${quoted(`${origin}/v2/${operation}`)} -H "X-API-Key: $VEDETTE_API_KEY" -H 'Content-Type: application/json'`,
    operation === 'account-info' ? '-X POST' : `-d ${quoted(JSON.stringify(request))}`,
  ].join(' ');

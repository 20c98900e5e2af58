/** What the record begins with. Any other text may be there by a wildcard: SPF, a proof of ownership (RFC 8552 §1.4). */
const OPT_OUT = /^v=optout1\s*(?:;(?<tags>.*))?$/i;
/** The domain says that hosts below it speak for themselves. */
const HOSTS = /(?:^|;)\s*scope\s*=\s*hosts\s*(?:;|$)/i;

/** What an owner says of being measured (docs/target-rates.md): not at all, ask each host, or nothing. */
export type OptOut = 'out' | 'hosts' | 'nothing';

/** Where the owner of a name says it. */
export const optOutNameOf = (name: string): string => `_probe-optout.${name}`;

/** What the TXT records at that name say. */
export function optOutOf(texts: readonly string[]): OptOut {
  const records = texts.map((text) => OPT_OUT.exec(text)).filter((record) => record !== null);
  if (records.length === 0) return 'nothing';
  return records.every(({ groups }) => HOSTS.test(groups?.['tags'] ?? '')) ? 'hosts' : 'out';
}

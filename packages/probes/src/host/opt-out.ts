/** The beginning of the record. A wildcard may put any other text there: SPF, a proof of ownership (RFC 8552 §1.4). */
const OPT_OUT = /^v=optout1\s*(?:;(?<tags>.*))?$/i;
/** The domain says that hosts below it speak for themselves. */
const HOSTS = /(?:^|;)\s*scope\s*=\s*hosts\s*(?:;|$)/i;

/** An owner's wish about measurements (docs/target-rates.md): opted out, ask each host, or no wish. */
export type OptOut = 'out' | 'hosts' | 'nothing';

/** Where the owner of a name says it. */
export const optOutNameOf = (name: string): string => `_probe-optout.${name}`;

/** Reads the wish from the TXT records at that name. */
export function optOutOf(texts: readonly string[]): OptOut {
  const records = texts.map((text) => OPT_OUT.exec(text)).filter((record) => record !== null);
  if (records.length === 0) return 'nothing';
  return records.every(({ groups }) => HOSTS.test(groups?.['tags'] ?? '')) ? 'hosts' : 'out';
}

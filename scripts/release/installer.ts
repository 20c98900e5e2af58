import { readFileSync } from 'node:fs';

/** What `install.sh` of a release knows. */
export interface Known {
  version: string;
  /** Where releases are: their files are below `/v<version>/`. Empty where that is to be said. */
  url: string;
  /** The public key of minisign, its second line; empty without signatures. */
  publicKey: string;
  /** Lines of `sha256sum` for the agent's tarballs. */
  hashes: string;
}

/** `deploy/release/install.sh` with what it has to know of the release. */
export function installer(known: Known): string {
  const values: Record<string, string> = {
    VERSION: known.version,
    URL: known.url.replace(/\/$/, ''),
    PUBLIC_KEY: known.publicKey,
    HASHES: known.hashes.trimEnd(),
  };
  for (const [name, value] of Object.entries(values)) if (value.includes("'")) throw new Error(`${name} may not contain a quote: ${value}`);
  return readFileSync('deploy/release/install.sh', 'utf8').replaceAll(/@([A-Z_]+)@/g, (_, name: string) => values[name]!);
}

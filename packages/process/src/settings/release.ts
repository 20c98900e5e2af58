import manifest from '../../package.json' with { type: 'json' };

declare const VEDETTE_COMMIT: string | undefined;

/** What this is: the version, and, of what was built (`npm run build:agent`), the commit that it was built of. */
export const RELEASE: Readonly<{ version: string; commit: string | undefined }> = {
  version: manifest.version,
  // A build writes it where this name stands, which nothing declares in a checkout.
  commit: typeof VEDETTE_COMMIT === 'undefined' ? undefined : VEDETTE_COMMIT,
};

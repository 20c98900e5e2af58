import manifest from '../../package.json' with { type: 'json' };

declare const VEDETTE_COMMIT: string | undefined;

/** The release: the version, and, for a built bundle (`npm run build:agent`), the commit of its sources. */
export const RELEASE: Readonly<{ version: string; commit: string | undefined }> = {
  version: manifest.version,
  // A build writes it where this name stands, which nothing declares in a checkout.
  commit: typeof VEDETTE_COMMIT === 'undefined' ? undefined : VEDETTE_COMMIT,
};

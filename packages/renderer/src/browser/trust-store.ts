import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '@vedette/process/start-error';

const run = promisify(execFile);

/**
 * Makes a certificate database (NSS) with roots that a browser trusts beside its own, for its `~/.pki/nssdb`. Names, dates and purposes are judged as
 * ever; Chromium's own switch for a chosen key (`--ignore-certificate-errors-spki-list`) would forgive all of them.
 */
export async function makeTrustStore(roots: readonly string[], folder: string): Promise<string> {
  const store = join(folder, 'nssdb');
  mkdirSync(store);
  try {
    await run('certutil', ['-N', '-d', `sql:${store}`, '--empty-password']);
    for (const [index, pem] of roots.entries()) {
      const file = join(folder, 'root.pem');
      writeFileSync(file, pem);
      await run('certutil', ['-A', '-d', `sql:${store}`, '-n', `root ${index}`, '-t', 'C,,', '-i', file]);
    }
    return store;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new StartError(
      "VEDETTE_CA_FILE: the browser is told of further roots by certutil, which is not installed: apt-get install libnss3-tools, as Debian's package is called",
      { cause },
    );
  }
}

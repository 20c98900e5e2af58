import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Configuration for systems without fontconfig's own: the package's names folders of the machines that it was made for. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/**
 * `node unpack.ts FOLDER`: unpacks npm's browser with its libraries and fonts. A process of its own, since the package looks for the temp folder of its
 * process, and takes any file there that is called `chromium` for its own, whatever its version and owner.
 */
const [, , folder] = process.argv;
if (folder === undefined) throw new Error('say where to');
if (!existsSync(folder)) {
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(unfinished);
  chmodSync(unfinished, 0o755);
  process.env['TMPDIR'] = unfinished;
  process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs22.x'; // with the libraries that a small system lacks
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const executable = await chromium.executablePath();
    if (executable !== join(unfinished, 'chromium')) throw new Error(`it was unpacked to ${executable}`);
    writeFileSync(join(unfinished, 'fonts', 'fonts.conf'), FONTS_CONF);
    chmodSync(executable, 0o755); // the browser is not always run by who unpacks it
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error; // else another was first
    }
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

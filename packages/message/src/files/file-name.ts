const NAME_MAX_CHARS = 255;
/** Longer suffixes do not name the kind of a file. */
const EXTENSION_MAX_CHARS = 16;
/** Far more than file systems allow; the rest of a name of a megabyte is not read. */
const READ_MAX_CHARS = 4_096;

/** Characters that are not seen or turn the direction of the others: controls, U+202E and its like, zero-width, tags, lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A name without what is not seen, as Windows would save it: without dots and blanks at its end. */
function seen(name: string): string {
  // The end of a name says what it is.
  const read = name.length > READ_MAX_CHARS ? name.slice(0, NAME_MAX_CHARS) + name.slice(-NAME_MAX_CHARS) : name;
  return read.replace(UNSEEN, '').trim();
}

/** A name as it is shown in a report: without characters that are not seen, at most 255 characters. */
export function shownName(name: string): string {
  const all = seen(name);
  if (all.length <= NAME_MAX_CHARS) return all;
  const cut = all.slice(0, NAME_MAX_CHARS);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/**
 * The extension of a name or a path, in lower case without the dot; empty where it has none. It is what Windows goes by: `a.exe. .` is an exe, and so is
 * `fdp.exe` with U+202E before it, which looks as if it ended in pdf.
 */
export function extensionOf(name: string): string {
  const all = seen(name);
  let end = all.length;
  while (end > 0 && (all[end - 1] === '.' || all[end - 1] === ' ')) end--;
  const base = all.slice(Math.max(all.lastIndexOf('/', end - 1), all.lastIndexOf('\\', end - 1)) + 1, end);
  const dot = base.lastIndexOf('.');
  if (dot === -1) return '';
  const extension = base.slice(dot + 1).toLowerCase();
  // Windows opens `a.{3050F4D8-98B5-11CF-BB82-00AA00BDCE0B}` as what that class is, here an HTA.
  if (/^\{[0-9a-f-]{36}\}$/.test(extension)) return extension;
  return extension.length <= EXTENSION_MAX_CHARS && /^[\p{L}\p{N}_~!$#-]+$/u.test(extension) ? extension : '';
}

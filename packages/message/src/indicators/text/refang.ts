/**
 * Stands for a defanged dot, written so that no program makes a link of the name. Such a name is an indicator even without a scheme and a
 * path. Control characters are not in the text by then.
 */
export const DEFANGED_DOT = '\u0001';

/** Characters that are not seen, by which words and links are broken up: soft hyphens, zero-width spaces and joiners, marks of direction. */
const UNSEEN = /\u034f|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
/** Digits and letters in other dress: full-width ones and those of mathematics, which filters do not read. */
const DRESSED = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]|[\u{1d400}-\u{1d7ff}]/gu;
// oxlint-disable-next-line no-control-regex -- they are to go
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** `hxxps[:]//`, `h**p://`, `[http]://`, `http:\/\/`, `http : //`; each part of bounded length. Regular schemes do not match. */
const SCHEME =
  /[[(]?\b(?!(?:https?|ftp):\/\/)(h(?:tt|xx|tx|xt|\*\*)p|f[tx]p)(s?)[\])]?[ \t]?[[({<]?[ \t]?:[ \t]?[\])}>]?[ \t]?[[({]?(?:\/\/|\\\/\\\/|\\\\)[\])}]?/gi;
/** `[.]`, `(dot)`, `{ . }`, with a blank around it or none. */
const DOT = /(?<=[\p{L}\d_-])[ \t]?[[({][ \t]?(?:\.|dot|punkt|punto|point)[ \t]?[\])}][ \t]?(?=[\p{L}\d])/giu;
/** Half of the brackets, or a backslash: `evil[.com`, `evil.]com`, `evil\.com`. */
const HALF_DOT = /(?<=[\p{L}\d-])(?:\[\.|\.\]|\\\.)(?=[\p{L}\d])/gu;
const AT = /(?<=[\w+-])[ \t]?[[({][ \t]?(?:@|at)[ \t]?[\])}][ \t]?(?=[\p{L}\d])/giu;
/** The rest of an address whose `@` was one from the start or became one. */
const DOT_OF_ADDRESS = /(?<=[\w+-]@[a-z\d-]{1,63}) dot (?=[a-z]{2})/gi;
const SLASH = /\[\/\]|\\\//g;
const COLON = /(?<=[\w\]])\[:\](?=[\d/])/g;

/**
 * Restores names and URLs that were written so that readers do not follow them by accident (`hxxps[:]//evil[.]example/`), or so that
 * filters miss them. A dot that was defanged becomes `DEFANGED_DOT`. Takes time linear in the text.
 */
export function refang(text: string): string {
  return text
    .replace(UNSEEN, '')
    .replace(CONTROLS, ' ')
    .replace(DRESSED, (character) => character.normalize('NFKC'))
    .replace(SCHEME, (_all, scheme: string, s: string) => `${/^f/i.test(scheme) ? 'ftp' : 'http'}${s.toLowerCase()}://`)
    .replace(DOT, DEFANGED_DOT)
    .replace(HALF_DOT, '.')
    .replace(AT, '@')
    .replace(DOT_OF_ADDRESS, DEFANGED_DOT)
    .replace(COLON, ':')
    .replace(SLASH, '/');
}

/** The same with dots for those that were defanged. */
export const dotted = (text: string): string => text.replaceAll(DEFANGED_DOT, '.');

/** `https://evil.example` as `hxxps://evil[.]example`: no program takes it for a link. */
export const defanged = (text: string): string =>
  text
    .replace(/^(h)tt(ps?:\/\/)/i, '$1xx$2')
    .replaceAll('.', '[.]')
    .replaceAll('@', '[@]');

/** The other way round, for what is pasted. */
export const refanged = (text: string): string =>
  text
    .replace(/^hxxp/i, 'http')
    .replaceAll(/\[(?:\.|dot)\]|\((?:\.|dot)\)/gi, '.')
    .replaceAll(/\[(?:@|at)\]|\((?:@|at)\)/gi, '@')
    .replaceAll('[:]', ':');

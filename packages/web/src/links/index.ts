export { base64Decoded, percentDecoded } from './rule.ts';
export { LINK_RULES } from './rules.ts';
export { unwrapAll, unwrapLink, unwrapUrl } from './unwrap.ts';

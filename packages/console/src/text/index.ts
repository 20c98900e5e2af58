export { defanged, refanged } from './defang.ts';
export { partsOf, type TextPart, visible } from './hidden.ts';
export { safeAddress, withoutUser } from './address.ts';
export { inWords, itemInWords, sizeOf, titleOf, type Unjudged, unitOf, unjudgedIn } from './names.ts';

export { defanged, refanged } from './defang.ts';
export { partsOf, type TextPart, visible } from './hidden.ts';
export { safeAddress, withoutUser } from './address.ts';
export { FIELD_LISTS, inWords, itemInWords, sizeOf, titleOf, unitOf } from './names.ts';

export { ledTo } from './carried.ts';
export { type DomainLists, domainLists } from './domain-lists.ts';
export { type HtmlLink, htmlOf, type HtmlReading } from './html/html.ts';
export { IMAGE_PIXELS_MAX, IMAGES_MAX, PIXELS_MAX } from './qr-codes.ts';
export { IndicatorReader, type Indicators, isBareAddress } from './reader.ts';

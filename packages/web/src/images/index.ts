export { faviconHash } from './favicon-hash.ts';
export { imageSize } from './image-size.ts';

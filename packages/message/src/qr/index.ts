export { contentOf } from './contents.ts';
export { readPicture } from './read-picture.ts';

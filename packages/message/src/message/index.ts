export { HTML_MAX_CHARS, TEXT_MAX_CHARS } from './body.ts';
export { readMessage } from './read-message.ts';

export { readMessage } from './read-message.ts';

export { events } from './events.ts';

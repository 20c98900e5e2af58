export { headlineOf } from './headline.ts';

export { operations } from './registry.ts';

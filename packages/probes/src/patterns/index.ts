export { PatternMatcher } from './matcher.ts';

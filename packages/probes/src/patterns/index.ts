export { PatternMatcher } from './matcher.ts';
export { compilePattern } from './pattern.ts';

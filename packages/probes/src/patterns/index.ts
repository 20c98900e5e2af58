export { PatternMatcher } from './matcher.ts';
export { fromRe2 } from './re2.ts';

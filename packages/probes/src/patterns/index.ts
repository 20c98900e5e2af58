export { PatternMatcher } from './matcher.ts';
export { fromRe2, withGroups } from './re2.ts';

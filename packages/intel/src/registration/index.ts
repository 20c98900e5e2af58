export { ageOf, isRecent, isVeryRecent } from './age.ts';

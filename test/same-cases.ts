import { configureGlobal } from 'fast-check';

// Generated cases are the same in every run: a change breaks the tests, chance does not. `npm run test:slow` draws new ones.
configureGlobal({ seed: 0x7e6e77e });

import { nearest } from '@vedette/contract';
import { SETTING_NAMES } from './setting-names.ts';

/** One sentence for each setting in the environment that no process of ours reads. */
export const unknownSettings = (env: NodeJS.ProcessEnv): string[] =>
  Object.keys(env)
    .filter((name) => /^vedette_/i.test(name) && !SETTING_NAMES.includes(name))
    .toSorted()
    .map((name) => {
      const meant = nearest(name, SETTING_NAMES);
      return meant === undefined
        ? `${name} is no setting: docs/settings.md has them all`
        : `${name} is no setting: ${meant} was probably meant`;
    });

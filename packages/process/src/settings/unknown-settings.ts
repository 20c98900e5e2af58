import { nearest } from '@vedette/contract';
import { SETTING_NAMES } from './setting-names.ts';

/** The command's own variables, for the shells in which people work (docs/command-line.md). */
const OF_THE_COMMAND: readonly string[] = ['VEDETTE_URL', 'VEDETTE_API_KEY'];

/** One sentence for each setting in the environment that no process of ours reads. */
export const unknownSettings = (env: NodeJS.ProcessEnv): string[] =>
  Object.keys(env)
    .filter((name) => /^vedette_/i.test(name) && !SETTING_NAMES.includes(name) && !OF_THE_COMMAND.includes(name))
    .toSorted()
    .map((name) => {
      const meant = nearest(name, SETTING_NAMES);
      return meant === undefined
        ? `${name} is no setting: docs/settings.md has them all`
        : `${name} is no setting: ${meant} was probably meant`;
    });

import type { Link } from './panels.ts';

/** From a row with a column `Alert` to what to do. */
export const toRunbook = (): Link => ({ title: 'What to do', url: '${runbooks}#${__data.fields.Alert}' });

import { HOSTILE_ARCHIVES } from './hostile/archives.ts';
import { HOSTILE_FIELDS } from './hostile/fields.ts';
import { HOSTILE_FILES } from './hostile/files.ts';
import { HOSTILE_HTMLS } from './hostile/htmls.ts';
import type { HostileMessages } from './hostile/shapes.ts';
import { HOSTILE_STRUCTURES } from './hostile/structure.ts';
import { HOSTILE_TEXTS } from './hostile/texts.ts';

/** Messages that are written to make whoever reads them slow or large, or to make them fail. */
export const HOSTILE_MESSAGES: HostileMessages = {
  ...HOSTILE_STRUCTURES,
  ...HOSTILE_FIELDS,
  ...HOSTILE_TEXTS,
  ...HOSTILE_HTMLS,
  ...HOSTILE_ARCHIVES,
  ...HOSTILE_FILES,
};

import { STRONG_LURES } from './lures.ts';
import { strangeness } from './letters.ts';

/** How a name is made, whatever it means. */
export interface Making {
  /** A tenant's name has a word by which forgers ask for something, beside another one. */
  lures: boolean;
  /** A machine made it: as campaigns do (`campaign`), or as malware and others do (`random`); empty without. */
  machine: 'campaign' | 'random' | '';
}

/** Mean bits of letter triples beyond which hardly a name is. */
const STRANGE = 5.2;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HEX_LABEL = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{6}$/;

/** Judges the label that a tenant or an owner chose, and the labels in front of it. `isTenant`: it was free of charge. */
export function judgeMaking(label: string, subdomain: string, isTenant: boolean): Making {
  const words = label.split(/[-_]/);
  const odd = UUID.test(label) || label.endsWith('-projects') || words.at(-2) === 'projects' ? 0 : words.filter(isOdd).length;
  const campaign = isTenant ? odd >= 2 && words.length >= 3 : HEX_LABEL.test(subdomain);
  return {
    lures: isTenant && words.length > 1 && words.some((word) => STRONG_LURES.has(word)),
    machine: campaign ? 'campaign' : !isTenant && isRandom(label) ? 'random' : '',
  };
}

/** A whole label that cannot be spoken. */
const isRandom = (label: string): boolean =>
  !label.includes('-') && ((label.length >= 8 && turnsOf(label) >= 4) || strangeness(label) > STRANGE);

/** How often letters and figures change. */
const turnsOf = (word: string): number => word.match(/[a-z](?=\d)|\d(?=[a-z])/g)?.length ?? 0;

/** Letters and figures by turns, or letters in an order that no name has. */
const isOdd = (word: string): boolean => (word.length >= 4 && turnsOf(word) >= 2) || strangeness(word) > STRANGE;

import type { LogList } from './log-list.ts';

/** The logs of Certificate Transparency that browsers know. */
export interface Transparency {
  /** Undefined as long as no list has come. */
  list(): LogList | undefined;
}

export interface TransparencySetters {
  setList(list: LogList | undefined): void;
}

export function createTransparency(): Transparency & TransparencySetters {
  let current: LogList | undefined;
  return {
    list: () => current,
    setList(list) {
      current = list;
    },
  };
}

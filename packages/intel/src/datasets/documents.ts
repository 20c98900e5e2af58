import { bytesOf, takeAll } from './rows.ts';
import { defineDataset } from './define.ts';

/** Files of others that are used as they are, such as IANA's registries, by the names of their feeds. */
export class Documents {
  readonly #texts = new Map<string, Uint8Array>();

  /** Undefined where nothing has come yet. */
  text(name: string): string | undefined {
    const bytes = this.#texts.get(name);
    return bytes && new TextDecoder().decode(bytes);
  }

  bytes(name: string): Uint8Array | undefined {
    return this.#texts.get(name);
  }

  set(name: string, bytes: Uint8Array | undefined): void {
    if (bytes) this.#texts.set(name, bytes);
    else this.#texts.delete(name);
  }
}

/** Files that are used as they are. */
export const documents = defineDataset({
  name: 'documents',
  rules: 2,
  async build(file) {
    const counts = await takeAll(file, (fields) => fields.some((field) => field !== ''));
    return { ...counts, forbidden: undefined, bytes: await bytesOf(file) };
  },
  open: ({ documents: kept }) => ({
    use: ({ name }, snapshot) => kept.set(name, snapshot),
    drop: ({ name }) => kept.set(name, undefined),
  }),
});

import { type Field, field, flag } from '@vedette/contract';
import type { Names } from '../ports/index.ts';
import type { NameList } from './tables/catalogue.ts';

interface Category extends Field {
  list: NameList;
}
const category = (list: NameList, description: string): Category => ({ ...field(flag(description)), list });

/** Kinds of places that a host can be or be in, each by the list that says so. */
export const HOST_CATEGORIES = {
  is_free_hosting: category('free-hosting', 'The host gives away websites, or is one of them'),
  is_anonymizer: category('anonymizers', 'The host hides its visitors from others: a web proxy, or a gateway to hidden services'),
  is_url_shortener: category('url-shorteners', 'The host redirects short addresses to other sites'),
  is_free_dynamic_dns: category('dynamic-dns', 'The host is below a dynamic DNS domain that offers free names for changing addresses'),
  is_code_sandbox: category('code-sandboxes', 'The host runs code that visitors write'),
  is_form_builder: category('form-builders', 'The host shows forms that visitors make'),
  is_free_file_sharing: category('file-sharing', 'The host serves files that visitors leave'),
  is_pastebin: category('pastebins', 'The host shows text that visitors leave'),
  is_qrcode_service: category('qrcode-services', 'The host makes QR codes, or is where they lead to first'),
};

export type HostCategories = Record<keyof typeof HOST_CATEGORIES, boolean>;

/** Returns the categories of a host or of its parents; false for a list that is not loaded. */
export function hostCategories(host: string, names: Names): HostCategories {
  const on = new Set<string>(names.listings(host).map(({ list }) => list));
  return Object.fromEntries(Object.entries(HOST_CATEGORIES).map(([name, { list }]) => [name, on.has(list)])) as HostCategories;
}

/** Categories in which anyone can get a name free of charge. */
const RISKY = ['is_free_dynamic_dns', 'is_free_hosting', 'is_url_shortener'] as const satisfies (keyof HostCategories)[];

/** Returns the risky category of a host; empty without one. */
export const riskyCategory = (categories: HostCategories): string =>
  RISKY.find((category) => categories[category])
    ?.slice(3)
    .replaceAll('_', ' ') ?? '';

import type { Names } from '@vedette/contract';
import type { NameList } from './tables/catalogue.ts';

/** Kinds of places that a host can be, as the contract names them, by the list that says so. */
const LIST_OF = {
  is_free_hosting: 'free-hosting',
  is_anonymizer: 'anonymizers',
  is_url_shortener: 'url-shorteners',
  is_free_dynamic_dns: 'dynamic-dns',
  is_code_sandbox: 'code-sandboxes',
  is_form_builder: 'form-builders',
  is_free_file_sharing: 'file-sharing',
  is_pastebin: 'pastebins',
  is_qrcode_service: 'qrcode-services',
} as const satisfies Record<string, NameList>;

export type HostCategories = Record<keyof typeof LIST_OF, boolean>;

/** What kind of place a host is, or is in: a list that is not there says no. */
export function hostCategories(host: string, names: Names): HostCategories {
  const on = new Set(names.listings(host).map(({ list }) => list));
  const is = (category: keyof typeof LIST_OF): boolean => on.has(LIST_OF[category]);
  return {
    is_free_hosting: is('is_free_hosting'),
    is_anonymizer: is('is_anonymizer'),
    is_url_shortener: is('is_url_shortener'),
    is_free_dynamic_dns: is('is_free_dynamic_dns'),
    is_code_sandbox: is('is_code_sandbox'),
    is_form_builder: is('is_form_builder'),
    is_free_file_sharing: is('is_free_file_sharing'),
    is_pastebin: is('is_pastebin'),
    is_qrcode_service: is('is_qrcode_service'),
  };
}

/** Kinds of places where whoever likes is somebody else's name, for nothing. */
const RISKY = ['is_free_dynamic_dns', 'is_free_hosting', 'is_url_shortener'] as const satisfies (keyof HostCategories)[];

/** What kind of risky place it is; empty where it is none. */
export const riskyCategory = (categories: HostCategories): string =>
  RISKY.find((category) => categories[category])
    ?.slice(3)
    .replaceAll('_', ' ') ?? '';

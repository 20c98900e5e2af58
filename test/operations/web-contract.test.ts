import { describe, expect, it } from 'vitest';
import { operations } from '@vedette/operations';

/** The API contract's parameters and fields of what fetches and renders, written by hand: our own schemas are what is judged. */
interface Wanted {
  cost: number;
  required: string;
  /** Name, type, default (absent where there is none), smallest and largest, words. */
  parameters: Readonly<Record<string, readonly [type: string, ...rest: unknown[]]>>;
  /** Path and type of fields, `[]` for what is in an array. */
  fields: Readonly<Record<string, string>>;
}

const INTEGER = (maximum: number, usual?: number) => ['integer', usual, maximum] as const;
const FLAG = (usual: boolean) => ['boolean', usual] as const;
const TEXT = ['string'] as const;
const LANGUAGE = ['string', 'en-US'] as const;
const URL = { url: TEXT };
const AGENT = { user_agent: ['string', 'desktop', 'desktop mobile'] as const, accept_language: LANGUAGE };
const PAGE = {
  ...URL,
  ...AGENT,
  viewport_width: INTEGER(5000, 1920),
  viewport_height: INTEGER(10_000, 1080),
  basic_auth_username: TEXT,
  basic_auth_password: TEXT,
  authorization_bearer: TEXT,
  custom_header: TEXT,
  disable_js: FLAG(false),
  disable_popups: FLAG(true),
  disable_images: FLAG(false),
  disable_ads: FLAG(true),
  delay: INTEGER(10, 0),
};
const PDF = {
  pdf_papersize_width: INTEGER(5000, 0),
  pdf_papersize_height: INTEGER(10_000, 0),
  pdf_format: ['string', 'A4', 'A0 A1 A2 A3 A4 A5 A6 Ledger Legal Letter Tabloid'] as const,
  pdf_margin: ['integer', 0] as const,
  pdf_show_background: FLAG(true),
  pdf_landscape: FLAG(false),
  pdf_page_ranges: TEXT,
  // The contract has none for it: ours is the page as it is.
  pdf_scale: ['number', 1, 2] as const,
  pdf_one_page: FLAG(false),
};
const MEDIA = { emulate_media: ['string', 'screen', 'print screen'] as const };

const all = (names: string, type: string, path = '') => Object.fromEntries(names.split(' ').map((name) => [path + name, type]));
const FILE = {
  ...all('format date_time_utc base64_file file_size_readable', 'string', 'rendered_file.'),
  'rendered_file.file_size_bytes': 'integer',
};
const IMAGE = { ...FILE, ...all('image_width image_height', 'integer', 'rendered_file.') };
const OPENED = {
  url: 'string',
  ...all('final_url content_type ip', 'string', 'http_response.'),
  'http_response.status_code': 'integer',
  'http_response.page_content_empty': 'boolean',
  ...all('title description og_image icon og_site_name ld_organization canonical robots socialnet_site lang', 'string', 'html_info.'),
};

const CONTRACT: Readonly<Record<string, Wanted>> = {
  'http3-status': {
    cost: 1,
    required: 'url',
    parameters: URL,
    fields: {
      ...all('url status_message protocol', 'string'),
      status_code: 'integer',
      http3_supported: 'boolean',
      response_headers: 'object',
      alpn_identifiers: 'array',
      'alpn_identifiers[]': 'string',
    },
  },
  'http-tracker': {
    cost: 20,
    required: 'url',
    parameters: { ...URL, ...AGENT },
    fields: {
      url: 'string',
      ...all('url content_type ip_address', 'string', 'http_requests[].'),
      ...all('status_code content_length elapsed_ms', 'integer', 'http_requests[].'),
      ...all('hosts_list[] ips_list[]', 'string'),
      ...all(
        'total_requests unsecure_requests same_origin_requests cross_origin_requests unique_hosts external_hosts unique_ips 2xx_status_codes 3xx_status_codes 4xx_status_codes 5xx_status_codes transferred_bytes html_files html_files_bytes image_files image_files_bytes javascript_files javascript_files_bytes css_files css_files_bytes font_files font_files_bytes',
        'integer',
        'stats.',
      ),
    },
  },
  screenshot: {
    cost: 20,
    required: 'url',
    parameters: {
      ...PAGE,
      // Without a default for machines: a device has its own.
      viewport_width: INTEGER(5000),
      viewport_height: INTEGER(10_000),
      image_type: ['string', 'png', 'avif jpeg png webp'],
      full_page: FLAG(false),
      image_width: INTEGER(5000),
      image_height: INTEGER(10_000),
      add_url_bar: FLAG(false),
      disable_fonts: FLAG(false),
      omit_background: FLAG(false),
      grayscale: FLAG(false),
      emulate_device: [
        'string',
        undefined,
        'ipad ipad_landscape iphone13 iphone13_landscape iphone5 iphone5_landscape iphone8 iphone8_landscape',
      ],
      dark_mode: FLAG(false),
    },
    fields: { ...OPENED, ...IMAGE },
  },
  'url-to-pdf': { cost: 20, required: 'url', parameters: { ...PAGE, ...MEDIA, ...PDF }, fields: { ...OPENED, ...FILE } },
  'html-to-pdf': { cost: 20, required: 'html_base64', parameters: { html_base64: TEXT, ...PDF }, fields: FILE },
  'html-to-png': { cost: 20, required: 'html_base64', parameters: { html_base64: TEXT }, fields: IMAGE },
};

interface Schema {
  type?: string;
  enum?: string[];
  default?: unknown;
  maximum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** The schema at a path such as `list[].name`, whose every part the report must have. */
function at(schema: Schema, path: string): Schema | undefined {
  return path.split('.').reduce<Schema | undefined>((here, part) => {
    const name = part.replace('[]', '');
    const found = here?.required?.includes(name) ? here.properties?.[name] : undefined;
    return part.endsWith('[]') ? found?.items : found;
  }, schema);
}

describe.each(Object.entries(CONTRACT))('%s', (name, { cost, required, parameters, fields }) => {
  const operation = operations.find((one) => one.name === name)!;
  const request: Schema = operation.request;

  it('costs what it is to cost', () => expect(operation.cost).toBe(cost));

  it('requires what it is to require', () => expect(request.required?.join(' ')).toBe(required));

  it.each(Object.entries(parameters))('takes %s', (parameter, [type, usual, limit]) => {
    const schema = request.properties?.[parameter];
    const words = schema?.enum?.toSorted().join(' ');
    expect([schema?.type ?? (words && 'string'), schema?.default, typeof limit === 'number' ? schema?.maximum : words]).toEqual([
      type,
      usual,
      limit,
    ]);
  });

  it('reports every field, of its type, always', () => {
    const schema: Schema = operation.response;
    expect(Object.fromEntries(Object.keys(fields).map((path) => [path, at(schema, path)?.type]))).toEqual(fields);
  });
});

it.each(['screenshot', 'url-to-pdf'])('%s says of answer and page what the contract lists, and no more', (name) => {
  const { properties } = operations.find((one) => one.name === name)!.response as Schema;
  const listed = (object: string) =>
    Object.keys(OPENED).flatMap((path) => (path.startsWith(`${object}.`) ? [path.slice(object.length + 1)] : []));
  for (const object of ['http_response', 'html_info'])
    expect(Object.keys(properties![object]!.properties!).toSorted()).toEqual(listed(object).toSorted());
});

it('pictures alone have sizes, and files of pages none', () => {
  const sized = operations.filter(({ response }) => at(response as Schema, 'rendered_file.image_width') !== undefined);
  expect(sized.map(({ name }) => name).toSorted()).toEqual(['html-to-png', 'screenshot']);
});

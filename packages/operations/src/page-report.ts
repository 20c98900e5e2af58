import { type LoadedPage, type Reason, REASONS } from '@vedette/contract';
import { type PageInfo, readDocument } from '@vedette/intel/page';
import { Type } from 'typebox';

/** What reports of a page say where there is none. */
export const PageFailure = {
  error: Type.String({ description: 'Why there is no page; empty where there is' }),
  reason: Type.Unsafe<Reason | ''>({
    title: 'PageReason',
    type: 'string',
    enum: ['', ...Object.keys(REASONS)],
    description: 'The same for programs. docs/reference/errors.md says of each whose fault it is',
  }),
};

/** What reports about a rendered URL say of its page. */
export const PageReport = {
  http_response: Type.Object(
    {
      final_url: Type.String({ description: 'As the address bar showed it in the end; empty where no page came' }),
      content_type: Type.String({ description: 'Of the document; empty where its server named none' }),
      ip: Type.String({ description: 'Address of the server that sent the document' }),
      status_code: Type.Integer({ description: 'Of the document; 0 where no answer came' }),
      page_content_empty: Type.Boolean({ description: 'There is nothing on the page that could be seen' }),
    },
    { title: 'PageResponse', description: 'What came of opening the URL' },
  ),
  html_info: Type.Object(
    {
      title: Type.String({ description: 'Of the page after its scripts ran, as all fields here' }),
      description: Type.String({ description: 'Meta description' }),
      og_image: Type.String({ description: 'Open Graph picture, absolute URL' }),
      icon: Type.String({ description: 'The page’s own icon, absolute URL' }),
      og_site_name: Type.String({ description: 'Open Graph site name' }),
      ld_organization: Type.String({ description: 'Name of the first organisation in JSON-LD' }),
      canonical: Type.String({ description: 'Canonical link, absolute URL' }),
      robots: Type.String({ description: 'Meta robots' }),
      socialnet_site: Type.String({ description: 'Meta twitter:site' }),
      lang: Type.String({ description: 'Language that the document names' }),
    },
    { title: 'PageHtmlInfo', description: 'What the page says of itself; empty strings where it says nothing' },
  ),
  ...PageFailure,
};

/** Reads what a browser brought back. */
export async function pageReport({ failure, ...http_response }: LoadedPage, html: string, signal: AbortSignal) {
  return {
    http_response,
    html_info: html === '' ? NOTHING : await htmlInfo(html, http_response.final_url, signal),
    ...whyNone(failure),
  };
}

export const whyNone = (failure: LoadedPage['failure']) => ({ error: failure?.error ?? '', reason: failure?.reason ?? ('' as const) });

const FIELDS = [
  'title',
  'description',
  'og_image',
  'og_site_name',
  'ld_organization',
  'canonical',
  'robots',
  'socialnet_site',
  'lang',
] as const;
type HtmlInfo = Record<(typeof FIELDS)[number] | 'icon', string>;
const NOTHING: HtmlInfo = {
  title: '',
  description: '',
  og_image: '',
  icon: '',
  og_site_name: '',
  ld_organization: '',
  canonical: '',
  robots: '',
  socialnet_site: '',
  lang: '',
};

async function htmlInfo(html: string, url: string, signal: AbortSignal): Promise<HtmlInfo> {
  const { info, icons } = await readDocument(html, url, signal);
  const named = Object.fromEntries(FIELDS.map((field) => [field, info[field]])) as Pick<PageInfo, (typeof FIELDS)[number]>;
  return { ...NOTHING, ...named, icon: icons[0] ?? '' };
}

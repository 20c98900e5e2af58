import { type LoadedPage, type Reason, REASONS, shownUrl } from '@vedette/contract';
import { type PageInfo, readDocument } from '@vedette/web/page';
import { withoutUser } from './url-parts.ts';
import { Type } from 'typebox';

/** How much of a page was not fetched since it asked for too much. */
export const RefusedRequests = {
  refused_requests: Type.Integer({
    description:
      'Requests of the page that were not sent, since a page may send 500, and 300 of them to one site that is not its own; what they were for is missing',
  }),
};

/** What reports of a page say of what did not come. */
export const PageFailure = {
  ...RefusedRequests,
  error: Type.String({ description: 'Why there is no page; empty where there is' }),
  reason: Type.Unsafe<Reason | ''>({
    title: 'PageReason',
    type: 'string',
    enum: ['', ...Object.keys(REASONS)],
    description: 'The same for programs. docs/reference/errors.md says of each whose fault it is',
  }),
};

/** Where a page leads that is no page. */
export const LeadsTo = Type.String({
  description:
    'URL that the page tried to open in its place, where that is not a page: of another program (mailto:, tg:, intent:), a download, or an answer without content (status 204). Empty where the page tried none',
});

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
  leads_to: LeadsTo,
  ...PageFailure,
};

/** Reads what a browser brought back. */
export async function pageReport(page: LoadedPage, html: string, signal: AbortSignal) {
  const { failure: _failure, refused_requests: _refused, leads_to = '', ...http_response } = page;
  const { final_url } = http_response;
  return {
    http_response: { ...http_response, final_url: shownUrl(final_url) },
    html_info: html === '' ? NOTHING : await htmlInfo(html, withoutUser(final_url), signal),
    leads_to: shownUrl(leads_to),
    ...whyNone(page),
  };
}

export const whyNone = ({ failure, refused_requests = 0 }: Pick<LoadedPage, 'failure' | 'refused_requests'>) => ({
  refused_requests,
  error: failure?.error ?? '',
  reason: failure?.reason ?? ('' as const),
});

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

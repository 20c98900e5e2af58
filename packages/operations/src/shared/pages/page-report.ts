import { type LoadedPage, type Reason, REASONS, shownUrl } from '@vedette/contract';
import { type PageInfo, readDocument } from '@vedette/web/page';
import { Type } from 'typebox';

/** How much of a page was not fetched since it asked for too much. */
export const RefusedRequests = {
  refused_requests: Type.Integer({
    description: 'Requests blocked by the limits of 500 per page and 300 per external site; the content of these requests is missing',
  }),
};

/** The fields of page reports about missing resources. */
export const PageFailure = {
  ...RefusedRequests,
  error: Type.String({ description: 'Reason why no page loaded; empty otherwise' }),
  reason: Type.Unsafe<Reason | ''>({
    title: 'PageReason',
    type: 'string',
    enum: ['', ...Object.keys(REASONS)],
    description: 'Reason code why no page loaded. docs/reference/errors.md says which side each reason blames',
  }),
};

/** The error for a URL that is not a page. */
export const LeadsTo = Type.String({
  description:
    'Target that the page tried to open but that is not a page: another program (mailto:, tg:, intent:), a download, or a 204 response. Empty if none',
});

/** The fields of reports about the page of a rendered URL. */
export const PageReport = {
  http_response: Type.Object(
    {
      final_url: Type.String({ description: 'Final URL in the address bar; empty if no page loaded' }),
      content_type: Type.String({ description: 'Content type of the document; empty if the server sent none' }),
      ip: Type.String({ description: 'IP address of the server that sent the document' }),
      status_code: Type.Integer({ description: 'HTTP status of the document; 0 if no response arrived' }),
      page_content_empty: Type.Boolean({ description: 'The page has no visible content' }),
    },
    { title: 'PageResponse', description: 'Outcome of loading the URL' },
  ),
  html_info: Type.Object(
    {
      title: Type.String({ description: 'Title of the page after its scripts ran, like all fields of `html_info`' }),
      description: Type.String({ description: 'Content of `meta` description' }),
      og_image: Type.String({ description: 'Absolute URL of the Open Graph image' }),
      icon: Type.String({ description: "Absolute URL of the page's icon" }),
      og_site_name: Type.String({ description: 'Open Graph site name' }),
      ld_organization: Type.String({ description: 'Name of the first organization in JSON-LD' }),
      canonical: Type.String({ description: 'Absolute URL of the canonical link' }),
      robots: Type.String({ description: 'Content of `meta` robots' }),
      socialnet_site: Type.String({ description: 'Content of `meta` twitter:site' }),
      lang: Type.String({ description: 'Language that the document declares' }),
    },
    { title: 'PageHtmlInfo', description: 'Metadata of the page; empty strings for missing values' },
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
    html_info: html === '' ? NOTHING : await htmlInfo(html, final_url, signal),
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

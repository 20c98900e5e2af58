import { text, texts } from '@vedette/contract';
import { Type } from 'typebox';

/** `html_info` of reports about a page: `PageInfo` of `@vedette/web/page`, with where the page leads by itself. */
export const PageInfoReport = Type.Object(
  {
    title: text('Content of `title`'),
    description: text('Content of `meta` description'),
    keywords: text('Content of `meta` keywords'),
    author: text('Content of `meta` author'),
    robots: text('Content of `meta` robots'),
    searchbot: text("Content of the `meta` element named after the search engine's robot"),
    canonical: text('URL of `link rel=canonical`'),
    og_image: text('URL of the Open Graph image'),
    og_type: text('Open Graph type'),
    og_site_name: text('Open Graph site name'),
    og_url: text('Open Graph URL'),
    article_publisher: text('Open Graph article:publisher'),
    socialnet_site: text('Social network account of the site (`twitter:site`)'),
    social_app_id: text('Social network app of the site (`fb:app_id`)'),
    ld_organization: text('Name of the first organization in JSON-LD'),
    ld_url: text('URL of the first organization in JSON-LD'),
    ld_logo: text('Logo URL of the first organization in JSON-LD'),
    ld_same_as: texts('Other URLs of the first organization in JSON-LD (`sameAs`)'),
    refresh_url: text('Target of `meta http-equiv=refresh`'),
    mobilevendor_app_id: text("Number of the site's iOS app"),
    mobilevendor_app_name: text("Name of the site's iOS app"),
    mobilevendor_touch_icon: Type.Array(
      Type.Object(
        { size: text('Sizes as written in the page, such as 180x180; empty if absent'), href: text('Absolute URL of the icon') },
        { title: 'TouchIcon' },
      ),
      { description: 'Icons of `link rel=apple-touch-icon`' },
    ),
    icon: text('URL of `link rel=icon`'),
    lang: text('Language of the `html` element'),
    generator: texts('Content of `meta` generator'),
    hreflang: texts('Languages of `link rel=alternate hreflang`'),
    h1: texts('First-level headings'),
    h2: texts('Second-level headings'),
    h3: texts('Third-level headings'),
  },
  { title: 'PageInfo', description: 'Metadata of the page, with absolute URLs; empty strings for missing values or without a page' },
);

import { text, texts } from '@vedette/contract';
import { Type } from 'typebox';

/** `html_info` of reports about a page: `PageInfo` of `@vedette/web/page`, with where the page leads by itself. */
export const PageInfoReport = Type.Object(
  {
    title: text('Content of `title`'),
    description: text('`meta` description'),
    keywords: text('`meta` keywords'),
    author: text('`meta` author'),
    robots: text('`meta` robots'),
    searchbot: text("`meta` named after the search engine's robot"),
    canonical: text('URL of `link rel=canonical`'),
    og_image: text('Open Graph image'),
    og_type: text('Open Graph type'),
    og_site_name: text('Open Graph site name'),
    og_url: text('Open Graph URL'),
    article_publisher: text('Open Graph article:publisher'),
    socialnet_site: text("The site's account at a social network (`twitter:site`)"),
    social_app_id: text("The site's app at a social network (`fb:app_id`)"),
    ld_organization: text('Name of the first organisation in JSON-LD'),
    ld_url: text('Its URL'),
    ld_logo: text("Its logo's URL"),
    ld_same_as: texts('Its other URLs'),
    refresh_url: text('Where `meta http-equiv=refresh` leads'),
    mobilevendor_app_id: text("Number of the site's app for iOS"),
    mobilevendor_app_name: text('Its name'),
    mobilevendor_touch_icon: Type.Array(
      Type.Object(
        { size: text('As written, such as 180x180; empty where it is not told'), href: text('Absolute') },
        { title: 'TouchIcon' },
      ),
      { description: '`link rel=apple-touch-icon`' },
    ),
    icon: text('`link rel=icon`'),
    lang: text('Language of `html`'),
    generator: texts('`meta` generator'),
    hreflang: texts('Languages of `link rel=alternate hreflang`'),
    h1: texts('Headings of the first level'),
    h2: texts('Of the second'),
    h3: texts('Of the third'),
  },
  { title: 'PageInfo', description: 'What the page says of itself, its URLs absolute; empty where it does not, or where no page came' },
);

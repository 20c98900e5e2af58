import { services } from '../addresses/services.ts';
import { type CatalogueRow, github, google, row } from './row.ts';

const crawling = (file: string): string => `https://developers.google.com/static/crawling/ipranges/${file}.json`;

/** Robots that say who they are, by where they come from. */
export const CRAWLER_FEEDS: readonly CatalogueRow[] = [
  row({
    ...google,
    name: 'google-common-crawlers',
    url: crawling('common-crawlers'),
    tells: "Google's search crawlers",
    attribution: 'Google, https://developers.google.com/crawling',
    min_rows: 20,
  }),
  row({
    ...google,
    name: 'google-special-crawlers',
    url: crawling('special-crawlers'),
    tells: "Google's crawlers for other products",
    attribution: 'Google, https://developers.google.com/crawling',
  }),
  row({
    ...google,
    name: 'google-user-fetchers',
    list: 'google-user-triggered',
    label: 'user-triggered-fetchers',
    url: crawling('user-triggered-fetchers'),
    tells: 'what Google fetches since a user wants it',
    attribution: 'Google, https://developers.google.com/crawling',
  }),
  row({
    ...google,
    name: 'google-user-fetchers-google',
    list: 'google-user-triggered',
    label: 'user-triggered-fetchers-google',
    url: crawling('user-triggered-fetchers-google'),
    tells: 'what Google fetches from its own networks since a user wants it',
    attribution: 'Google, https://developers.google.com/crawling',
  }),
  row({
    ...google,
    name: 'bingbot',
    url: 'https://www.bing.com/toolbox/bingbot.json',
    tells: "Bing's search crawler",
    attribution: 'Microsoft, https://www.bing.com/webmasters',
  }),
  row({
    ...google,
    name: 'applebot',
    url: 'https://search.developer.apple.com/applebot.json',
    tells: "Apple's search crawler",
    attribution: 'Apple Inc., https://support.apple.com/en-us/119829',
    min_rows: 1,
  }),
  ...['gptbot', 'searchbot', 'chatgpt-user'].map((bot) =>
    row({
      ...google,
      name: `openai-${bot}`,
      list: 'openai-bots',
      label: bot,
      url: `https://openai.com/${bot}.json`,
      tells: "OpenAI's crawlers and fetchers",
      attribution: 'OpenAI, https://platform.openai.com/docs/bots',
      min_rows: 1,
    }),
  ),
  ...['crawlers', 'monitoring'].map((kind) =>
    row({
      dataset: services,
      name: kind,
      url: github(`ipverse/bot-ip-blocks/master/${kind}.json`),
      format: 'json',
      // For some services it lists the owner's whole autonomous system, and marks this in the label for those who judge addresses.
      pick: { at: ['services.*.ipv4.*', 'services.*.ipv6.*'], label: ['@1', 'ip_list_authoritative'] },
      tells:
        kind === 'crawlers'
          ? 'crawlers of search engines, SEO tools and language models, by provider'
          : 'probes of services that watch sites, by provider',
      licence: 'CC0-1.0',
      attribution: 'ipverse bot-ip-blocks, https://github.com/ipverse/bot-ip-blocks',
      min_rows: 100,
    }),
  ),
];

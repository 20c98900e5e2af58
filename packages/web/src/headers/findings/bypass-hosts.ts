/** Hosts with JSONP endpoints or copies of AngularJS, by which injected markup runs code in spite of a list of hosts. */
const HOSTS: ReadonlySet<string> = new Set([
  'accounts.google.com', 'ajax.googleapis.com', 'api.flickr.com', 'api.map.baidu.com', 'api.twitter.com', 'api.vk.com', 'api.instagram.com',
  'cdn.bootcss.com', 'cdn.jsdelivr.net', 'cdn.shopify.com', 'cdnjs.cloudflare.com', 'clients1.google.com', 'code.angularjs.org', 'cse.google.com',
  'dl.dropboxusercontent.com', 'googleads.g.doubleclick.net', 'graph.facebook.com', 'gstatic.com', 'maps.google.com', 'maps.googleapis.com', 'mc.yandex.ru',
  'oss.maxcdn.com', 'pagead2.googlesyndication.com', 'raw.githubusercontent.com', 'storage.googleapis.com', 'suggest.taobao.com', 'suggestqueries.google.com',
  'translate.google.com', 'translate.googleapis.com', 'unpkg.com', 'vimeo.com', 'widgets.pinterest.com', 'www.googleapis.com', 'www.google.com', 'www.gstatic.com',
  'www.youtube.com', 'yastatic.net', 'yandex.st',
]); // prettier-ignore
/** Hosts whose endpoints run code only beside `'unsafe-eval'`. */
const WITH_EVAL: ReadonlySet<string> = new Set([
  'google-analytics.com',
  'googletagmanager.com',
  'ssl.google-analytics.com',
  'www.google-analytics.com',
  'www.googleadservices.com',
  'www.googletagmanager.com',
]);

const SOURCE_MAX_CHARS = 300;

/** The known host that a source allows as a whole; undefined where it allows none, or only a path of one. */
export function bypassOf(source: string, hasEval: boolean): string | undefined {
  if (source.length > SOURCE_MAX_CHARS) return undefined;
  const [, host = '', path = ''] = /^(?:https?:\/\/)?(\*?[a-z0-9.-]+\.[a-z]+)(?::[\d*]+)?(\/[^?#]*)?$/.exec(source) ?? [];
  if (host === '' || (path !== '' && path !== '/')) return undefined;
  const known = hasEval ? [...HOSTS, ...WITH_EVAL] : [...HOSTS];
  return host.startsWith('*.') ? known.find((one) => one.endsWith(host.slice(1))) : known.find((one) => one === host);
}

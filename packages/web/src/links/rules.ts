import { type LinkRule, base64Decoded, parameter, percentDecoded } from './rule.ts';
import { unwrapUrlDefense } from './urldefense.ts';

const gateway = (name: string, hosts: readonly string[], find: LinkRule['find']): LinkRule => ({ name, kind: 'gateway', hosts, find });
const exit = (name: string, hosts: readonly string[], find: LinkRule['find']): LinkRule => ({ name, kind: 'exit', hosts, find });

const at =
  (path: RegExp, ...names: readonly string[]): LinkRule['find'] =>
  (url) =>
    path.test(url.pathname) ? parameter(url, ...names) : undefined;

/** The path with the query and fragment that belong to it. */
const whole = (url: URL): string => `${url.pathname}${url.search}${url.hash}`;

/** `/v2/___<url>___.<signature>`, later `/v2/r01/___<url>___.<signature>`: the URL as it is, its query included. */
const underscored: LinkRule['find'] = (url) => /^\/v2\/(?:[\w-]{1,40}\/)?___(.{1,8192}?)___(?:[.?]|$)/.exec(whole(url))?.[1];

/** The URL is the last part of the path, after a token; older ones have both with names, which are in the path too. */
const lastOfPath: LinkRule['find'] = (url) => {
  const found = /^\/(?:[^/]{8,4096}\/|auth=[^/&]{1,4096}&url=)([a-z]+(?:%3A|:)(?:%2F|\/).{1,8192})$/is.exec(whole(url))?.[1];
  return found === undefined ? undefined : percentDecoded(found);
};

const GOOGLE_HOSTS =
  'com ad ae al am as at az ba be bf bg bi bj bs bt by ca cat cd cf cg ch ci cl cm cn co.ao co.bw co.ck co.cr co.id co.il co.in co.jp co.ke co.kr co.ls co.ma co.mz co.nz co.th co.tz co.ug co.uk co.uz co.ve co.vi co.za co.zm co.zw com.af com.ag com.ar com.au com.bd com.bh com.bn com.bo com.br com.bz com.co com.cu com.cy com.do com.ec com.eg com.et com.fj com.gh com.gi com.gt com.hk com.jm com.kh com.kw com.lb com.ly com.mm com.mt com.mx com.my com.na com.ng com.ni com.np com.om com.pa com.pe com.pg com.ph com.pk com.pr com.py com.qa com.sa com.sb com.sg com.sl com.sv com.tj com.tr com.tw com.ua com.uy com.vc com.vn cv cz de dj dk dm dz ee es fi fm fr ga ge gg gl gm gr gy hn hr ht hu ie im iq is it je jo kg ki kz la li lk lt lu lv md me mg mk ml mn mu mv mw ne nl no nr nu pl pn ps pt ro rs ru rw sc se sh si sk sm sn so sr st td tg tl tm tn to tt vu ws'
    .split(' ')
    .flatMap((suffix) => [`google.${suffix}`, `www.google.${suffix}`]);

/** Bing writes `a1` and the URL in base64. */
const bing: LinkRule['find'] = (url) =>
  url.pathname === '/ck/a' ? base64Decoded(/^a1([\w-]+)$/.exec(parameter(url, 'u') ?? '')?.[1] ?? '') : undefined;

/** Yahoo writes it as a part of the path: `…/RU=<url>/RK=2/RS=…`. */
const yahoo: LinkRule['find'] = (url) => {
  const found = /\/RU=([^/]{1,8192})(?:\/|$)/.exec(url.pathname)?.[1];
  return found === undefined ? undefined : percentDecoded(found);
};

/** Amazon SES writes it as the second part of the path: `/L0/https:%2F%2F…/1/<id>/<signature>`. */
const awsTrack: LinkRule['find'] = (url) => {
  const found = /^\/[LI]0\/([^/]{1,8192})(?:\/|$)/.exec(url.pathname)?.[1];
  return found === undefined ? undefined : percentDecoded(found);
};

/** Google Translate writes the host as a label of its own, its dots as `-` and its hyphens as `--`; `_x_tr_sch` is there where it asks by http. */
const translated: LinkRule['find'] = (url) => {
  const host = url.hostname.slice(0, -'.translate.goog'.length).replace(/--|-/g, (hyphens) => (hyphens === '-' ? '.' : '-'));
  const scheme = parameter(url, '_x_tr_sch') === 'http' ? 'http' : 'https';
  return `${scheme}://${host}${url.pathname}${url.search.replace(/[?&]_x_tr_\w+=[^&]*/g, '').replace(/^&/, '?')}`;
};

/** Sophos writes the URL in base64 as `u`, its domain as `d`. */
const sophos: LinkRule['find'] = (url) => (parameter(url, 'd') === undefined ? undefined : base64Decoded(parameter(url, 'u') ?? ''));

/** Mandrill writes JSON within JSON in base64. */
function mandrill(url: URL): string | undefined {
  if (!/^\/track\/click\/\d+\/[^/]+$/.test(url.pathname)) return undefined;
  const inner = fieldOf(base64Decoded(parameter(url, 'p') ?? ''), 'p');
  return fieldOf(inner, 'url');
}

function fieldOf(json: string | undefined, name: string): string | undefined {
  if (json === undefined) return undefined;
  try {
    const value = new Map<string, unknown>(Object.entries(JSON.parse(json) ?? {})).get(name);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined; // a SyntaxError
  }
}

/**
 * Services that rewrite links of messages and of sites, and the place of the target in their links. Mimecast is missing: its links do not
 * contain the target.
 */
export const LINK_RULES: readonly LinkRule[] = [
  gateway('Microsoft Safe Links', ['*.safelinks.protection.outlook.com', '*.safelinks.protection.office365.us', 'safelinks.protection.outlook.com'], at(/^\/(?:ap\/.*)?$/, 'url')),
  gateway('Microsoft Safe Links', ['statics.teams.cdn.office.net', 'statics.teams.microsoft.com'], at(/\/atp-safelinks\.html$/, 'url')),
  gateway('Outlook on the web', ['outlook.office.com', 'outlook.office365.com', 'outlook.live.com', 'outlook.cloud.microsoft'], at(/\/safelink\.html$/i, 'url')),
  gateway('Proofpoint URL Defense', ['urldefense.com', 'urldefense.us', 'urldefense.proofpoint.com'], unwrapUrlDefense),
  gateway('Barracuda Link Protection', ['linkprotect.cudasvc.com'], at(/^\/(?:url)?$/, 'a')),
  gateway('Sophos Email', ['*.protection.sophos.com'], sophos),
  gateway('Trend Micro', ['*.trendmicro.com', '*.trendmicro.eu', '*.trendmicro.co.jp', '*.asiainfo-sec.com'], at(/^\/wis\/clicktime\/v\d+\/query$/, 'url')),
  gateway('FireEye', ['protect.fireeye.com', 'protect2.fireeye.com'], at(/^\/(?:v1\/)?url$/, 'u')),
  gateway('Libraesva', ['urlsand.esvalabs.com'], at(/^\/$/, 'u')),
  gateway('Amazon SES', ['*.awstrack.me'], awsTrack),
  gateway('Azure', ['emails.azure.microsoft.com'], at(/^\/redirect\/?$/, 'destination')),
  gateway('WhatsApp', ['l.wl.co', 'l.whatsapp.com'], at(/^\/l(?:\.php)?\/?$/, 'u')),
  gateway('Cisco Secure Email', ['secure-web.cisco.com'], lastOfPath),
  gateway('Check Point Harmony Email', ['url.avanan.click', 'protect.checkpoint.com'], underscored),
  gateway('Symantec Click-time Protection', ['clicktime.symantec.com', 'clicktime.cloud.postoffice.net'], at(/./, 'u')),
  gateway('Hornetsecurity', ['atpscan.global.hornetsecurity.com'], at(/^\/(?:index\.php)?$/, 'u')),
  gateway('Trustwave MailMarshal', ['scanmail.trustwave.com'], at(/^\/$/, 'u')),
  gateway('TitanHQ Link Lock', ['linklock.titanhq.com'], at(/^\/analyse$/, 'url')),
  gateway('EdgePilot', ['link.edgepilot.com'], at(/^\/[sx]\//, 'u')),
  gateway('FortiMail', ['*.fortimailcloud.com'], at(/^\/fmlurlsvc\/?$/, 'url')),
  gateway('GMX and WEB.DE', ['deref-gmx.net', 'deref-gmx.com', 'deref-web.de', 'deref-mail.com', 'deref-1und1.de'], at(/^\/mail\/client\/.*dereferrer\/?$/, 'redirectUrl')),
  gateway('Exclaimer', ['*.content.exclaimer.net'], at(/^\/$/, 'url')),
  gateway('Mandrill', ['mandrillapp.com'], mandrill),
  exit('Google', GOOGLE_HOSTS, at(/^\/url$/, 'q', 'url')),
  exit('Google', ['adservice.google.com', 'www.googleadservices.com', 'googleads.g.doubleclick.net'], at(/^\/(?:pagead|ddm)\//, 'adurl')),
  exit('Google Translate', ['*.translate.goog'], translated),
  exit('YouTube', ['www.youtube.com', 'youtube.com', 'm.youtube.com'], at(/^\/redirect$/, 'q')),
  exit('Facebook', ['l.facebook.com', 'lm.facebook.com', 'www.facebook.com', 'm.facebook.com', 'l.messenger.com'], at(/^\/l\.php$/, 'u')),
  exit('Facebook', ['www.facebook.com', 'm.facebook.com'], at(/^\/flx\/warn\/?$/, 'u')),
  exit('Instagram', ['l.instagram.com'], at(/^\/$/, 'u')),
  exit('Threads', ['l.threads.net', 'l.threads.com'], at(/^\/$/, 'u')),
  exit('LinkedIn', ['www.linkedin.com', 'linkedin.com'], at(/^\/(?:redir\/(?:redirect|suspicious-page|general-malware-page)|safety\/go)\/?$/, 'url')),
  exit('Slack', ['slack-redir.net', 'www.slack-redir.net'], at(/^\/link$/, 'url')),
  exit('VK', ['vk.com', 'm.vk.com', 'away.vk.com', 'www.vk.com', 'vk.ru', 'm.vk.ru'], at(/^\/away(?:\.php)?$/, 'to')),
  exit('Odnoklassniki', ['ok.ru', 'm.ok.ru'], at(/^\/dk$/, 'st.link')),
  exit('X', ['t.co'], at(/^\/redirect$/, 'url')),
  exit('Reddit', ['out.reddit.com'], at(/./, 'url')),
  exit('Steam', ['steamcommunity.com'], at(/^\/linkfilter\/?$/, 'u', 'url')),
  exit('Tumblr', ['t.umblr.com', 'href.li'], at(/^\/redirect$/, 'z')),
  exit('Disqus', ['disq.us', 'links.disqus.com'], at(/^\/(?:url)?$/, 'url')),
  exit('DuckDuckGo', ['duckduckgo.com', 'html.duckduckgo.com', 'lite.duckduckgo.com'], at(/^\/l\/$/, 'uddg')),
  exit('Bing', ['www.bing.com', 'bing.com'], bing),
  exit('Yahoo', ['r.search.yahoo.com'], yahoo),
  exit('Pixiv', ['www.pixiv.net'], (url) => (url.pathname === '/jump.php' ? percentDecoded(parameter(url, 'url') ?? url.search.slice(1)) : undefined)),
  exit('SoundCloud', ['exit.sc', 'gate.sc'], at(/^\/$/, 'url')),
  exit('Evernote', ['www.evernote.com'], at(/^\/OutboundRedirect\.action$/, 'dest')),
  exit('Zhihu', ['link.zhihu.com'], at(/^\/$/, 'target')),
  exit('Juejin', ['link.juejin.cn'], at(/^\/$/, 'target')),
  exit('CSDN', ['link.csdn.net'], at(/^\/$/, 'target')),
  exit('Gitee', ['gitee.com'], at(/^\/link$/, 'target')),
  exit('QQ', ['c.pc.qq.com'], at(/^\/(?:middlem|pc)\.html$/, 'pfurl', 'url')),
  exit('Skimlinks', ['go.skimresources.com', 'go.redirectingat.com'], at(/^\/$/, 'url')),
]; // prettier-ignore

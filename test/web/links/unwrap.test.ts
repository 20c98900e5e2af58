import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINK_RULES, unwrapAll, unwrapUrl } from '@vedette/web/links';
import { runs } from '../../runs.ts';

const TO = 'https://www.example.org/a/b?x=1&y=2#z';
const encoded = encodeURIComponent(TO);
const base64 = Buffer.from(TO).toString('base64url');

/** Links as the services write them, with what their signatures look like. */
const LINKS: [service: string, link: string, to: string][] = [
  ['Microsoft Safe Links', `https://nam02.safelinks.protection.outlook.com/?url=${encoded}&data=05%7C02%7Ca%40example.com%7C0&sdata=Zm9v%3D&reserved=0`, TO],
  ['Microsoft Safe Links', `https://eur02.safelinks.protection.outlook.com/ap/w-59584e83/?url=${encoded}&data=05`, TO],
  ['Microsoft Safe Links', `https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=${encoded}&locale=en-us`, TO],
  ['Outlook on the web', `https://outlook.office.com/mail/safelink.html?url=${encoded}&corid=1`, TO],
  ['Proofpoint URL Defense', 'https://urldefense.proofpoint.com/v1/url?u=http://www.example.org/&k=oIvRg1%2BdGAgOoM1BIlLLqw%3D%3D%0A&r=1', 'http://www.example.org/'],
  ['Proofpoint URL Defense', 'https://urldefense.proofpoint.com/v2/url?u=https-3A__github.com_some-2Dbody_repo-5Fname&d=DwMFaQ&c=x&e=', 'https://github.com/some-body/repo_name'],
  ['Proofpoint URL Defense', 'https://urldefense.proofpoint.com/v2/url?u=https-3A__www.example.org_a-3Fx-3D1-26amp-3By-3D2&d=DwMFaQ&c=x', 'https://www.example.org/a?x=1&y=2'],
  ['Proofpoint URL Defense', 'https://urldefense.us/v3/__https://google.com:443/search?q=a*test&gs=ps__;Kw!-612Flbf0JvQ3kNJkRi5Jg!Ue6tQudNKaShHg93trcdjqDP8se2$', 'https://google.com/search?q=a+test&gs=ps'],
  ['Proofpoint URL Defense', 'https://urldefense.com/v3/__https://lore.kernel.org/all/20231001111313.77586-1-nsaenz@amazon.com__;!!ACWV5N9M2RV99hQ!MOnoujF4PlfvZ3SUuyXgIpJC5mWiE5uLUsNW6AWg$', 'https://lore.kernel.org/all/20231001111313.77586-1-nsaenz@amazon.com'],
  // A run of three (`B`), then one; the slashes of the scheme folded.
  ['Proofpoint URL Defense', 'https://urldefense.com/v3/__http:/www.example.org/a**B*c__;w6nDqcOpIQ!!ACWV5N9M2RV99hQ!abc$', 'http://www.example.org/a%C3%A9%C3%A9%C3%A9!c'],
  // A run of three bytes, which is one dash; a run of two, which is one letter, and one.
  ['Proofpoint URL Defense', 'https://urldefense.com/v3/__https://example.org/Jensen**BShannon__;4oCT!!A!B$', 'https://example.org/Jensen%E2%80%93Shannon'],
  ['Proofpoint URL Defense', 'https://urldefense.com/v3/__https://example.org/caf**A*x__;w6kj!!A!B$', 'https://example.org/caf%C3%A9#x'],
  ['Proofpoint URL Defense', 'https://urldefense.com/v3/__https://example.org/**Da**A__;4oCTxI3DqQ!!A!B$', 'https://example.org/%E2%80%93%C4%8Da%C3%A9'],
  ['Proofpoint URL Defense', 'https://urldefense.com/v3/__https://example.org/p?q=*20a__;JQ!!A!B$', 'https://example.org/p?q=%20a'],
  ['Google Translate', 'https://some--shop-example-org.translate.goog/a?x=1&_x_tr_sl=auto&_x_tr_tl=en&y=2', 'https://some-shop.example.org/a?x=1&y=2'],
  ['Google Translate', 'https://example-org.translate.goog/?_x_tr_sl=auto&y=2', 'https://example.org/?y=2'],
  ['Google Translate', 'https://example-org.translate.goog/a?_x_tr_sch=http&_x_tr_sl=auto', 'http://example.org/a'],
  ['Barracuda Link Protection', `https://linkprotect.cudasvc.com/url?a=${encoded.toLowerCase()}&c=E,1,abc,1&typo=1`, TO],
  ['Sophos Email', `https://us-west-2.protection.sophos.com/?d=example.org&u=${base64}&i=NjQ0M2U3MWE&t=eWI5V3h5bTRXcDQ=&h=9ba4`, TO],
  ['Sophos Email', 'https://eu-west-1.protection.sophos.com?d=jax.org&u=aHR0cDovL3d3dy5pbmZvcm1hdGljcy5qYXgub3Jn&i=NjA4&t=N256&h=0dfc', 'http://www.informatics.jax.org/'],
  ['Trend Micro', `https://ddec1-0-en-ctp.trendmicro.com:443/wis/clicktime/v1/query?url=${encoded}&umid=2f305b77&auth=53c7c7de`, TO],
  ['FireEye', `https://protect2.fireeye.com/v1/url?k=b14bf8e1-d0361099&q=1&e=b9714c29&u=${encoded}`, TO],
  ['FireEye', 'https://protect2.fireeye.com/url?k=3fbd62a4-6276e59a&u=https://lkml.org/lkml/2019/12/17/21', 'https://lkml.org/lkml/2019/12/17/21'],
  ['Libraesva', `https://urlsand.esvalabs.com/?u=${encoded}&e=ed7a584b&h=456504aa&f=y&p=y`, TO],
  ['Amazon SES', 'https://p2h9234f.r.ap-south-1.awstrack.me/L0/https:%2F%2Fwww.example.org%2Fa%3Fx=1%26y=2/1/0109018ef271a7ff-cf8fd1c8/jwEVYSgjqs8rqY=151', 'https://www.example.org/a?x=1&y=2'],
  ['Azure', `https://emails.azure.microsoft.com/redirect/?destination=${encoded}&p=bT1hYzdh`, TO],
  ['WhatsApp', `https://l.wl.co/l?u=${encoded}`, TO],
  ['Cisco Secure Email', `https://secure-web.cisco.com/1vbkhrbOYdyg8pdI2OZVAva3Rtys7Vjtoozw/${encoded}`, TO],
  ['Cisco Secure Email', `http://secure-web.cisco.com/auth=1vbkhrbOYdyg8pdI2OZV&url=${encoded}`, TO],
  ['Check Point Harmony Email', `https://url.avanan.click/v2/___${TO}___.YXAzOnBlYWNl`, TO],
  ['Check Point Harmony Email', `https://protect.checkpoint.com/v2/r01/___${TO}___.YzJ1OnN0b255YnJvb2s6YzpnOmZh`, TO],
  ['Check Point Harmony Email', 'https://protect.checkpoint.com/v2/r02/___http:/www.example.org/a_b___', 'http://www.example.org/a_b'],
  ['Symantec Click-time Protection', `https://clicktime.symantec.com/38YrYPLxxSqYhBQLb1eruhW7Vc?u=${encoded}`, TO],
  ['Symantec Click-time Protection', 'https://clicktime.symantec.com/15xVcHh2qpEgPv5boCzmK?h=QCYV=&u=https://example.org/i.php?route%3Daccount/login', 'https://example.org/i.php?route=account/login'],
  ['Hornetsecurity', `https://atpscan.global.hornetsecurity.com/?d=HzV-JpXn&f=rhmY&i=&k=Eb5a&m=onuR&n=Ux5f&r=nfZ6&s=a1b0&u=${encoded}`, TO],
  ['Trustwave MailMarshal', 'https://scanmail.trustwave.com/?c=20988&d=i-GP5uRIMfh6&u=https%3a%2f%2flore%2ekernel%2eorg%2fall%2f1%2e2', 'https://lore.kernel.org/all/1.2'],
  ['TitanHQ Link Lock', `https://linklock.titanhq.com/analyse?url=${encoded}&data=eJxs`, TO],
  ['EdgePilot', 'https://link.edgepilot.com/s/4239f747/ca21cbCpKkOSLI5ZXNqTdQ?u=https://www.example.org/a.html', 'https://www.example.org/a.html'],
  ['FortiMail', `https://fmx7.fortimailcloud.com/fmlurlsvc/?fewReq=:B:JVI9&url=${encoded}`, TO],
  ['GMX and WEB.DE', `https://deref-gmx.net/mail/client/abc/dereferrer/?redirectUrl=${encoded}`, TO],
  ['Exclaimer', `https://eu.content.exclaimer.net/?url=${encoded}&tenantid=x`, TO],
  ['Mandrill', `https://mandrillapp.com/track/click/30069226/www.example.org?p=${Buffer.from(JSON.stringify({ s: 'x', v: 1, p: JSON.stringify({ u: 3, v: 1, url: TO, id: 'y' }) })).toString('base64url')}`, TO],
  ['Google', `https://www.google.com/url?sa=t&source=web&q=${encoded}&ved=2ah&usg=AOv`, TO],
  ['Google', `https://www.google.co.uk/url?url=${encoded}&ct=abc`, TO],
  ['Google', `https://www.googleadservices.com/pagead/aclk?sa=L&adurl=${encoded}`, TO],
  ['YouTube', `https://www.youtube.com/redirect?event=video_description&redir_token=QUFF&q=${encoded}&v=1`, TO],
  ['Facebook', `https://l.facebook.com/l.php?u=${encoded}&h=AT0`, TO],
  ['Facebook', `https://www.facebook.com/flx/warn/?u=${encoded}&h=AT0`, TO],
  ['Instagram', `https://l.instagram.com/?u=${encoded}&e=AT0`, TO],
  ['Threads', `https://l.threads.net/?u=${encoded}&e=AT0`, TO],
  ['LinkedIn', `https://www.linkedin.com/redir/redirect?url=${encoded}&urlhash=abc`, TO],
  ['LinkedIn', `https://www.linkedin.com/safety/go?url=${encoded}&trk=x`, TO],
  ['Slack', `https://slack-redir.net/link?url=${encoded}&v=3`, TO],
  ['VK', `https://vk.com/away.php?to=${encoded}&post=1&cc_key=`, TO],
  ['Odnoklassniki', `https://ok.ru/dk?cmd=logExternal&st.link=${encoded}`, TO],
  ['X', `https://t.co/redirect?url=${encoded}&sig=1`, TO],
  ['Reddit', `https://out.reddit.com/t3_abc?url=${encoded}&token=AQ`, TO],
  ['Steam', `https://steamcommunity.com/linkfilter/?u=${encoded}`, TO],
  ['Tumblr', `https://t.umblr.com/redirect?z=${encoded}&t=1`, TO],
  ['Disqus', `https://disq.us/url?url=${encoded}&cuid=1`, TO],
  ['DuckDuckGo', `https://duckduckgo.com/l/?uddg=${encoded}&rut=1`, TO],
  ['Bing', `https://www.bing.com/ck/a?!&&p=abc&u=a1${base64}&ntb=1`, TO],
  ['Yahoo', `https://r.search.yahoo.com/_ylt=Awr/RV=2/RE=1/RO=10/RU=${encoded}/RK=2/RS=x-`, TO],
  ['Pixiv', `https://www.pixiv.net/jump.php?${encoded}`, TO],
  ['SoundCloud', `https://exit.sc/?url=${encoded}`, TO],
  ['Evernote', `https://www.evernote.com/OutboundRedirect.action?dest=${encoded}`, TO],
  ['Zhihu', `https://link.zhihu.com/?target=${encoded}`, TO],
  ['Juejin', `https://link.juejin.cn/?target=${encoded}`, TO],
  ['CSDN', `https://link.csdn.net/?target=${encoded}`, TO],
  ['Gitee', `https://gitee.com/link?target=${encoded}`, TO],
  ['QQ', `https://c.pc.qq.com/middlem.html?pfurl=${encoded}`, TO],
  ['Skimlinks', `https://go.skimresources.com/?id=1X2&xs=1&url=${encoded}`, TO],
]; // prettier-ignore

describe('links that were rewritten', () => {
  it.each(LINKS)('%s: %s', (service, link, to) => {
    expect(unwrapAll(link)).toEqual({ url: to, wrappers: [service] });
  });

  it('has an example of every service', () => {
    expect(new Set(LINKS.map(([service]) => service))).toEqual(new Set(LINK_RULES.map(({ name }) => name)));
  });

  it.each([
    ['the maker alone knows', 'https://protect-us.mimecast.com/s/feDJC6XQJvFw53zVIjIYxO?domain=example.org'],
    ['the maker alone knows', 'https://url.uk.m.mimecastprotect.com/s/feDJC6XQJvFw53zVIjIYxO?domain=example.org'],
    ['a look-alike host', `https://safelinks.protection.outlook.com.evil.example/?url=${encoded}`],
    ['a look-alike host', `https://xsafelinks.protection.outlook.com/?url=${encoded}`],
    ['a look-alike host', `https://nam02.safelinks.protection.outlook.com.example/?url=${encoded}`],
    ['a look-alike host', `https://l.facebook.com.example/l.php?u=${encoded}`],
    ['a look-alike host', `https://urldefense.co/v3/__https://example.org__;!!A!B$`],
    ['a look-alike host', `https://www.google.evil/url?q=${encoded}`],
    ['a look-alike host', `https://notgoogle.com/url?q=${encoded}`],
    ['a look-alike host', `https://evil.example/l.facebook.com/l.php?u=${encoded}`],
    ['a user name', `https://l.facebook.com@evil.example/l.php?u=${encoded}`],
    ['another port', `https://www.google.com:8443/url?q=${encoded}`],
    ['another path', `https://www.google.com/search?q=${encoded}`],
    ['another path', `https://www.linkedin.com/in/x?url=${encoded}`],
    ['no URL', 'https://www.google.com/url?q=example.org'],
    ['another scheme', 'https://l.facebook.com/l.php?u=javascript%3Aalert(1)'],
    ['another scheme', 'https://www.google.com/url?q=file:///etc/passwd'],
    ['another scheme', `https://us-west-2.protection.sophos.com/?d=a&u=${Buffer.from('ftp://example.org').toString('base64')}`],
    ['another scheme', `ftp://www.google.com/url?q=${encoded}`],
    ['an empty parameter', 'https://www.google.com/url?q=&sa=D'],
    ['too few characters for its places', 'https://urldefense.com/v3/__https://example.org/a*b*c__;Kw!!A!B$'],
    ['too many characters for its places', 'https://urldefense.com/v3/__https://example.org/abc__;Kw!!A!B$'],
    ['a run of nobody', 'https://urldefense.com/v3/__https://example.org/a**!b__;Kw!!A!B$'],
    ['octets that are no text', 'https://urldefense.com/v3/__https://example.org/a*b__;_w!!A!B$'],
    ['no link at all', 'https://example.org/'],
    ['no URL', 'not a URL'],
    ['no URL', ''],
    ['nothing to decode', 'https://www.bing.com/ck/a?u=a1!!!'],
    ['nothing to decode', 'https://mandrillapp.com/track/click/1/example.org?p=bm90IGpzb24'],
    ['too long', `https://www.google.com/url?q=${'https://example.org/'.padEnd(9_000, 'x')}`],
  ])('%s is left alone: %s', (_why, link) => {
    expect(unwrapUrl(link)).toBeUndefined();
    expect(unwrapAll(link)).toEqual({ url: link, wrappers: [] });
  });

  it('takes off one within another, and no more than five', () => {
    const wrap = (url: string): string => `https://nam02.safelinks.protection.outlook.com/?url=${encodeURIComponent(url)}&data=05`;
    const defended = `https://urldefense.com/v3/__${wrap(TO).replaceAll('%', '*')}__;${Buffer.from('%'.repeat(wrap(TO).split('%').length - 1)).toString('base64url')}!!A!B$`;
    expect(unwrapAll(`https://l.facebook.com/l.php?u=${encodeURIComponent(defended)}`)).toEqual({
      url: TO,
      wrappers: ['Facebook', 'Proofpoint URL Defense', 'Microsoft Safe Links'],
    });
    const six = wrap(wrap(wrap(wrap(wrap(wrap(TO))))));
    expect(unwrapAll(six)).toEqual({ url: wrap(TO), wrappers: Array.from({ length: 5 }, () => 'Microsoft Safe Links') });
  });

  it('takes whatever it is given: http or https comes of it, or nothing', () => {
    const host = fc.constantFrom(...LINK_RULES.flatMap(({ hosts }) => hosts.slice(0, 3).map((name) => name.replace('*.', 'a.'))));
    const path = fc.constantFrom(
      '/',
      '/url',
      '/v2/url',
      '/v3/__https://',
      '/v2/___',
      '/l.php',
      '/L0/',
      '/ck/a',
      '/1abcdefgh/',
      '/track/click/1/a',
    );
    const piece = fc.oneof(
      fc.constantFrom('?', '&', '=', 'u=', 'q=', 'url=', 'a1', '%', '%2F', '*', '**', '**A', '__;', '!', '___', 'https:', '//', '//[', '\0', '😀', '\ud800', encoded, base64),
      fc.string({ maxLength: 12 }),
    ); // prettier-ignore
    fc.assert(
      fc.property(host, path, fc.array(piece, { maxLength: 20 }), (name, at, rest) => {
        const { url, wrappers } = unwrapAll(`https://${name}${at}${rest.join('')}`);
        expect(wrappers.length === 0 || /^https?:$/.test(new URL(url).protocol)).toBe(true);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

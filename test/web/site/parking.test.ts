import { parkingProviderOf, readParkedVisit } from '@vedette/web/site';
import { describe, expect, it } from 'vitest';
import { hop, type Headers, visitOf } from './evidence.ts';

const page = (title: string, body: string, head = '', root = ''): string =>
  `<!doctype html><html ${root}><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
const code = (src: string, kind: 'script' | 'iframe' | 'css' = 'script'): string =>
  kind === 'script'
    ? page('choir.example', `<script src="${src}"></script>`)
    : kind === 'iframe'
      ? page('choir.example', `<iframe src="${src}"></iframe>`)
      : page('choir.example', '<div id="root"></div>', `<link rel="stylesheet" href="${src}">`);
const says = (title: string, text = title): string => page(title, `<h1>${title}</h1><p>${text}</p>`);
const ARTICLE = `<p>${'A long text of its own about choirs, and the songs that they sing on a Thursday evening. '.repeat(40)}</p>`;

const parking = async (html: string, headers: Headers = [], urls = ['http://choir.example/'], status = 200) =>
  readParkedVisit(
    await visitOf(
      urls.map((url) => hop(url, { status, fields: [['content-type', 'text/html'], ...headers] })),
      html,
    ),
    'choir.example',
  );

describe('the markup of parked pages', () => {
  // Written after pages that public code quotes, saved crawls and block lists have; none is copied.
  it.each<[sign: string, provider: string, html: string]>([
    ['parking_code', 'Sedo', code('//img.sedoparking.com/templates/js/main.js')],
    ['parking_code', 'Sedo', code('http://www.sedoparking.com/frmpark/choir.example/park.js')],
    ['parking_code', 'Bodis', code('https://www.bodis.com/js/parking.js')],
    ['parking_code', 'ParkingCrew', code('http://d38psrni17bvxu.cloudfront.net/themes/cleanPeppermint/style.css', 'css')],
    ['parking_code', 'ParkingCrew', code('https://parkingcrew.net/jsparkcaf.php?regcn=1')],
    ['parking_code', 'ParkingCrew', code('//obseu.youseasky.com/ct')],
    ['parking_code', 'GoDaddy', code('https://img1.wsimg.com/parking-lander/static/js/main.d459540c.js')],
    ['parking_code', 'GoDaddy', code('https://img1.wsimg.com/parking-lander/static/css/main.edaa2d7d.css', 'css')],
    ['parking_code', 'Squarespace', code('//assets.squarespace.com/universal/scripts-compressed/parking-page-0a1.js')],
    ['parking_code', 'Above.com', code('http://www.above.com/park/frame', 'iframe')],
    ['parking_code', 'ParkLogic', code('https://parklogic.com/a.js')],
    ['parking_code', 'Skenzo', code('https://l.cdn-fileserver.com/bping.js')],
    ['parking_code', 'Namecheap', code('http://parkingpage.namecheap.com/', 'iframe')],
    ['parking_code', 'DomainMarket', code('https://cdn.domainmarket.com/static-landers/assets/css/styles.css', 'css')],
    ['parking_code', 'Dan.com', code('https://cdn0.dan.com/assets/lander.js')],
    ['parking_code', 'Rook Media', code('http://d.rmgserving.com/rmgdsc/newcafv2.js')],
    ['adblock_key', 'Sedo', page('choir.example', '<a href="http://www.sedoparking.com/en">Park</a>', '', 'data-adblockkey="MFwwDQYJ_x"')],
    [
      'sale_offer',
      'DomainParking.ru',
      page('This domain is for sale', '<a href="https://domainparking.ru/feedback?domain=choir.example">Apply</a>'),
    ],
    ['parking_code', 'Reg.ru', code('https://parking.reg.ru/script/get_domain_data')],
    ['parking_code', '', code('https://www.google.com/adsense/domains/caf.js?abp=1')],
    ['parking_code', '', code('//partner.googleadservices.com/adsense/domains/x.js')],
    ['parking_script', 'Bodis', page('', '<div id="target" style="opacity: 0"></div><script>window.park = "eyJ1dWlkIjoiMSJ9";</script>')],
    ['parking_script', 'GoDaddy', page('', '<script>window.onload=function(){window.location.href="/lander"}</script>')],
    ['parking_script', 'GoDaddy', page('', '<div id="root"></div>', '<script>window.LANDER_SYSTEM="PW"</script>')],
    ['parking_script', 'GoDaddy', page('', '', '<script>window._trfd=window._trfd||[],window._trfd.push({ap:"parking"})</script>')],
    [
      'parking_script',
      '',
      page('', '<script>const ads = document.createElement("script"); ads.src="//www.google.com/adsense/domains/caf.js";</script>'),
    ],
    ['adblock_key', '', page('choir.example', '<p>Related Searches</p>', '', 'data-adblockkey="MFwwDQYJ_x"')],
    ['sale_offer', '', says('This domain is for sale')],
    ['sale_offer', '', says('choir.example', 'The domain name choir.example may be for sale. Inquire about this domain.')],
    ['sale_offer', '', says('choir.example is for sale')],
    ['sale_offer', '', says('choir.example - for sale')],
    ['sale_offer', '', says('choir.example', 'Buy this domain')],
    ['sale_offer', '', says('Diese Domain steht zum Verkauf')],
    ['sale_offer', '', says('Ce nom de domaine est à vendre')],
    ['sale_offer', '', says('Este dominio está en venta')],
    ['sale_offer', '', says('Este domínio está à venda'.replace('domínio', 'dominio'))],
    ['sale_offer', '', says('Questo dominio è in vendita')],
    ['sale_offer', '', says('Deze domeinnaam is te koop')],
    ['sale_offer', '', says('Ta domena jest na sprzedaż')],
    ['sale_offer', '', says('choir.example', 'Domena choir.example jest na sprzedaż.')],
    ['sale_offer', '', says('Domain name for sale')],
    ['parking_notice', '', says('Domena choir.example jest utrzymywana na serwerach nazwa.pl')],
    ['parking_notice', '', says('choir.example', 'Domena choir.example utrzymywana jest na serwerach dhosting.pl.')],
    [
      'parking_notice',
      'AfterMarket.pl',
      page('AfterMarket.pl :: domena choir.example', '<a href="https://www.aftermarket.pl/x">Zapytaj</a>'),
    ],
    ['parking_code', 'DomainNameSales', code('https://www.domainnamesales.com/return_js.php?d=choir.example')],
    ['parking_notice', '', says('Domain Registered at Safenames')],
    ['sale_offer', '', says('Этот домен продается')],
    ['sale_offer', '', says('该域名正在出售')],
    ['sale_offer', '', says('このドメインは売り出し中です')],
    ['parking_notice', '', says('choir.example', 'This Web page is parked free, courtesy of GoDaddy.com.')],
    ['parking_notice', '', says('Domain parked by OnlyDomains')],
    ['parking_notice', '', says('This domain is parked at Atomia')],
    ['parking_notice', '', says('Registered at Namecheap.com')],
    ['parking_notice', '', says('This domain has expired')],
    ['parking_notice', '', says('This domain was recently registered at Name.com')],
    ['parking_notice', '', says('choir.example', 'Este dominio ha sido registrado por medio de un agente registrador')],
    ['parking_notice', '', says('Diese Domain wurde soeben registriert')],
    ['parking_notice', '', says('Ce domaine est réservé')],
    ['parking_notice', '', says('Questo dominio è stato registrato')],
    ['parking_notice', '', says('Dit domein is geregistreerd')],
    ['parking_notice', '', says('Домен припаркован')],
    ['parking_notice', '', says('choir.example 域名已过期')],
  ])('%s, %s: %s', async (sign, provider, html) => {
    const { signs, provider: named, forSale } = await parking(html);
    expect({ signs, named, forSale }).toEqual({ signs: [sign], named: provider, forSale: sign === 'sale_offer' });
  });

  it('offers the name by "this website is for sale" only beside a sign', async () => {
    const title = 'choir.example - This website is for sale! - choir Resources and Information';
    expect(await parking(page(title, '<p>Links</p>', '', 'data-adblockkey="MFwwDQYJ_x"'))).toMatchObject({ forSale: true });
    expect(await parking(page(title, '<p>Links</p>'))).toMatchObject({ signs: [], forSale: false });
  });

  it('has a header for ad blockers', async () => {
    expect((await parking(says('choir.example'), [['x-adblock-key', 'MFwwDQYJ']])).signs).toEqual(['adblock_key']);
  });

  it.each([
    ['HugeDomains', 'https://www.hugedomains.com/domain_profile.cfm?d=choir.example'],
    ['Dan.com', 'https://dan.com/buy-domain/choir.example'],
    ['Afternic', 'https://www.afternic.com/forsale/choir.example'],
    ['Sedo', 'https://sedo.com/search/details/?domain=choir.example'],
    ['Atom', 'https://www.atom.com/name/choir'],
    ['Namecheap', 'http://parkingpage.namecheap.com/'],
  ])('leads to the market of %s', async (provider, url) => {
    const found = { signs: ['market_redirect'], provider, forSale: true };
    expect(await parking(says('A market'), [], ['http://choir.example/', url])).toMatchObject(found);
    // The market refuses robots, and the way there is enough.
    expect(await parking(says('Forbidden'), [], ['http://choir.example/', url], 403)).toMatchObject(found);
  });
});

describe('ordinary small pages', () => {
  it.each<[string, string, Headers?, string[]?]>([
    ['a site that is being built', says('Coming soon', 'This site is under construction.')],
    ['the default page of a server', says('Welcome to nginx!', 'If you see this page, the nginx web server is successfully installed.')],
    ['a site of the builder of a registrar', code('https://img1.wsimg.com/blobby/go/1/gpub/x/script.js')],
    ['a site of Squarespace', code('https://assets.squarespace.com/universal/scripts-compressed/common-0a1.js')],
    ['a site with advertisements', code('https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js')],
    [
      'a path of its own that is called lander',
      page('Moon', '<script>const paths = ["/lander", "/rover"]; fetch("/lander.json")</script>'),
    ],
    ['a script with a park in it', page('Parks', '<script>window.parking = []; window.park.open = 1;</script>')],
    ['a theme that looks for ad blockers', page('News', '<div class="ad-slot" data-adblockkey="200"></div><p>News of today</p>')],
    ['the badge of a market', page('Choir', '<a href="https://sedo.com/x"><img src="https://sedo.com/badge.png"></a><p>We sing.</p>')],
    ['a house for sale', says('Our house is for sale', 'Four rooms and a garden.')],
    ['a broker who sells another name', says('opera.example is for sale', 'We sell names of others.')],
    ['a guide', says('How to buy a domain', 'Worauf man beim Kauf einer Domain achtet.')],
    ['an article that quotes an offer', page('Names', `<h1>Names</h1><p>This domain is for sale, it said.</p>${ARTICLE}`)],
    ['a car park', says('Parking at the station', 'Parking is free on Sundays.')],
    ['cars that are parked', says('Cars parked at the station', 'They are parked by their owners.')],
    ['a seller of names', says('Продажа доменов', '域名出售平台')],
    ['a Polish text on names', says('Domena internetowa', 'Domena jest na serwerze. Domena została wybrana, sprzedaż domen od jutra.')],
    ['a seller of names in Polish', page('AfterMarket', '<a href="https://www.aftermarket.pl/">giełda domen</a><p>Śpiewamy.</p>')],
    ['a Polish choir that tells its years', says('O nas', 'Domena choir.example została zarejestrowana w 2003 roku. Śpiewamy.')],
    ['a Polish seller of another name', says('Giełda', 'Domena opera.example jest na sprzedaż.')],
    ['a Polish host of another name', says('Hosting', 'Domena opera.example jest utrzymywana na naszych serwerach.')],
    ['a question of a broker', says('Brokers', 'Domain name for sale? We find a buyer.')],
    ['names for sale', says('Domain names', 'We write about domain names for sale and about their buyers.')],
    ['a registered charity', says('The village choir', 'Registered charity. This site is registered with the council.')],
    ['a forum of a firm for names', says('Domains', 'Parked domains earn little. Ask us.')],
    ['a forwarding to another site', says('Shop'), [], ['http://choir.example/', 'https://shop.example/']],
    [
      'a page of a market itself, linked',
      page('Links', '<a href="https://dan.com/">Dan</a><a href="https://www.hugedomains.com/">Huge</a>'),
    ],
    [
      'a script that looks for advertisements of parked names',
      page('Check', '<script>const isAd = (src) => src.includes("www.google.com/adsense/domains/caf.js");</script>'),
    ],
    ['a page that links to a parking service', page('Links', '<a href="https://www.sedoparking.com/en">Parking</a><p>We sing.</p>')],
  ])('%s', async (_, html, headers = [], urls = ['http://choir.example/']) => {
    expect(await parking(html, headers, urls)).toMatchObject({ signs: [], provider: '', forSale: false, seen: true });
  });
});

it('knows the provider of a name server, and not that of a registrar', () => {
  const servers = ['ns1.sedoparking.com', 'ns2.bodis.com', 'ns1.parkingcrew.net', 'ns01.cashparking.com', 'ns1.dan.com'];
  expect(servers.map(parkingProviderOf)).toEqual(['Sedo', 'Bodis', 'ParkingCrew', 'GoDaddy', 'Dan.com']);
  const ordinary = ['ns01.domaincontrol.com', 'dns1.registrar-servers.com', 'ns1.notbodis.com', 'ns.sedo.com.example'];
  expect(ordinary.map(parkingProviderOf)).toEqual(['', '', '', '']);
});

it('has seen no page where a guard answers, or nothing does', async () => {
  expect(await parking(says('Just a moment...'), [['cf-mitigated', 'challenge']], undefined, 403)).toMatchObject({
    signs: [],
    seen: false,
  });
  const failed = await visitOf([hop('http://choir.example/', { status: 0, refusal: 'connect_refused' })], '', { end: 'failed' });
  expect(readParkedVisit(failed, 'choir.example')).toMatchObject({ signs: [], seen: false, speaksForItself: false });
});

describe("a parking service's own site, and a market's", () => {
  const visit = async (domain: string, html: string, more: string[] = []) =>
    readParkedVisit(
      await visitOf(
        [`https://${domain}/`, ...more].map((url) => hop(url)),
        html,
      ),
      domain,
    );
  const UNMARKED = { signs: [], provider: '', forSale: false };

  it.each([
    ['bodis.com', code('https://www.bodis.com/js/app.js')],
    ['above.com', code('https://www.above.com/park/frame', 'iframe')],
    ['sedo.com', code('https://img.sedoparking.com/js/main.js')],
  ])('%s loads its own code', async (domain, html) => {
    expect(await visit(domain, html)).toMatchObject(UNMARKED);
  });

  it('leads to another market', async () => {
    expect(await visit('squadhelp.com', says('Names'), ['https://www.atom.com/'])).toMatchObject(UNMARKED);
    expect(await visit('dan.com', says('Names'), ['https://www.afternic.com/'])).toMatchObject(UNMARKED);
    // Near misses.
    expect(await visit('notsquadhelp.com', says('Names'), ['https://www.atom.com/'])).toMatchObject({ signs: ['market_redirect'] });
    expect(await visit('bodis.com.example', code('https://www.bodis.com/js/app.js'))).toMatchObject({ signs: ['parking_code'] });
  });
});

describe('a title that offers the name', () => {
  it.each([
    ['Buy www.choir.example - for sale', true],
    ['»Choir.Example« may be for sale!', true],
    ['-choir.example is for sale', true],
    ['choir.example.org is for sale', false],
    ['the-choir.example is for sale', false],
    ['choir.example was for sale', false],
    ['choir.example is for salesmen', false],
  ])('%s: %s', async (title, forSale) => {
    expect(await parking(page(title, `<h1 hidden>${title}</h1>`))).toMatchObject({ forSale });
  });

  // Each of these took a cubic search 10^15 steps.
  it.each(['-', '-----.', 'a-.', '.', 'choir.example-', 'buy '])('is read once, though it repeats %j', async (part) => {
    const long = part.repeat(100_000 / part.length);
    expect(await parking(page(long, `<h1 hidden>${long}</h1>`))).toMatchObject({ signs: [], forSale: false });
  });
});

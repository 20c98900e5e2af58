import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  createNames,
  domainRisk,
  hostCategories,
  judgeHostName,
  judgeIpv4,
  NameListBuilder,
  RanksBuilder,
  shippedNames,
} from '@vedette/intel/names';
import { brandsOf, judgeIdentity, shippedBrands } from '@vedette/intel/identity';
import { permutations } from '../../../packages/intel/src/identity/permutations.ts';

const NAMES = shippedNames();
/** A name as the operation has it. */
const aLabels = (name: string): string => new URL(`http://${name}`).hostname;
const judge = (name: string) => judgeHostName(aLabels(name), NAMES);

/** The risk of a name that has a public address and is on no list of engines, and what it is made of. */
function riskOf(name: string) {
  const host = aLabels(name);
  const about = { ipv4: judgeIpv4(['1.1.1.1']), hasIpv6: false, detections: [], age: undefined, unheard: 0 };
  return domainRisk({ ...about, traits: judge(name), categories: hostCategories(host, NAMES) });
}

const read = (file: string) =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
const flagged = (names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => riskOf(name).factors.map(({ factor, detail }) => [name, `${factor}: ${detail}`])));

describe('ordinary names', () => {
  it('of the 1,000 best known have nothing against them but what they are', () => {
    const names = read('../../mail/email/best-known.txt');
    expect(names.length).toBeGreaterThan(1_000);
    const hosting = 'risky_category: free hosting';
    const shortener = 'risky_category: url shortener';
    expect(flagged(names)).toEqual({
      // They are under top-level domains that few others of this rank are: three are advertisers' or pirates' by a name that changes.
      '49n7wqynho5u.top': 'most_abused_tld: top',
      'awledconside.xyz': 'most_abused_tld: xyz',
      'dandanzan10.top': 'most_abused_tld: top',
      'jut.su': 'most_abused_tld: su',
      // They are made by chance, or read so: a weak sign.
      'bg4nxu2u5t.com': 'generated_name: bg4nxu2u5t.com',
      'directcpmfwr.com': 'generated_name: directcpmfwr.com',
      'eksisozluk.com': 'generated_name: eksisozluk.com',
      'jaavnacsdw.com': 'generated_name: jaavnacsdw.com',
      'w3school.com.cn': 'near_brand: w3schools, omission',
      // Everybody may publish there, below the host's own name.
      'ameblo.jp': hosting,
      'blog.jp': hosting,
      'blogger.com': hosting,
      'bp.blogspot.com': hosting,
      'fc2.com': hosting,
      'livedoor.jp': hosting,
      'livejournal.com': hosting,
      'storage.googleapis.com': hosting,
      'substack.com': hosting,
      'tumblr.com': hosting,
      'weebly.com': hosting,
      'wordpress.com': hosting,
      // They lead to wherever somebody wants.
      'adf.ly': shortener,
      'bitly.com': shortener,
      'forms.gle': shortener,
      'ouo.io': shortener,
      'redd.it': shortener,
      't.co': shortener,
    });
    expect(names.filter((name) => riskOf(name).result > 20)).toEqual(['49n7wqynho5u.top']);
  });

  it('of 2,000 senders, 8,700 universities and names in other scripts are none imitations, or like files', () => {
    const names = ['known-senders', 'universities', 'international-names', 'small-firms'].flatMap((file) =>
      read(`../../mail/email/${file}.txt`),
    );
    expect(names.length).toBeGreaterThan(11_000);
    const looks = names
      .map((name) => judge(name))
      .filter(({ homoglyph, typosquat, clickable }) => homoglyph !== '' || typosquat !== '' || clickable);
    expect(looks).toEqual([]);
  });

  it('of 1,200 small firms are clean, by families near brands and in five languages', () => {
    const families = (
      'appel apples barclay chaser cloud dell discardi ebert face finance goggle goole kraker luther meyer mueller nguyen paypers ' +
      'revolt robley santana schmidt shopland smith spotter steame strip target titter twister vance venn visser walmer witter yahne zeller ' +
      'amazonas delta-dental'
    ).split(' ');
    const trades = (
      'bakery plumbing garage roofing florist dental-care law consulting-group and-sons immobilien schreinerei-und-fensterbau zahnarztpraxis ' +
      'boulangerie chambres-dhotes fontaneria abogados parrucchiere ristorante-da pizzeria accounting billing-services security-systems ' +
      'support-it recovery-clinic id-photo account-manager online shop web'
    ).split(' ');
    const names = families.flatMap((family) => [
      ...trades.map((trade) => `${family}-${trade}.com`),
      `${family}.de`,
      ...(family.includes('-') ? [] : [`${family}bakery.co.uk`]),
    ]);
    expect(names.length).toBeGreaterThan(1_200);
    expect(flagged(names)).toEqual({});
  });

  it('with many words are a little uncommon, and no more', () => {
    expect(flagged(read('../../mail/email/small-firms.txt'))).toEqual({
      'st-johns-primary-school-of-hull.org.uk': 'uncommon_dash_count: st-johns-primary-school-of-hull.org.uk',
      'smith-and-sons-plumbing-and-heating.co.uk': 'uncommon_dash_count: smith-and-sons-plumbing-and-heating.co.uk',
      'chambres-dhotes-le-vieux-moulin-de-provence.fr': 'uncommon_dash_count: chambres-dhotes-le-vieux-moulin-de-provence.fr',
    });
  });
});

describe('look-alikes', () => {
  it.each([
    ['pаypal.com', 'paypal'], // Cyrillic а
    ['аррӏе.com', 'apple'], // all of it Cyrillic
    ['paypa1.com', 'paypal'],
    ['rnicrosoft.com', 'microsoft'],
    ['micrοsoft.com', 'microsoft'], // Greek omicron
    ['ɢoogle.com', 'google'],
    ['faceb00k-login.com', 'facebook'],
    ['pаypal.someone.github.io', 'paypal'],
    ['bаkery.com', 'mixed scripts'],
    // Accents, where no language has such a word.
    ['amázon.com', 'amazon'],
    ['àpple.com', 'apple'],
    ['applé.com', 'apple'],
    ['outlóok.com', 'outlook'],
    ['telégram.org', 'telegram'],
    ['stripé.com', 'stripe'],
    ['stéam-login.com', 'steam'],
  ])('%s', (name, brand) => {
    expect(judge(name).homoglyph).toBe(brand);
  });

  it.each([
    'äpple.com',
    'kråken.no',
    'kräken.se',
    'allégro.fr',
    'amazônia.br',
    'chassé.nl',
    'amazóna.es',
    'discordé.fr',
    'bücher.de',
    'яблоко.рф',
    '日本語.jp',
    'россия.com',
    'paypal.com',
    'stearn.com',
    'arnazonia.com',
    'google.de',
    'apple1.com',
  ])('%s is none', (name) => {
    expect(judge(name).homoglyph).toBe('');
  });
});

describe('slips', () => {
  it.each([
    ['gogle.com', 'google, omission'],
    ['gooogle.com', 'google, repetition'],
    ['googel.com', 'google, transposition'],
    ['googlex.com', 'google, addition'],
    ['gpogle.com', 'google, replacement'],
    ['goopgle.com', 'google, insertion'],
    ['googles.com', 'google, addition'],
    ['ggogle.com', 'google, bitsquatting'],
    ['cacebook.com', 'facebook, replacement'],
    ['pay-pal.com', 'paypal, hyphenation'],
    ['netflxi.com', 'netflix, transposition'],
    ['nedflix.com', 'netflix, bitsquatting'],
    ['nekflix.com', 'netflix, one letter'],
    ['paypal-login.com', 'paypal with words of forgers'],
    ['secure-netflix-update.org', 'netflix with words of forgers'],
    ['paypal.com.example.org', 'paypal with words of forgers'],
    ['gogle-login.com', 'google, omission'],
    ['amzaon.com', 'amazon, transposition'],
    ['yahooo.com', 'yahoo, repetition'],
    ['amzon.com', 'amazon, omission'],
    ['amazn.com', 'amazon, omission'],
    ['anazon.com', 'amazon, replacement'],
    ['aple.com', 'apple, omission'],
    ['applr.com', 'apple, replacement'],
    ['amzon-login.com', 'amazon, omission'],
    ['paypal-login.github.io', 'paypal with words of forgers'],
  ])('%s', (name, slip) => {
    expect(judge(name).typosquat).toBe(slip);
  });

  it.each([
    'apples.com',
    'apply.com',
    'ample.com',
    'mazon.fr',
    'amason.com',
    'maple.org',
    'appl.dev',
    'delta-dental.com',
    'amazonas.de',
    'amazone.de',
    'finance.com',
    'revolt.com',
    'goggle.com',
    'appel.de',
    'steam.com',
    'paypal.com',
    'paypal.de',
    'google.co.uk',
    'github.io',
    'facebookmail.com',
    'wells-fargo-museum.org',
    'gogle-maps-fans.org',
    'one-drive.de',
    'visa.com',
    'citybank.com',
    'paypay.ne.jp',
    'ucloud.cn',
    'stearn.com',
    'tiktokv.com',
    'pal.com',
  ])('%s is none', (name) => {
    expect(judge(name).typosquat).toBe('');
  });

  it('of a domain that everybody knows is none, whatever it is called', async () => {
    const names = createNames();
    const ranks = new RanksBuilder();
    ranks.add('gogle.com', 10_000);
    ranks.add('gooogle.com', 10_001);
    names.setRanks(await ranks.build(() => Promise.resolve()));
    expect(judgeHostName('www.gogle.com', names)).toMatchObject({ typosquat: '', popularity: 'high' });
    expect(judgeHostName('gooogle.com', names)).toMatchObject({ typosquat: 'google, repetition', popularity: 'high' });
  });

  it.each([
    ['crelbitkarrna.com', 'creditkarma, homoglyph'],
    ['crĕditkarrna.com', 'creditkarma, homoglyph'],
    ['bank0fscotiand.co.uk', 'bankofscotland, homoglyph'],
    ['nnint0s.com', 'mintos, homoglyph'],
    ['d1g1d.nl', 'digid, homoglyph'],
    ['credit.karma.com', 'creditkarma, credit'],
    ['bank.ofscotland.com', 'bankofscotland, bank'],
  ])('%s is near a brand: %s', (name, detail) => {
    expect(judge(name).identity).toMatchObject({ rule: 'near_brand', detail });
    expect(riskOf(name).result).toBeLessThan(35);
  });

  it('in Cyrillic letters alone is a look-alike under a Latin domain', () => {
    expect(judge('метамаѕк.io').homoglyph).toBe('metamask');
    expect(judge('рауральянс.рф').homoglyph).toBe('');
  });

  it.each(['hsbb.com', 'aava.com', 'hdbc.com', 'mail.chimpanzee.org', 'e.trade.com'])(
    '%s, of few letters or another word, is not',
    (name) => {
      expect(judge(name)).toMatchObject({ homoglyph: '', identity: undefined });
    },
  );

  it('are of all the kinds that dnstwist knows', () => {
    const kinds = new Map<string, string[]>();
    for (const [text, slip] of permutations('paypal')) kinds.set(slip, [...(kinds.get(slip) ?? []), text]);
    const some = {
      addition: 'paypalz',
      bitsquatting: 'qaypal',
      homoglyph: 'p4ypal',
      hyphenation: 'pay-pal',
      insertion: 'paypoal',
      omission: 'papal',
      plural: 'paypals',
      repetition: 'payppal',
      replacement: 'oaypal',
      transposition: 'apypal',
      'vowel-swap': 'peypal',
    };
    for (const [kind, text] of Object.entries(some))
      expect({ kind, texts: kinds.get(kind) }).toEqual({ kind, texts: expect.arrayContaining([text]) });
    expect([...kinds.keys()].toSorted()).toEqual(Object.keys(some).toSorted());
  });
});

describe('brands', () => {
  it.each([
    ['netflix-clone-theta-opal.vercel.app', 'brand_of_tenant', 52],
    ['ledger-live-start.pages.dev', 'brand_of_tenant', 52],
    ['xfinitymail-signin-key.weebly.com', 'brand_of_tenant', 52],
    ['microsoft.vercel.app', 'brand_of_tenant', 52],
    ['microsoft-verify.github.io', 'brand_and_lure', 55],
    ['xfinity-webmail.weebly.com', 'brand_and_lure', 55],
    ['microsoft-verify.com', 'brand_and_lure', 50],
    ['secure.paypal.com.example.org', 'own_domain_in_front', 50],
    ['roblox.example.org', 'brand_in_front', 50],
    ['trezore-started-get.webflow.io', 'slip_and_lure', 52],
    ['a11e00.somewhere.cl', 'machine_made', 50],
    ['sp21ct-z3l9ur-biz-na7v1.pages.dev', 'machine_made', 55],
    ['verified-support-team.pages.dev', 'words_of_forgers', 52],
    ['sp12ct-kandor-biz-zavsel-fromik.pages.dev', 'machine_made', 55],
    ['gardenloggin.webflow.io', 'words_of_forgers', 52],
    ['j77y.vip', 'name_of_a_series', 41],
    ['help-verify-14829576.pages.dev', 'words_of_forgers', 52],
    ['garden-sso.webflow.io', 'words_of_forgers', 52],
    ['garden-mail-update.weebly.com', 'words_of_forgers', 52],
    ['sparks-support.weebly.com', 'word_of_forgers', 24],
    ['robux-free-roblox.blogspot.com', 'brand_of_tenant', 52],
    ['spotify-clone.vercel.app', 'brand_of_tenant', 52],
    ['onedrive-files.weebly.com', 'brand_of_tenant', 52],
    ['araxo-biz-kerqix-12260.pages.dev', 'machine_made', 55],
    ['garden-geqrdmblxuksidbeluqcpiiu.pages.dev', 'machine_made', 55],
    ['tpqianbaoappguanfangxiazaigw.com.cn', 'words_of_offices_that_ask', 55],
    ['aerie-bet365.com.cn', 'brand_and_lure', 50],
    ['pc-web-zh-whatsapp.com.cn', 'brand_and_lure', 50],
    ['pcn-notice.top', 'brand_and_lure', 55],
    ['allegrolokalnie.example.cfd', 'brand_in_front', 55],
    ['amazon-clone-alpha-nine.vercel.app', 'brand_of_tenant', 52],
    ['gemini.588886.cfd', 'brand_in_front', 55],
    ['dpd.example.cfd', 'brand_and_lure', 55],
    ['dpdlocajt.shop', 'brand_and_lure', 55],
    ['gov-parking.top', 'brand_and_lure', 55],
    ['137662coinbase.com', 'brand_and_lure', 50],
    ['facebook-admin.garden-support.com', 'brand_and_lure', 50],
    ['agency-manager-support.com', 'words_of_offices', 30],
    ['meta-id358.agency-manager-support.com', 'words_of_offices_that_ask', 50],
    ['support015.media-agency-manage.com', 'words_of_offices_that_ask', 50],
  ])('%s: %s, risk %d', (name, factor, risk) => {
    expect(riskOf(name)).toMatchObject({ result: risk, factors: expect.arrayContaining([expect.objectContaining({ factor })]) });
  });

  it.each([
    ['login.microsoftonline.com', 0],
    ['hdfcbank.com', 0],
    ['onedrive1.blob.core.windows.net', 20],
    ['www.microsoft.com-c-3.edgekey.net', 0],
    ['microsoft.com.b-0005.b-msedge.net', 0],
    ['edge-microsoft-com.ax-0002.ax-msedge.net', 0],
    ['comcast.demdex.net', 0],
    ['tiktok.tps.dv.tech', 0],
    ['datad0g.com', 0],
    ['anna-portfolio.vercel.app', 20],
    ['portfolio-khaki-psi-9024exqnko.vercel.app', 20],
    ['nour-portfolio-boc1oz5nk-nour22.vercel.app', 20],
    ['abdullah-al-mridul-dev.vercel.app', 20],
    ['20b988b3-3698-4edd-8774-b69179613407.pages.dev', 20],
    ['mybloginfo.blogspot.com', 20],
    ['designingforhumans.wordpress.com', 20],
    ['floggingbabel.blogspot.com', 20],
    ['fidelity.example.org', 0],
    ['my-catalogin.vercel.app', 20],
    ['revolutionisme.github.io', 20],
    ['oauth2.googleapis.com', 0],
    ['wordpress.example.org', 0],
    ['us.bank-login.com', 0],
    ['dpd.example.com', 0],
    ['login.duckdns.org', 20],
    ['gov-parking.com', 0],
    ['findmycollege.com', 0],
    ['booking-china.com.cn', 0],
    ['xiazai.com', 0],
    ['amazon-rainforest.vercel.app', 20],
    ['digital-agency.com', 0],
    ['digital-agency-hub.com', 0],
    ['billing.digital-marketing-agency.com', 0],
    ['community-support-network.org', 0],
    ['kunden-service-center.de', 0],
    ['home-access-center.com', 0],
    ['psychologin-mueller.jimdofree.com', 20],
    ['biologin.wordpress.com', 20],
    ['ivan-loginov.github.io', 20],
    ['designindia.webflow.io', 20],
    ['structured-logging.github.io', 20],
    ['visitelgin.wordpress.com', 20],
    ['bilgin.github.io', 20],
    ['smith-fine-art.weebly.com', 20],
    ['espace-culture.wordpress.com', 20],
    ['gwasanaeth-cyfieithu-ysgol-llanfair.netlify.app', 20],
    ['jyvaskylan-yliopisto-kyyjarvi-pyhajarvi.github.io', 20],
    ['szczegolna-szkola-wrzesnia-krzyz.netlify.app', 20],
    ['css-html-js-xhtml-dhtml.github.io', 20],
    ['a11y.xyz', 15],
    ['h264.xyz', 15],
    ['dhlamini.shop', 0],
    ['evripidis.life', 0],
    ['dpdesign.help', 0],
    ['open-gov.digital', 0],
    ['dmv-recovery.com', 0],
    ['gov-support.com', 0],
    ['find-my-parcel.com', 0],
    ['microsoft2025.org', 15],
    ['apple.orchard.life', 0],
    ['orange.alpha-billing.com', 0],
    ['z77.example.org', 0],
    ['g29t.com', 0],
    ['microsoft.github.io', 20],
    ['google.github.io', 20],
    ['sam-github-io.pages.dev', 32],
    ['westpac.co.nz', 0],
    ['netflixhouse.com', 0],
    ['chase-family-reunion.org', 0],
    // A firm's desk, programs with a log-in, accounts of brands, players, and programs that work with a brand.
    ['fandom-wallet.vercel.app', 24],
    ['refund-help.weebly.com', 24],
    ['react-login-form.vercel.app', 24],
    ['vue-validate.netlify.app', 24],
    ['login-page-template.webflow.io', 24],
    ['generous-updates-306134.framer.app', 20],
    ['email-verify-login.vercel.app', 24],
    ['alibaba.github.io', 28],
    ['metamask.github.io', 28],
    ['callofdutymobile.vercel.app', 28],
    ['chat-with-youtube.vercel.app', 32],
    ['my-netflix-portfolio.vercel.app', 32],
    ['spotify-wrapped.netlify.app', 32],
    // Names that platforms draw, and a Dutch word.
    ['64bd7001ee38684d1f26ca3c--incredible-panda-f1a54c.netlify.app', 26],
    ['01b0439c-ba2b-4c7f-8641-b9865db23689-00-1emp6yfnk9mkw.worf.replit.dev', 32],
    ['accepted-lime-odw5xh6e-dpk7y3dsrvmv.edgeone.app', 20],
    ['geefvoorzorgverleners.vercel.app', 20],
    // Toy cars, a tool, a finder and shops.
    ['fastrak-rc.shop', 15],
    ['unlock-pdf-free.top', 15],
    ['find-my-phone.us', 0],
    ['applelocation.info', 0],
  ])('%s is at %d', (name, risk) => {
    expect(riskOf(name).result).toBe(risk);
  });

  it('are a thousand or more, each with domains of its own', () => {
    const { tokens, ownerOf } = shippedBrands();
    const brands = new Set(tokens.map(({ brand }) => brand));
    expect(brands.size).toBeGreaterThan(1_000);
    expect([...brands].filter(({ domains }) => !domains.every((domain) => ownerOf(domain) !== undefined))).toEqual([]);
  });

  it('of a file of an operator are read like those that are shipped', () => {
    const brands = brandsOf('example.org,example.net\tExample Bank\t!examplebank\tDE\n');
    const judged = (label: string) =>
      judgeIdentity({ tenant: `${label}.com`, label, subdomain: '', isTenant: false, registered: `${label}.com`, isCheap: false }, brands)
        ?.rule;
    expect(['examplebank-login', 'exmplebank', 'garden-bank'].map(judged)).toEqual(['brand_and_lure', 'slip', undefined]);
    expect(
      judgeIdentity(
        { tenant: 'example.org', label: 'examplebank', subdomain: '', isTenant: false, registered: 'example.org', isCheap: false },
        brands,
      ),
    ).toBe(undefined);
  });

  it('of generators of malware are 15 of 20 seen, by their letters alone', () => {
    const generated =
      'hvjopkutibesmlhgps.co qntcdnvjwkkcppsk.net oordwkmvfsqikzm.com mwbuqmxqozuflc.com trbhxhmbsikoaq.pw qoysfsjqyiurqu.com wrw0w2ulqxcn7lm.com ' +
      'bvwzdqwjinlhaplhutoqkswg.com ibdnzugkzrkrsxkhqmzydtwlfydbaqc.org 5qf5h4e2n99.net e9324503f8682.com gvllisqi.eu xokpatujup.kz bfehjlbfghjo.com ' +
      'ikynekvu.bazar 9da1kshoyuq.life vdnizm8lcke.life sycqestnessbiophysicalohax.com afdggmaffggp.com qwnloxd.tv';
    expect(generated.split(' ').filter((name) => judge(name).making.machine === 'random').length).toBeGreaterThanOrEqual(15);
  });
});

describe('popularity', () => {
  it.each([
    [1, 'high'],
    [50_000, 'high'],
    [50_001, 'medium'],
    [1_000_000, 'medium'],
    [1_000_001, 'low'],
  ])('of place %d is %s', async (rank, popularity) => {
    const names = createNames();
    const ranks = new RanksBuilder();
    ranks.add('example.org', rank);
    names.setRanks(await ranks.build(() => Promise.resolve()));
    expect(judgeHostName('www.example.org', names).popularity).toBe(popularity);
    expect(judgeHostName('www.example.com', names).popularity).toBe('low');
  });

  it('of a host is not that of its tenants, but for the host itself and its www', async () => {
    const names = createNames();
    const [ranks, hosts] = [new RanksBuilder(), new NameListBuilder('free-hosting')];
    for (const domain of ['pages.example', 'amazonaws.com', 'github.io']) ranks.add(domain, 1);
    hosts.add('pages.example');
    names.setRanks(await ranks.build(() => Promise.resolve()));
    names.setList('free-hosting', await hosts.build(() => Promise.resolve()));
    const judged = (host: string) => [judgeHostName(host, names).isTenant, judgeHostName(host, names).popularity];
    for (const tenant of ['anna.pages.example', 'www.anna.pages.example', 'anna.s3.amazonaws.com', 'anna.github.io'])
      expect([tenant, ...judged(tenant)]).toEqual([tenant, true, 'low']);
    for (const own of ['pages.example', 'www.pages.example', 'amazonaws.com', 'console.amazonaws.com'])
      expect([own, ...judged(own)]).toEqual([own, false, 'high']);
  });

  it('leaves a tenth, or a half, of what is held against a name', async () => {
    const names = createNames();
    const ranks = new RanksBuilder();
    ranks.add('invoice-pdf.org', 20_000);
    ranks.add('invoice-pdf.net', 200_000);
    names.setRanks(await ranks.build(() => Promise.resolve()));
    const about = {
      categories: hostCategories('', names),
      ipv4: judgeIpv4(['1.1.1.1']),
      hasIpv6: false,
      detections: [],
      age: undefined,
      unheard: 0,
    };
    const risks = ['org', 'net', 'com'].map((tld) => domainRisk({ ...about, traits: judgeHostName(`invoice-pdf.${tld}`, names) }).result);
    expect(risks).toEqual([2, 10, 20]);
  });
});

describe('names like those of files', () => {
  it.each(['invoice.zip', 'holiday.mov', 'invoice-pdf.org', 'statement.pdf.example.org', 'setup_exe.example.org', 'report-docx.com'])(
    '%s',
    (name) => {
      expect(judge(name).clickable).toBe(true);
    },
  );
  it.each(['zip.com', 'example.sh', 'pdf.com', 'pdfs.example.org', 'www.html.com', 'isolated.org', 'exe.example.org', 'jar.org'])(
    '%s is none',
    (name) => {
      expect(judge(name).clickable).toBe(false);
    },
  );
});

it('a name of 253 octets, or one that is a public suffix, is judged at once', () => {
  expect(judge(`${'paypa1-'.repeat(8)}a.${'a.'.repeat(90)}com`)).toMatchObject({ uncommonDots: true });
  expect(judge('co.uk')).toMatchObject({ tenant: '', homoglyph: '', typosquat: '', parts: { root_domain: '', tld: 'co.uk' } });
});
